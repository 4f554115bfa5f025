package apply

import (
	"context"
	"slices"

	"beziergp/cmd/beziergp/internal/exit"
	"beziergp/cmd/beziergp/internal/option"
	"beziergp/cmd/beziergp/internal/streams"
	"beziergp/cmd/beziergp/internal/wait"
	"beziergp/internal/printable"
	"beziergp/serve"
)

// AddOutput declares the flag that names one of a model's targets.
func AddOutput(section option.Section, dst *string) {
	section.Flags.StringVar(dst, "output", "", "of a model of several targets: the `NAME` of the one that is meant")
}

// LoadOutputs reads the models of all targets of a file, or of the one that is named, of any
// kind, and notes that a file of an older version has no digest. Errors about its content are
// [model.FileError]s. A done ctx ends waiting for a pipe.
func LoadOutputs(ctx context.Context, s streams.Streams, path, output string) ([]serve.Model, error) {
	all, err := wait.For(ctx, func() ([]serve.Model, error) { return serve.LoadOutputs(path) })
	if err != nil {
		return nil, err
	}
	if !all[0].Origin().Sealed {
		s.Console.NoteUnsealed(path)
	}
	if output == "" {
		return all, nil
	}
	i := slices.IndexFunc(all, func(m serve.Model) bool { return m.Target().Name == output })
	if i < 0 {
		return nil, exit.Dataf("--output: there is no target %s in %s; there are %s", printable.Quoted(output), path, classList(Targets(all)))
	}
	return all[i : i+1], nil
}

// Load is [LoadOutputs] where one model is needed.
func Load(ctx context.Context, s streams.Streams, path, output string) (serve.Model, error) {
	all, err := LoadOutputs(ctx, s, path, output)
	if err != nil {
		return nil, err
	}
	if len(all) > 1 {
		return nil, exit.Dataf("%s holds models of %d targets, and one is needed: give --output, one of %s", path, len(all), classList(Targets(all)))
	}
	return all[0], nil
}

// Targets returns the targets' names.
func Targets(models []serve.Model) (names []string) {
	for _, m := range models {
		names = append(names, m.Target().Name)
	}
	return names
}
