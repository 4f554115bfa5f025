package apply

import (
	"slices"

	"beziergp/cmd/beziergp/internal/exit"
	"beziergp/likelihood"
	"beziergp/model"
	"beziergp/serve"
)

// about is what kind of target rows are scored by.
type about struct {
	classes []string // nil for numbers
	// least is what a class has to have at least to be in the sets of a row; none without sets.
	least float64
	sets  bool
	// power is that of the deviance of counts and amounts.
	power    float64
	positive bool
	exposure int // the column of a block that has the exposure; −1 for none
}

// about returns that of a model.
func (o Options) about(m serve.Model) (about, error) {
	a := about{classes: m.Classes(), exposure: -1}
	if l, ok := m.(interface {
		Likelihood() likelihood.Likelihood
	}); ok {
		a.power, a.positive = likelihood.DeviancePower(l.Likelihood())
	}
	if o := m.Offset(); o != nil && o.Exposure {
		a.exposure = len(m.Columns()) - 1
	}
	if a.classes != nil {
		var err error
		if a.least, err = o.least(m); err == nil {
			a.sets = true
		} else if o.Level != 0 {
			return a, exit.Dataf("--level: %w", err)
		}
	}
	return a, nil
}

// least returns what a class has to have to be in the prediction sets of the options' level.
func (o Options) least(m serve.Model) (float64, error) {
	return serve.LeastProbability(m, o.Level)
}

// Least returns what a class has to have at least to be in the prediction sets of the
// options' level. It fails where the model has no sets.
func (o Options) Least(m serve.Model) (float64, error) {
	v, err := o.least(m)
	if err != nil {
		return v, exit.Dataf("%w", err)
	}
	return v, nil
}

// Predicted tells whether a row has a prediction.
func Predicted(p *model.Predictions, row int) bool {
	return p.Mean[row] == p.Mean[row] || p.Class(row) >= 0
}

// codes returns, for the levels of a column, the codes of the same classes of a model; the
// number of the model's classes where there is none.
func codes(levels, classes []string) []int {
	all := make([]int, len(levels))
	for i, level := range levels {
		if all[i] = slices.Index(classes, level); all[i] < 0 {
			all[i] = len(classes)
		}
	}
	return all
}
