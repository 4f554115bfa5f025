package eval

import (
	"context"
	"slices"

	"beziergp/internal/cli/apply"
	"beziergp/internal/cli/exit"
	"beziergp/internal/cli/streams"
	"beziergp/metric"
	"beziergp/model"
)

// Run scores a model from a file on the table data.
func Run(ctx context.Context, s streams.Streams, file, data string, o *Options) error {
	m, err := model.Load(file)
	if err != nil {
		return err
	}
	target := o.Target
	if target == "" {
		target = m.Target().Name
	}
	if slices.Contains(m.InputNames(), target) {
		return exit.Usagef("--target: %q is an input of the model", target)
	}
	var scores metric.Scores
	var known predicted
	result, err := apply.Run(ctx, s, m, data, o.Options, []string{target}, "scoring", func(columns [][]float64, p *model.Predictions) error {
		known.gather(columns[0], p)
		scores.Add(known.y, known.mean, known.std)
		return nil
	})
	if err != nil {
		return err
	}
	if err := newReport(&scores, result).print(s.Out, o.JSON); err != nil {
		return err
	}
	result.WarnOutside(s, o.PolicyOf(m))
	return nil
}

// predicted are the rows of a block that have a prediction.
type predicted struct {
	y, mean, std []float64
}

func (k *predicted) gather(y []float64, p *model.Predictions) {
	k.y, k.mean, k.std = k.y[:0], k.mean[:0], k.std[:0]
	for i, mean := range p.Mean {
		if mean == mean { // under the policy flag, rows without one hold NaN
			k.y, k.mean, k.std = append(k.y, y[i]), append(k.mean, mean), append(k.std, p.Std[i])
		}
	}
}

// newReport turns scores into what is printed.
func newReport(scores *metric.Scores, r *apply.Result) report {
	out := report{N: scores.N(), OutsideBox: r.Outside}
	if out.N > 0 {
		out.RMSE, out.NLPD = number(scores.RMSE()), number(scores.NLPD())
		out.CRPS, out.Coverage95 = number(scores.CRPS()), number(scores.Coverage95())
	}
	return out
}
