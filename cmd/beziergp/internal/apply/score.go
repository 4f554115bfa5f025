package apply

import (
	"context"
	"fmt"

	"beziergp/box"
	"beziergp/cmd/beziergp/internal/source"
	"beziergp/cmd/beziergp/internal/streams"
	"beziergp/dataset/seen"
	"beziergp/metric"
	"beziergp/model"
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
	var scores metric.Scores
	unknown := 0 // rows without a target
	mapping := box.New(m.Inputs())
	hasher, count := seen.NewHasher(&mapping, m.Target().Name), (*seen.Count)(nil)
	if rows := m.Seen(); rows != nil {
		count = rows.Count()
	}
	beyond := 0
	result, err := Run(ctx, s, m, path, o, []string{target}, "scoring", func(inputs, further [][]float64, p *model.Predictions) error {
		for i, y := range further[0] {
			if y != y {
				unknown++
			}
			// Under the policy flag, rows without a prediction hold NaN.
			if y == y && p.Mean[i] == p.Mean[i] {
				u := scores.Add(y, p.Point[i], p.Lower[i], p.Upper[i], p.Distribution(i))
				if p.Range != nil && !p.Range.Contains(y) {
					beyond++
				}
				if each != nil {
					each(Scored{Observed: y, Predicted: p.Point[i], Inside: p.Lower[i] <= y && y <= p.Upper[i], Transform: u})
				}
				if count != nil {
					count.Add(hasher.Sum(inputs, i, y))
				}
			}
		}
		return nil
	})
	if err != nil {
		return Report{}, nil, err
	}
	if scores.N() == 0 {
		problem := fmt.Sprintf("none of the %d rows can be scored: ", result.Rows)
		if unknown == result.Rows {
			return Report{}, nil, &tablefile.Error{File: source.Name(path), Column: target, Problem: problem + "the target is missing in all of them", Remedy: "give rows whose target is known"}
		}
		return Report{}, nil, &tablefile.Error{File: source.Name(path), Problem: problem + fmt.Sprintf("%d have no target and the others no prediction, for they lie outside the box or have a level not seen in training", unknown),
			Remedy: "give rows like those that were learned from, or another --out-of-box"}
	}
	result.seen, result.Beyond = count, beyond
	return newReport(&scores, result), result, nil
}

// newReport turns scores into what is printed.
func newReport(scores *metric.Scores, r *Result) Report {
	out := Report{N: scores.N(), OutsideBox: r.Outside.Rows[box.Beyond],
		NewLevel: r.Outside.Rows[box.NewLevel], NewMissing: r.Outside.Rows[box.NewGap], Clamped: r.Clamped}
	if r.seen != nil {
		equal := r.seen.Equal()
		out.TrainedOn = &equal
	}
	if out.N > 0 {
		out.RMSE, out.NLPD = number(scores.RMSE()), number(scores.NLPD())
		out.CRPS, out.Coverage95 = number(scores.CRPS()), number(scores.Coverage())
		pit := scores.PIT()
		out.PIT = pit[:]
	}
	return out
}
