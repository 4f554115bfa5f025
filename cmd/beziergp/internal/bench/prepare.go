package bench

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"beziergp/bench/data"
	"beziergp/bench/suite"
	"beziergp/cmd/beziergp/internal/console"
	"beziergp/cmd/beziergp/internal/exit"
	"beziergp/cmd/beziergp/internal/option"
	"beziergp/cmd/beziergp/internal/streams"
	"beziergp/internal/printable"
)

func prepareCommand(s *streams.Streams) *cobra.Command {
	o := newOptions()
	cmd := &cobra.Command{
		Use:   "prepare SUITE",
		Short: "Make a suite's tables ready and tell where they are",
		Long: `Make the tables of a suite ready: those that are generated or derived, and masks
for tables that have none. What is there already is left alone. For every set a line
of JSON tells the set, the path of the table, the mask, whose columns split0,
split1, … mark test rows with 1, the target's column and, of generated tables, the
floor: the deviation of the noise, below which no RMSE gets.`,
		Args: option.Arguments("SUITE"),
		RunE: exit.Run(func(cmd *cobra.Command, args []string) error {
			one, ok := suite.Named(args[0])
			if !ok {
				return exit.Usagef("there is no suite %q; there are %s", args[0], strings.Join(suite.Names(), ", "))
			}
			return o.prepare(cmd.Context(), *s, one)
		}),
	}
	tables := option.NewSection("Tables")
	o.addTables(tables)
	option.Attach(cmd, tables)
	return cmd
}

// prepare makes the tables of the sets that there are ready.
func (o *Options) prepare(ctx context.Context, s streams.Streams, one suite.Suite) error {
	places := data.Places{Data: o.Data, Work: o.work()}
	sets, err := o.plannedSets(s, one, places)
	if err != nil {
		return err
	}
	out := printable.Encoder(s.Out)
	for i, set := range sets {
		s.Console.Update(console.State{Task: "preparing", Done: int64(i), Total: int64(len(sets)), Unit: "set", Detail: set.Name})
		table, err := set.Source.Ready(ctx, places)
		if err != nil {
			return fmt.Errorf("%s: %w", set.Name, err)
		}
		ready := struct {
			Set string `json:"set"`
			data.Table
		}{set.Name, table}
		if err := out.Encode(ready); err != nil {
			return err
		}
	}
	return nil
}

// plannedSets returns the sets of a suite that there are.
func (o *Options) plannedSets(s streams.Streams, one suite.Suite, places data.Places) (sets []suite.Set, err error) {
	fits, err := o.plan(s, one, places)
	for _, f := range fits {
		if !slices.ContainsFunc(sets, func(known suite.Set) bool { return known.Name == f.Set.Name }) {
			sets = append(sets, f.Set)
		}
	}
	return sets, err
}
