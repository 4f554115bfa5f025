package apply

import (
	"context"

	"beziergp/box"
	"beziergp/internal/cli/streams"
	"beziergp/metric"
	"beziergp/model"
)

// Score predicts the rows of a table whose target is known and returns how well.
func Score(ctx context.Context, s streams.Streams, m *model.Model, path string, o Options, target string) (Report, *Result, error) {
	var scores metric.Scores
	var known predicted
	result, err := Run(ctx, s, m, path, o, []string{target}, "scoring", func(columns [][]float64, p *model.Predictions) error {
		known.gather(columns[0], p)
		if m.Target().Transform == box.Log1p {
			scores.AddLog1p(known.y, known.location, known.scale)
		} else {
			scores.Add(known.y, known.location, known.scale)
		}
		return nil
	})
	if err != nil {
		return Report{}, nil, err
	}
	report := newReport(&scores, result)
	if known.n > 0 {
		report.Coverage95 = number(float64(known.inside) / float64(known.n))
	}
	return report, result, nil
}

// predicted are the rows of a block that have a target and a prediction, the latter
// as the Gaussian distribution of the transformed target.
type predicted struct {
	y, location, scale []float64
	inside, n          int // rows inside their intervals, and of all blocks
}

func (k *predicted) gather(y []float64, p *model.Predictions) {
	k.y, k.location, k.scale = k.y[:0], k.location[:0], k.scale[:0]
	for i, location := range p.Location {
		// Under the policy flag, rows without a prediction hold NaN.
		if location == location && y[i] == y[i] {
			k.y, k.location, k.scale = append(k.y, y[i]), append(k.location, location), append(k.scale, p.Scale[i])
			k.n++
			if p.Lower[i] <= y[i] && y[i] <= p.Upper[i] {
				k.inside++
			}
		}
	}
}

// newReport turns scores into what is printed.
func newReport(scores *metric.Scores, r *Result) Report {
	out := Report{N: scores.N(), OutsideBox: r.Outside}
	if out.N > 0 {
		out.RMSE, out.NLPD = number(scores.RMSE()), number(scores.NLPD())
		out.CRPS = number(scores.CRPS())
	}
	return out
}
