package apply

import (
	"context"
	"fmt"

	"beziergp/box"
	"beziergp/cmd/beziergp/internal/source"
	"beziergp/cmd/beziergp/internal/streams"
	"beziergp/dataset/seen"
	"beziergp/likelihood"
	"beziergp/serve"
	"beziergp/tablefile"
)

// Scored is a row that is scored.
type Scored struct {
	Observed, Predicted float64
	Inside              bool    // the observed value lies in the interval
	Transform           float64 // the probability integral transform
	// Probability is that of the second of two classes, or of the likeliest one of more, and
	// Came whether it was observed; where Classes are scored, in the place of the rest.
	Probability   float64
	Came, Classes bool
}

// Score predicts the rows of a table whose target is known and returns how well. each is
// called with every row that is scored; nil for nobody.
func Score(ctx context.Context, s streams.Streams, m serve.Model, path string, o Options, target string, each func(Scored)) (Report, *Result, error) {
	reports, result, err := score(ctx, s, []serve.Model{m}, path, o, []string{target}, each)
	if err != nil {
		return Report{}, nil, err
	}
	return reports[0], result, nil
}

// ScoreOutputs is Score of all targets of models of one file, each by the rows that have it.
func ScoreOutputs(ctx context.Context, s streams.Streams, models []serve.Model, path string, o Options) ([]Report, *Result, error) {
	return score(ctx, s, models, path, o, Targets(models), nil)
}

func score(ctx context.Context, s streams.Streams, models []serve.Model, path string, o Options, targets []string, each func(Scored)) ([]Report, *Result, error) {
	all := make([]*scorer, len(models))
	for k, m := range models {
		var err error
		if all[k], err = o.newScorer(ctx, s, m, path); err != nil {
			return nil, nil, err
		}
		all[k].target, all[k].law = targets[k], LawOf(m)
	}
	result, err := RunOutputs(ctx, s, models, path, o, Further{Numbers: targets, Observed: targets[0], Kept: o.By}, "scoring", func(b *Block) error {
		for k, own := range all {
			part := *b
			part.Predictions = b.Outputs[k]
			if err := own.add(&part, b.Numbers[k], each); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return nil, nil, err
	}
	reports := make([]Report, len(all))
	for k, own := range all {
		if reports[k], err = own.report(path, targets[k], o, result); err != nil {
			return nil, nil, err
		}
		reports[k].Clamped = result.held[k]
	}
	return reports, result, nil
}

// scorer scores the rows of a table by a model.
type scorer struct {
	about
	target  string         // the column that has it
	law     likelihood.Law // with nothing in it where any number can be observed
	workers int
	all     *tally
	by      *groupers
	hasher  *seen.Hasher
	count   *seen.Count // nil where the model does not remember its rows
	// unknown are rows without a target.
	unknown int
}

func (o Options) newScorer(ctx context.Context, s streams.Streams, m serve.Model, path string) (*scorer, error) {
	a, err := o.about(m)
	if err != nil {
		return nil, err
	}
	by, err := o.groupers(ctx, s, m, path)
	if err != nil {
		return nil, err
	}
	by.about = a
	mapping := box.New(m.Inputs())
	own := &scorer{about: a, workers: o.Workers, all: o.newTally(a), by: by, hasher: seen.NewHasher(&mapping, m.Target().Name)}
	if rows := m.Seen(); rows != nil {
		own.count = rows.Count()
	}
	return own, nil
}

// add takes in a block whose targets these are.
func (a *scorer) add(b *Block, targets []float64, each func(Scored)) error {
	if err := a.by.begin(b); err != nil {
		return err
	}
	if err := b.CheckTarget(a.law, a.target, targets); err != nil {
		return err
	}
	var rows []int
	for i, y := range targets {
		if y != y {
			a.unknown++
		}
		// Under the policy flag, rows without a prediction hold NaN.
		if y == y && Predicted(b.Predictions, i) {
			if a.knows(y) {
				rows = append(rows, i)
			} else {
				a.all.unknown++
			}
		}
	}
	outcomes := a.all.outcomes(a.workers, targets, b, rows)
	for k, i := range rows {
		y := targets[i]
		a.all.add(y, b, i, outcomes[k])
		a.all.addPoint(y, b, i)
		if err := a.by.add(y, b, i, outcomes[k]); err != nil {
			return err
		}
		if each != nil {
			each(a.scored(y, b, i, outcomes[k].Transform))
		}
		if a.count != nil {
			a.count.Add(a.hasher.Sum(b.Inputs, i, y))
		}
	}
	return nil
}

// report returns the scores, and tells the result what it is to warn of.
func (a *scorer) report(path, target string, o Options, result *Result) (Report, error) {
	if a.all.rows() == 0 {
		problem := fmt.Sprintf("none of the %d rows can be scored: ", result.Rows)
		if a.unknown == result.Rows {
			return Report{}, &tablefile.Error{File: source.Name(path), Column: target, Problem: problem + "the target is missing in all of them", Remedy: "give rows whose target is known"}
		}
		if a.all.unknown > 0 {
			return Report{}, &tablefile.Error{File: source.Name(path), Column: target, Problem: problem + fmt.Sprintf("%d are of a class that no training row had", a.all.unknown), Remedy: "give rows of the classes that were learned"}
		}
		return Report{}, &tablefile.Error{File: source.Name(path), Problem: problem + fmt.Sprintf("%d have no target and the others no prediction, for they lie outside the box or have a level not seen in training", a.unknown),
			Remedy: "give rows like those that were learned from, or another --out-of-box"}
	}
	if result.seen == nil || a.count != nil && a.count.Equal() > result.seen.Equal() {
		result.seen = a.count
	}
	result.Beyond, result.Unknown = result.Beyond+a.all.beyond, result.Unknown+a.all.unknown
	report := a.all.report(o)
	report.By = a.by.report(o.scoresOfGroups(a.about))
	report.Outside = append(result.Outside.report(), report.Outside...)
	if a.count != nil {
		equal := a.count.Equal()
		report.TrainedOn = &equal
	}
	return report, nil
}
