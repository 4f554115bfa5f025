package beziergp

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"

	"beziergp/dataset"
	"beziergp/dataset/profile"
	"beziergp/likelihood"
	"beziergp/metric"
	"beziergp/model"
	"beziergp/predictive"
	"beziergp/train"
)

// OutOfFold are predictions of training rows by models that were trained without them: the
// members of the recipe's ensemble, each of which lacks a fold of the rows. They are those
// of single members with their noise, or their law, so the model, an average of members, errs a little
// less. Of what makes distributions of a member's values some is not cross-fitted, a few
// numbers chosen by the out-of-fold errors of all rows: factors of the variances, degrees
// of freedom, limits; nor is the structure of the members.
type OutOfFold struct {
	Rows         []int     // of the table, counted from 1, in ascending order, [n]
	Observed     []float64 // the target of the rows, [n]
	*Predictions           // of the rows, in the target's units, [n]
	// Folds is the number of folds of the training rows. The first Members of them have a
	// member, and only their rows are here; where rows are few, all folds have one.
	Members, Folds int
}

// fill makes predictions of the values that a recipe has out of fold, in the order of the
// rows.
func (o *OutOfFold) fill(m *Model, values *train.OutOfFold, y *dataset.Observed, workers int) (err error) {
	order := make([]int, len(values.Rows))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(values.Rows[a], values.Rows[b]) })
	if o.Rows, o.Observed, err = y.At(at(values.Rows, order, 1)); err != nil {
		return err
	}
	v := model.Values{
		Mean: at(values.Mean, order, len(values.Mean)/max(1, len(order))), Variance: at(values.Variance, order, 1), Noise: values.Noise,
		LogNoise: at(values.LogNoise, order, 1), LogRatio: at(values.LogRatio, order, predictive.Nodes), Likelihood: values.Likelihood,
	}
	o.Members, o.Folds = values.Members, values.Folds
	o.Predictions, err = m.PredictValues(v, PredictOptions{Workers: workers})
	var bad *model.RowError
	if errors.As(err, &bad) {
		bad.Row = o.Rows[bad.Row-1]
		return &DataError{fmt.Errorf("out of fold: %w", err)}
	}
	return err
}

// at returns the values of rows, each of so many, in another order; nil of none.
func at[T any](values []T, order []int, each int) []T {
	if values == nil {
		return nil
	}
	ordered := make([]T, 0, len(order)*each)
	for _, i := range order {
		ordered = append(ordered, values[i*each:(i+1)*each]...)
	}
	return ordered
}

// outcomes returns what the distributions of the rows tell of their targets, [n].
func (o *OutOfFold) outcomes(workers int) []predictive.Outcome {
	return metric.Outcomes(workers, len(o.Observed), 0, func(i int) (predictive.Distribution, float64) { return o.Distribution(i), o.Observed[i] })
}

// profile returns the predictions, with their outcomes, as the profile of a model keeps them.
func (o *OutOfFold) profile(outcomes []predictive.Outcome) *profile.Scores {
	errs := make([]float64, len(o.Observed))
	for i, y := range o.Observed {
		errs[i] = math.Abs(y - o.Point[i])
	}
	s := profile.NewScores(slices.Clone(o.Point), errs)
	for i, y := range o.Observed {
		s.AddOutcome(y, o.Point[i], o.Lower[i], o.Upper[i], outcomes[i])
	}
	return s
}

// scores returns those of the predictions, with their outcomes, nil where one is no number, of the law of a model.
func (o *OutOfFold) scores(m *Model, outcomes []predictive.Outcome) *model.Scores {
	var s metric.Scores
	power, positive := likelihood.DeviancePower(m.Likelihood())
	deviance := metric.Deviance{Power: power}
	for i, y := range o.Observed {
		s.AddOutcome(y, o.Mean[i], o.Lower[i], o.Upper[i], outcomes[i])
		if positive {
			deviance.Add(y, o.Mean[i], 1)
		}
	}
	if s.N() == 0 {
		return nil
	}
	scores := &model.Scores{Rows: s.N(), RMSE: s.RMSE(), NLPD: s.NLPD(), CRPS: s.CRPS(), Coverage95: s.Coverage()}
	if sum := scores.RMSE + scores.NLPD + scores.CRPS; math.IsNaN(sum) || math.IsInf(sum, 0) {
		return nil // a file cannot hold it
	}
	if positive {
		scores.Deviance = finite(deviance.Mean())
	}
	return scores
}

// classScores returns those of the probabilities of classes, nil where one is no number.
func (o *OutOfFold) classScores(classes int) *model.ClassScores {
	s := metric.NewClasses(classes)
	for i, y := range o.Observed {
		s.Add(int(y), o.Probabilities(i))
	}
	if s.N() == 0 || finite(s.LogLoss()) == nil {
		return nil
	}
	return &model.ClassScores{Rows: s.N(), LogLoss: s.LogLoss(), Brier: s.Brier(), Accuracy: s.Accuracy(), AUC: finite(s.AUC()), ECE: s.ECE()}
}

// finite returns v, nil where a file could not hold it.
func finite(v float64) *float64 {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return nil
	}
	return &v
}
