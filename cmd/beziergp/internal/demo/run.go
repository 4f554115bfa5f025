package demo

import (
	"bytes"
	"context"
	"encoding/json"
	"log/slog"
	"path/filepath"
	"slices"
	"strconv"

	"github.com/spf13/cobra"

	"beziergp/cmd/beziergp/internal/eval"
	"beziergp/cmd/beziergp/internal/exit"
	"beziergp/cmd/beziergp/internal/fit"
	"beziergp/cmd/beziergp/internal/predict"
	"beziergp/cmd/beziergp/internal/shell"
	"beziergp/cmd/beziergp/internal/streams"
	"beziergp/example"
)

// Run runs the verbs one after the other, each by the command line that it says.
func Run(ctx context.Context, s streams.Streams, o *Options) error {
	if o.Dir == "" {
		return exit.Usagef("--dir is empty: name a directory")
	}
	d := demo{Streams: s, Options: o}
	files, err := inputs()
	if err != nil {
		return err
	}
	if err := d.apart(files); err != nil {
		return err
	}
	if err := d.claim(files); err != nil {
		return err
	}
	if err := d.write(files); err != nil {
		return err
	}
	train, test, model := d.path("train.csv"), d.path("test.csv"), d.path("model.bgp")
	if err := d.run(ctx, s, fit.Command, train, "--target", example.Target, "--effort", "fast", "--out", model); err != nil {
		return err
	}
	if err := d.run(ctx, s, eval.Command, model, test); err != nil {
		return err
	}
	if err := d.run(ctx, s, predict.Command, model, test, "--out", d.path("predictions.csv")); err != nil {
		return err
	}
	process, err := d.rival(ctx, "--method", "sgpr", "--inducing", "50")
	if err != nil {
		return err
	}
	line, err := d.rival(ctx, "--method", "linear")
	if err != nil {
		return err
	}
	reached, err := d.reach(ctx, model)
	if err != nil {
		return err
	}
	if err := d.pictures(ctx, reached.outcomes); err != nil {
		return err
	}
	d.conclude(reached, process, line)
	return nil
}

type demo struct {
	streams.Streams
	*Options
}

func (d demo) path(name string) string { return filepath.Join(d.Dir, name) }

// picture returns the path of a picture.
func (d demo) picture(name string) string { return d.path(name + "." + string(d.Pictures)) }

// run says a command and runs it.
func (d demo) run(ctx context.Context, s streams.Streams, verb func(*streams.Streams) *cobra.Command, args ...string) error {
	cmd := verb(&s)
	if d.Workers > 0 {
		args = append(args, "--workers", strconv.Itoa(d.Workers))
	}
	command := shell.Line(append([]string{"beziergp", cmd.Name()}, args...))
	d.Console.Note("\n$ "+command, slog.String("event", "command"), slog.String("command", command))
	cmd.SilenceErrors, cmd.SilenceUsage = true, true
	cmd.SetArgs(args)
	return cmd.ExecuteContext(ctx)
}

// scores are some of those that eval prints.
type scores struct{ RMSE, NLPD float64 }

// rival fits another method, args[1], to compare with and returns how it scores. What
// its commands say but for warnings is left out.
func (d demo) rival(ctx context.Context, args ...string) (report scores, err error) {
	var out bytes.Buffer
	said := *d.Console
	said.Quiet = true
	s := streams.Streams{In: d.In, Out: &out, Console: &said}
	model := d.path(args[1] + ".bgp")
	if err := d.run(ctx, s, fit.Command, slices.Concat([]string{d.path("train.csv"), "--target", example.Target}, args, []string{"--out", model})...); err != nil {
		return report, err
	}
	if err := d.run(ctx, s, eval.Command, model, d.path("test.csv"), "--json"); err != nil {
		return report, err
	}
	return report, json.Unmarshal(out.Bytes(), &report)
}
