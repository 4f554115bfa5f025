package sensitivity

import (
	"cmp"
	"context"
	"runtime"
	"slices"
	"strings"

	"beziergp/analysis"
	"beziergp/cmd/beziergp/internal/apply"
	"beziergp/cmd/beziergp/internal/console"
	"beziergp/cmd/beziergp/internal/exit"
	"beziergp/cmd/beziergp/internal/laws"
	"beziergp/cmd/beziergp/internal/sink"
	"beziergp/cmd/beziergp/internal/streams"
	"beziergp/internal/printable"
	"beziergp/model"
	"beziergp/serve"
)

// Run tells the sensitivities of a model from a file.
func Run(ctx context.Context, s streams.Streams, file string, o *Options) error {
	if err := o.Laws.Check(); err != nil {
		return err
	}
	if o.JSON && o.Out == sink.Stdout {
		return exit.Usagef("--json and --out - both write to standard output; give --out a file")
	}
	if o.Samples > 0 && o.Samples < analysis.Replicates {
		return exit.Usagef("--samples %d: there must be at least %d, one a replicate", o.Samples, analysis.Replicates)
	}
	if err := sink.Apart(s.In, s.Out, append(sink.Reads("MODEL", file), sink.Writes("--out", o.Out))...); err != nil {
		return err
	}
	loaded, err := apply.LoadFunction(ctx, s, file, o.Output, o.Class, "sensitivity")
	if err != nil {
		return err
	}
	var f *found
	if m, closed := loaded.(*model.Model); closed {
		f, err = o.decompose(ctx, s, file, m)
	} else {
		f, err = o.estimate(ctx, s, file, loaded)
	}
	s.Console.EndProgress()
	if err != nil {
		return err
	}
	if o.Out != "" {
		names, columns := f.columns()
		if err := sink.WriteTable(ctx, o.Out, s.Out, names, columns...); err != nil {
			return err
		}
	}
	switch {
	case o.JSON:
		encoder := printable.Encoder(s.Out)
		encoder.SetIndent("", "  ")
		return encoder.Encode(f.report())
	case o.Out == sink.Stdout:
		return nil
	}
	return f.print(s.Out, o.Top)
}

// decompose finds the indices of a Bézier process.
func (o *Options) decompose(ctx context.Context, s streams.Streams, file string, m *model.Model) (*found, error) {
	a, err := o.Laws.Analysis(s, file, m)
	if err != nil {
		return nil, err
	}
	laws.Note(s, m)
	how, err := o.sobol(s, file, a)
	if err != nil {
		return nil, err
	}
	sobol, err := a.Sobol(ctx, how)
	if err != nil {
		return nil, laws.Coded(file, err)
	}
	return &found{a: a, scale: laws.Unit(m.Target()), Sobol: sobol}, nil
}

// estimate finds the indices of a model of any kind from its predictions.
func (o *Options) estimate(ctx context.Context, s streams.Streams, file string, m serve.Model) (*found, error) {
	e, free, err := o.Laws.Estimator(s, file, apply.WithoutOffset(s, m), o.Workers)
	if err != nil {
		return nil, err
	}
	defer free()
	how, err := o.sobol(s, file, e)
	if err != nil {
		return nil, err
	}
	sobol, err := e.Sobol(ctx, how)
	if err != nil {
		return nil, laws.Coded(file, err)
	}
	f := &found{a: e, scale: m.Target().Name, meanError: &sobol.Mean.Error, Sobol: &analysis.Sobol{
		Mean: sobol.Mean.Value, Variance: sobol.Variance, Total: sobol.Total, Groups: sobol.Groups, Samples: sobol.Samples,
	}}
	for _, v := range sobol.First {
		f.First, f.firstErrors = append(f.First, v.Value), append(f.firstErrors, v.Error)
	}
	s.Console.EndProgress()
	laws.NoteEstimated(s, "indices are", e, sobol.Samples)
	return f, nil
}

// sobol returns how the variance is shared out.
func (o *Options) sobol(s streams.Streams, file string, a laws.Distributed) (analysis.SobolOptions, error) {
	groups, err := o.groups(a, file)
	const parts = 1000
	return analysis.SobolOptions{
		Samples: o.Samples, Seed: o.Seed, Workers: cmp.Or(o.Workers, runtime.GOMAXPROCS(0)), NoPairs: o.NoPairs || len(a.Inputs()) > mostPairInputs, Groups: groups,
		Progress: func(share float64) {
			s.Console.Update(console.State{Task: "sharing out the variance", Done: int64(share * parts), Total: parts, Unit: "step"})
		},
	}, err
}

// groups returns the inputs of the sets that are asked for.
func (o *Options) groups(a laws.Distributed, file string) (groups [][]int, err error) {
	for _, text := range o.Groups {
		var group []int
		for name := range strings.SplitSeq(text, ",") {
			i, err := a.Input(name)
			if err != nil {
				return nil, laws.Coded(file, err)
			}
			if slices.Contains(group, i) {
				return nil, exit.Usagef("--group %s: %q stands twice", text, name)
			}
			group = append(group, i)
		}
		if len(group) < 2 {
			return nil, exit.Usagef("--group %s: a group is of two inputs or more", text)
		}
		groups = append(groups, group)
	}
	return groups, nil
}
