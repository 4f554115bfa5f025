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
}

// Score predicts the rows of a table whose target is known and returns how well. each is
// called with every row that is scored; nil for nobody.
func Score(ctx context.Context, s streams.Streams, m serve.Model, path string, o Options, target string, each func(Scored)) (Report, *Result, error) {
	by, err := o.groupers(ctx, s, m, path)
	if err != nil {
		return Report{}, nil, err
	}
	all := o.newTally()
	unknown := 0 // rows without a target
	mapping := box.New(m.Inputs())
	hasher, count := seen.NewHasher(&mapping, m.Target().Name), (*seen.Count)(nil)
	if rows := m.Seen(); rows != nil {
		count = rows.Count()
	}
	result, err := Run(ctx, s, m, path, o, Further{Numbers: []string{target}, Kept: o.By}, "scoring", func(b *Block) error {
		if err := by.begin(b); err != nil {
			return err
		}
		for i, y := range b.Numbers[0] {
			if y != y {
				unknown++
			}
			// Under the policy flag, rows without a prediction hold NaN.
			if y == y && b.Mean[i] == b.Mean[i] {
				u := all.add(y, b, i)
				all.addPoint(y, b, i)
				if err := by.add(y, b, i); err != nil {
					return err
				}
				if each != nil {
					each(Scored{Observed: y, Predicted: b.Point[i], Inside: b.Lower[i] <= y && y <= b.Upper[i], Transform: u})
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
	if all.N() == 0 {
		problem := fmt.Sprintf("none of the %d rows can be scored: ", result.Rows)
		if unknown == result.Rows {
			return Report{}, nil, &tablefile.Error{File: source.Name(path), Column: target, Problem: problem + "the target is missing in all of them", Remedy: "give rows whose target is known"}
		}
		return Report{}, nil, &tablefile.Error{File: source.Name(path), Problem: problem + fmt.Sprintf("%d have no target and the others no prediction, for they lie outside the box or have a level not seen in training", unknown),
			Remedy: "give rows like those that were learned from, or another --out-of-box"}
	}
	result.seen, result.Beyond = count, all.beyond
	pit := all.PIT()
	report := Report{Scores: of(o.scores(), all), PIT: pit[:], Clamped: result.Clamped, By: by.report(o.scoresOfGroups()), Outside: result.Outside.report()}
	if count != nil {
		equal := count.Equal()
		report.TrainedOn = &equal
	}
	return report, result, nil
}
