package integrate

import (
	"cmp"
	"context"
	"log/slog"

	"beziergp/analysis"
	"beziergp/box"
	"beziergp/cmd/beziergp/internal/apply"
	"beziergp/cmd/beziergp/internal/exit"
	"beziergp/cmd/beziergp/internal/laws"
	"beziergp/cmd/beziergp/internal/source"
	"beziergp/cmd/beziergp/internal/streams"
	"beziergp/model"
	"beziergp/serve"
)

const defaultSamples = 16384

// estimate averages predictions of a model of any kind.
func (o *Options) estimate(ctx context.Context, s streams.Streams, m serve.Model, args []string, r *report) (err error) {
	r.Scale = m.Target().Name
	if o.overRows(args) {
		return o.overPredictions(ctx, s, m, source.Data(args, 1), r)
	}
	samples := cmp.Or(o.Samples, defaultSamples)
	if samples < analysis.Replicates {
		return exit.Usagef("--samples %d: there must be at least %d, one a replicate", samples, analysis.Replicates)
	}
	samples -= samples % analysis.Replicates
	e, free, err := o.Laws.Estimator(s, args[0], apply.WithoutOffset(s, m), o.Workers)
	if err != nil {
		return err
	}
	defer free()
	mean, err := e.Mean(ctx, samples, o.Seed)
	if err != nil {
		return laws.Coded(args[0], err)
	}
	r.Mean, r.sampled = mean.Value, &sampled{mean.Error, samples}
	r.under(e)
	laws.NoteEstimated(s, "the average is", e, samples)
	return nil
}

// overPredictions averages predictions of the rows of a table.
func (o *Options) overPredictions(ctx context.Context, s streams.Streams, m serve.Model, data string, r *report) (err error) {
	switch {
	case o.Samples > 0:
		return notOverRows("samples")
	case o.seeded:
		return notOverRows("seed")
	}
	if r.Mean, r.Rows, err = o.mean(ctx, s, m, data, o.Source); err != nil {
		return err
	}
	if o.Minus != "" {
		other := 0.0
		if other, r.Minus, err = o.mean(ctx, s, m, o.Minus, source.Options{Missing: o.Source.Missing}); err != nil {
			return err
		}
		r.Mean -= other
	}
	s.Console.Note("a model of another method than bezier tells no deviation of an average: this is that of its predictions", slog.String("event", "no_deviation"))
	return nil
}

// mean returns the mean, or the total, of predictions of a table's rows, and their number.
func (o *Options) mean(ctx context.Context, s streams.Streams, m serve.Model, data string, from source.Options) (float64, int, error) {
	rows, place, err := laws.Read(ctx, s, m, data, from)
	if err != nil {
		return 0, 0, err
	}
	policy := cmp.Or(o.Policy, m.Policy())
	if policy == box.Flag { // rows cannot be passed over
		policy = box.Refuse
	}
	p, err := m.Predict(ctx, rows, model.PredictOptions{Workers: o.Workers, Policy: policy, MeanAlone: true})
	if err != nil {
		return 0, 0, laws.Located(ctx, place, err)
	}
	b := box.New(m.Inputs())
	columns, err := b.Pick(rows)
	if err != nil {
		return 0, 0, err
	}
	outside := apply.NewOutside(m.Inputs())
	outside.Add(columns, p.InBox)
	outside.Warn(s, rows.Rows(), policy)
	var sum float64
	for _, v := range p.Mean {
		sum += v
	}
	if !o.Total {
		sum /= float64(rows.Rows())
	}
	return sum, rows.Rows(), nil
}

// notOverRows refuses a flag of estimates over inputs where there are rows.
func notOverRows(flag string) error {
	return exit.Usagef("--%s is of an average over inputs, and over rows of DATA nothing is sampled; leave it out", flag)
}
