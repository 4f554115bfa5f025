package eval

import (
	"context"
	"slices"

	"beziergp/box"
	"beziergp/internal/cli/apply"
	"beziergp/internal/cli/exit"
	"beziergp/internal/cli/streams"
	"beziergp/metric"
	"beziergp/model"
	"beziergp/table"
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
	if slices.ContainsFunc(m.Columns(), func(c table.Field) bool { return c.Name == target }) {
		return exit.Usagef("--target: %q is an input of the model", target)
	}
	var scores metric.Scores
	var known predicted
	result, err := apply.Run(ctx, s, m, data, o.Options, []string{target}, "scoring", func(columns [][]float64, p *model.Predictions) error {
		known.gather(columns[0], p)
		if m.Target().Transform == box.Log1p {
			scores.AddLog1p(known.y, known.location, known.scale)
		} else {
			scores.Add(known.y, known.location, known.scale)
		}
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

// predicted are the rows of a block that have a target and a prediction, the latter
// as the Gaussian distribution of the transformed target.
type predicted struct {
	y, location, scale []float64
}

func (k *predicted) gather(y []float64, p *model.Predictions) {
	k.y, k.location, k.scale = k.y[:0], k.location[:0], k.scale[:0]
	for i, location := range p.Location {
		// Under the policy flag, rows without a prediction hold NaN.
		if location == location && y[i] == y[i] {
			k.y, k.location, k.scale = append(k.y, y[i]), append(k.location, location), append(k.scale, p.Scale[i])
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
