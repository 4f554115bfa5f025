package apply

import (
	"context"

	"beziergp/internal/cli/streams"
	"beziergp/metric"
	"beziergp/model"
)

// Score predicts the rows of a table whose target is known and returns how well.
// transform is called with every row's probability integral transform; nil for
// nobody.
func Score(ctx context.Context, s streams.Streams, m Model, path string, o Options, target string, transform func(float64)) (Report, *Result, error) {
	var scores metric.Scores
	beyond := 0
	result, err := Run(ctx, s, m, path, o, []string{target}, "scoring", func(columns [][]float64, p *model.Predictions) error {
		for i, y := range columns[0] {
			// Under the policy flag, rows without a prediction hold NaN.
			if y == y && p.Mean[i] == p.Mean[i] {
				u := scores.Add(y, p.Point[i], p.Lower[i], p.Upper[i], p.Distribution(i))
				if p.Range != nil && !p.Range.Holds(y) {
					beyond++
				}
				if transform != nil {
					transform(u)
				}
			}
		}
		return nil
	})
	if err != nil {
		return Report{}, nil, err
	}
	result.Beyond = beyond
	return newReport(&scores, result), result, nil
}

// newReport turns scores into what is printed.
func newReport(scores *metric.Scores, r *Result) Report {
	out := Report{N: scores.N(), OutsideBox: r.Outside, Held: r.Held}
	if out.N > 0 {
		out.RMSE, out.NLPD = number(scores.RMSE()), number(scores.NLPD())
		out.CRPS, out.Coverage95 = number(scores.CRPS()), number(scores.Coverage())
		pit := scores.PIT()
		out.PIT = pit[:]
	}
	return out
}
