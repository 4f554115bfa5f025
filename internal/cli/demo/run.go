package demo

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"

	"beziergp/example"
	"beziergp/internal/aside"
	"beziergp/internal/cli/eval"
	"beziergp/internal/cli/exit"
	"beziergp/internal/cli/fit"
	"beziergp/internal/cli/predict"
	"beziergp/internal/cli/streams"
	"beziergp/model"
	"beziergp/plot"
	"beziergp/table"
	"beziergp/tablefile"
	"beziergp/train"
)

// Run runs the verbs one after the other, each as a user would call it.
func Run(ctx context.Context, s streams.Streams, o *Options) error {
	if o.Dir == "" {
		return exit.Usagef("--dir is empty: name a directory")
	}
	d := demo{Streams: s, Options: o}
	heldOut, err := d.tables()
	if err != nil {
		return err
	}
	fitting := fit.NewOptions()
	recipe := example.Options()
	fitting.Target, fitting.Recipe, fitting.Order, fitting.Paper = example.Target, "paper", recipe.Order, recipe.Recipe.(train.Paper)
	fitting.Seed = fitting.Paper.Seed
	fitting.Out, fitting.Workers, fitting.NoKept = d.path("flow.bgp"), o.Workers, true
	d.say("beziergp fit %s --target %s --recipe paper --order %d --orderings %d --steps %d --batch %d --learning-rate %g --kl-weight %g --seed %d --out %s",
		d.path("train.csv"), fitting.Target, fitting.Order, fitting.Paper.Orderings, fitting.Paper.Steps, fitting.Paper.Batch,
		fitting.Paper.LearningRate, fitting.Paper.KLWeight, fitting.Paper.Seed, fitting.Out)
	if err := fit.Run(ctx, s, d.path("train.csv"), fitting); err != nil {
		return err
	}
	d.say("beziergp eval %s %s", fitting.Out, d.path("test.csv"))
	if err := eval.Run(ctx, s, fitting.Out, d.path("test.csv"), &eval.Options{}); err != nil {
		return err
	}
	predicting := &predict.Options{Out: d.path("predictions.csv")}
	d.say("beziergp predict %s %s --out %s", fitting.Out, d.path("test.csv"), predicting.Out)
	if err := predict.Run(ctx, s, fitting.Out, d.path("test.csv"), predicting); err != nil {
		return err
	}
	if err := d.pictures(ctx, fitting.Out, heldOut); err != nil {
		return err
	}
	s.Console.Note(fmt.Sprintf("drew %s and %s\nthe noise alone has the deviation %g: no model's rmse is below it", d.path("predicted.svg"), d.path("calibration.svg"), example.NoiseStd),
		slog.String("event", "pictures"), slog.String("directory", o.Dir))
	return nil
}

type demo struct {
	streams.Streams
	*Options
}

func (d demo) path(name string) string { return filepath.Join(d.Dir, name) }

// say tells the command that does what comes next.
func (d demo) say(format string, args ...any) {
	command := fmt.Sprintf(format, args...)
	d.Console.Note("\n$ "+command, slog.String("event", "command"), slog.String("command", command))
}

// tables writes the example table whole, its split, and its two parts, of which
// it returns the one to test on.
func (d demo) tables() (heldOut *table.Table, err error) {
	if err := os.MkdirAll(d.Dir, 0o777); err != nil {
		return nil, err
	}
	whole, err := example.Table()
	if err != nil {
		return nil, err
	}
	test := example.Test(whole)
	training, heldOut := whole.Split(test)
	for name, write := range map[string]func(io.Writer) error{
		"borehole.csv": writer(whole),
		"train.csv":    writer(training),
		"test.csv":     writer(heldOut),
		"split.csv": func(w io.Writer) error {
			return tablefile.Write(w, []string{"test"}, []tablefile.Values{tablefile.Bools(test)})
		},
	} {
		if err := aside.WriteFile(d.path(name), write); err != nil {
			return nil, err
		}
	}
	return heldOut, nil
}

func writer(t *table.Table) func(io.Writer) error {
	return func(w io.Writer) error {
		var columns []tablefile.Values
		for _, name := range t.Names() {
			values, _ := t.Column(name)
			columns = append(columns, tablefile.Floats(values))
		}
		return tablefile.Write(w, t.Names(), columns)
	}
}

// pictures draws the predictions of the test rows.
func (d demo) pictures(ctx context.Context, file string, heldOut *table.Table) error {
	m, err := model.Load(file)
	if err != nil {
		return err
	}
	p, err := m.Predict(ctx, heldOut, model.PredictOptions{Workers: d.Workers})
	if err != nil {
		return err
	}
	y, _ := heldOut.Column(example.Target)
	outcomes := plot.Outcomes{Observed: y, Mean: p.Mean, Predicted: p.Distributions(), Target: example.Target, Unit: example.Unit}
	for name, draw := range map[string]func(io.Writer) error{
		"predicted.svg":   func(w io.Writer) error { return plot.Predicted(w, outcomes) },
		"calibration.svg": func(w io.Writer) error { return plot.Calibration(w, outcomes.PIT()) },
	} {
		if err := aside.WriteFile(d.path(name), draw); err != nil {
			return err
		}
	}
	return nil
}
