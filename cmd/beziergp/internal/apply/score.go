package apply

import (
	"context"
	"fmt"

	"beziergp/box"
	"beziergp/cmd/beziergp/internal/source"
	"beziergp/cmd/beziergp/internal/streams"
	"beziergp/dataset/seen"
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
	a, err := o.about(m)
	if err != nil {
		return Report{}, nil, err
	}
	by, err := o.groupers(ctx, s, m, path)
	if err != nil {
		return Report{}, nil, err
	}
	by.about = a
	all := o.newTally(a)
	unknown := 0 // rows without a target
	mapping := box.New(m.Inputs())
	hasher, count := seen.NewHasher(&mapping, m.Target().Name), (*seen.Count)(nil)
	if rows := m.Seen(); rows != nil {
		count = rows.Count()
	}
	result, err := Run(ctx, s, m, path, o, Further{Numbers: []string{target}, Observed: target, Kept: o.By}, "scoring", func(b *Block) error {
		if err := by.begin(b); err != nil {
			return err
		}
		for i, y := range b.Numbers[0] {
			if y != y {
				unknown++
			}
			// Under the policy flag, rows without a prediction hold NaN.
			if y == y && Predicted(b.Predictions, i) {
				if !a.knows(y) {
					all.unknown++
					continue
				}
				u := all.add(y, b, i)
				all.addPoint(y, b, i)
				if err := by.add(y, b, i); err != nil {
					return err
				}
				if each != nil {
					each(a.scored(y, b, i, u))
				}
				if count != nil {
					count.Add(hasher.Sum(b.Inputs, i, y))
				}
			}
		}
		return nil
	})
	if err != nil {
		return Report{}, nil, err
	}
	if all.rows() == 0 {
		problem := fmt.Sprintf("none of the %d rows can be scored: ", result.Rows)
		if unknown == result.Rows {
			return Report{}, nil, &tablefile.Error{File: source.Name(path), Column: target, Problem: problem + "the target is missing in all of them", Remedy: "give rows whose target is known"}
		}
		if all.unknown > 0 {
			return Report{}, nil, &tablefile.Error{File: source.Name(path), Column: target, Problem: problem + fmt.Sprintf("%d are of a class that no training row had", all.unknown), Remedy: "give rows of the classes that were learned"}
		}
		return Report{}, nil, &tablefile.Error{File: source.Name(path), Problem: problem + fmt.Sprintf("%d have no target and the others no prediction, for they lie outside the box or have a level not seen in training", unknown),
			Remedy: "give rows like those that were learned from, or another --out-of-box"}
	}
	result.seen, result.Beyond, result.Unknown = count, all.beyond, all.unknown
	report := all.report(o)
	report.Clamped, report.By = result.Clamped, by.report(o.scoresOfGroups(a))
	report.Outside = append(result.Outside.report(), report.Outside...)
	if count != nil {
		equal := count.Equal()
		report.TrainedOn = &equal
	}
	return report, result, nil
}
