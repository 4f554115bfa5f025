package explain

import (
	"context"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"slices"

	"beziergp/box"
	"beziergp/cmd/beziergp/internal/apply"
	"beziergp/cmd/beziergp/internal/console"
	"beziergp/cmd/beziergp/internal/exit"
	"beziergp/cmd/beziergp/internal/shell"
	"beziergp/cmd/beziergp/internal/streams"
	"beziergp/explain"
	"beziergp/model"
	"beziergp/serve"
)

// mostBackground is how many background rows estimates are against: each takes predictions of
// its own for every row.
const mostBackground = 100

// estimator explains a model of any kind from its predictions.
type estimator struct {
	*explain.Sampler
	predictor *model.Predictor
}

func (e estimator) Close() { e.predictor.Close() }

// estimate returns what explains a model of another method than bezier, and tells total of it.
func (o *Options) estimate(ctx context.Context, s streams.Streams, m serve.Model, file, data string, total *total) (explainer, error) {
	switch {
	case o.Background == "":
		line := []string{"beziergp", "explain", file, data, "--background"}
		if data == "" { // rows of a query
			line = []string{"beziergp", "explain", file, "--background"}
		}
		return nil, exit.Dataf("%s is a model of another method than bezier: its values are estimated against rows of a table, which may be the training rows: %s FILE", file, shell.Line(line))
	case o.Interactions:
		return nil, exit.Usagef("--interactions is for models of method bezier: of %s nothing but values of columns is estimated; leave it out", file)
	case o.Tolerance > 0:
		return nil, exit.Usagef("--tolerance is for models of method bezier: estimates are the closer the more --permutations there are")
	}
	predictor, err := m.NewPredictor(model.PredictOptions{Workers: o.Workers, Policy: o.Policy, MeanAlone: true})
	if err != nil {
		return nil, exit.Dataf("%w", err)
	}
	e, err := o.sampler(ctx, s, m, predictor, total)
	if err != nil {
		predictor.Close()
		return nil, err
	}
	return estimator{e, predictor}, nil
}

// sampler returns one against the background.
func (o *Options) sampler(ctx context.Context, s streams.Streams, m serve.Model, predictor *model.Predictor, total *total) (*explain.Sampler, error) {
	background, read, err := o.background(ctx, s, m, predictor)
	if err != nil {
		return nil, err
	}
	var names []string
	for _, c := range m.Columns() {
		names = append(names, c.Name)
	}
	var p model.Predictions
	predict := func(ctx context.Context, columns [][]float64, dst []float64) error {
		err := predictor.Predict(ctx, columns, &p)
		copy(dst, p.Mean)
		return err
	}
	done := int64(0)
	progress := func() {
		if done++; o.task(s) != "" {
			s.Console.Update(console.State{Task: o.task(s), Done: done, Total: -1, Unit: "row"})
		}
	}
	e, err := explain.NewSampler(ctx, predict, names, background, explain.SamplingOptions{Permutations: o.Permutations, Seed: o.Seed, Progress: progress})
	if err != nil {
		return nil, exit.Dataf("%s: %w", o.Background, err)
	}
	total.sampled = &sampled{e.Permutations(), e.Background(), read}
	if e.Background() < read {
		s.Console.Note(fmt.Sprintf("values are against %d of %d background rows, drawn by --seed %d", e.Background(), read, o.Seed),
			slog.String("event", "sampled"), slog.Int("sampled", e.Background()), slog.Int("rows", read))
	}
	return e, nil
}

// background returns rows to explain against, [columns][rows], drawn from those of the table that
// have a prediction, and how many these are.
func (o *Options) background(ctx context.Context, s streams.Streams, m serve.Model, predictor *model.Predictor) (columns [][]float64, read int, err error) {
	t, err := apply.Background(ctx, s, m, o.Background, o.Source)
	if err != nil {
		return nil, 0, err
	}
	b := box.New(m.Inputs())
	all, err := b.Pick(t)
	if err != nil {
		return nil, 0, exit.Dataf("%s: %w", o.Background, err)
	}
	var p model.Predictions
	if err := predictor.Predict(ctx, all, &p); err != nil {
		if ctx.Err() != nil {
			return nil, 0, err
		}
		return nil, 0, exit.Dataf("%s: %w", o.Background, box.NameLevel(err, t))
	}
	var kept []int
	for row, inside := range p.InBox {
		if inside || o.PolicyOf(m) != box.Flag {
			kept = append(kept, row)
		}
	}
	if read = len(kept); read == 0 {
		return nil, 0, exit.Dataf("%s: no row has a prediction to explain against", o.Background)
	}
	if left := t.Rows() - read; left > 0 {
		s.Console.Warn(fmt.Sprintf("%d of %d rows of %s lie outside what the model knows, and are left out of the background", left, t.Rows(), o.Background),
			slog.String("event", "outside_background"), slog.Int("rows", left))
	}
	if read > mostBackground {
		rng := rand.New(rand.NewPCG(o.Seed, 0))
		rng.Shuffle(read, func(i, j int) { kept[i], kept[j] = kept[j], kept[i] })
		kept = kept[:mostBackground]
		slices.Sort(kept)
	}
	for _, c := range all {
		own := make([]float64, len(kept))
		for k, row := range kept {
			own[k] = c[row]
		}
		columns = append(columns, own)
	}
	return columns, read, nil
}
