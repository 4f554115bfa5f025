// Package bench is the verb that reruns the paper's experiments beside rivals.
package bench

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"beziergp/bench/suite"
	"beziergp/cmd/beziergp/internal/exit"
	"beziergp/cmd/beziergp/internal/option"
	"beziergp/cmd/beziergp/internal/streams"
	"beziergp/plot/canvas"
)

// Options are the flags of bench.
type Options struct {
	Data      string
	Out       string
	Published string
	Work      string
	Pictures  canvas.Format

	Sets      []string // nil for all
	Methods   []string // nil for those of the suite
	Splits    int      // 0 for the suite's number
	Seed      uint64
	Workers   int           // 0 for all processors
	TimeLimit time.Duration // 0 for none
	Retry     bool
	Again     bool
}

// Command returns the verb.
func Command(s *streams.Streams) *cobra.Command {
	all := suite.All()
	var abouts []string
	for _, one := range all {
		abouts = append(abouts, fmt.Sprintf("  %-13s %s", one.Name, one.About))
	}
	names := append(suite.Names(), "prepare", "report")
	cmd := &cobra.Command{
		Use:   "bench SUITE",
		Short: "Rerun the paper's experiments beside rivals",
		Long: `Fit every method of a suite on every split of its data sets, each fit by the
commands fit and eval in processes of their own, and write what came of it as a
page, tables and pictures. The suites:

` + strings.Join(abouts, "\n") + `

and report, which renders the records that there are and fits nothing, and prepare,
which makes tables ready and tells where they are.

Data sets lie in a folder of yours, --data: NAME/data.csv.gz, with the target in
the column y, and NAME/test_mask.csv.gz, whose columns split0, split1, … mark test
rows with 1; the data may be .csv or .parquet too, the mask .csv. Where there is none, three
are drawn. A set that is not there is passed over.

Every finished fit is a line of JSON in OUT/SUITE.jsonl. A run that is interrupted,
or killed, goes on from there with the same command. The page is OUT.md; OUT holds
SUITE.csv and the pictures besides the records. With --again fits that have a record are
made once more, and compared with it: their records go to OUT/again/SUITE.jsonl.`,
		Example: `
  beziergp bench uci --data DIR --out docs/benchmarks
  beziergp bench uci --data DIR --sets energy,boston --methods auto,linear --splits 1
  beziergp bench report --out docs/benchmarks --published published.csv`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 0 {
				return fmt.Errorf("there is no suite %q; there are %s", args[0], strings.Join(names, ", "))
			}
			return fmt.Errorf("name a suite: %s", strings.Join(names, ", "))
		},
		RunE: func(*cobra.Command, []string) error { return nil }, // without it, Args is not asked
	}
	for _, one := range all {
		cmd.AddCommand(suiteCommand(s, one))
	}
	cmd.AddCommand(prepareCommand(s), reportCommand(s))
	return cmd
}

// newOptions returns the documented defaults.
func newOptions() *Options { return &Options{Out: "beziergp-bench", Pictures: canvas.SVG} }

// work returns the folder for tables that are made.
func (o *Options) work() string {
	if o.Work != "" {
		return o.Work
	}
	dir, err := os.UserCacheDir()
	if err != nil {
		dir = os.TempDir()
	}
	return filepath.Join(dir, "beziergp", "bench")
}

func suiteCommand(s *streams.Streams, one suite.Suite) *cobra.Command {
	o := newOptions()
	usual, more := one.MethodKeys()
	methods := "  " + strings.Join(usual, ", ")
	if len(more) > 0 {
		methods += "\n\nand, when asked for,\n\n  " + strings.Join(more, ", ")
	}
	if one.Notes != "" {
		methods += ".\n\n" + strings.TrimSuffix(one.Notes, ".")
	}
	cmd := &cobra.Command{
		Use:   one.Name,
		Short: strings.ToUpper(one.About[:1]) + one.About[1:],
		Long: fmt.Sprintf("Fit %s.\nThe sets are\n\n  %s\n\nand the methods\n\n%s.\n\nSee 'beziergp bench --help' for what is read and written.",
			one.About, strings.Join(one.SetNames(), ", "), methods),
		Args: option.Arguments(),
		RunE: exit.Run(func(cmd *cobra.Command, _ []string) error {
			if o.Again && (cmd.Flags().Changed("published") || cmd.Flags().Changed("pictures")) {
				return exit.Usagef("--again compares fits and writes no page: leave out --published and --pictures")
			}
			return o.run(cmd.Context(), *s, one)
		}),
	}
	choice := option.NewSection("What to fit")
	o.addTables(choice)
	choice.Flags.StringSliceVar(&o.Methods, "methods", nil, "the methods `A,B`, by these short names or by those in the tables (default the first ones above)")
	choice.Flags.Var(option.Count(&o.Splits), "splits", "splits of a set, as many as it has at most (default the suite's number)")
	choice.Flags.Var(option.Seed(&o.Seed), "seed", "start of the random numbers of every fit (default 0)")

	running := option.NewSection("Running")
	running.Flags.Var(option.Workers(&o.Workers), "workers", "processors to use (default all)")
	running.Flags.Var(option.Duration(&o.TimeLimit), "time-limit", "time after which a fit is given up and recorded as failed (default none)")
	running.Flags.BoolVar(&o.Retry, "retry", false, "make fits again that have failed")
	running.Flags.BoolVar(&o.Again, "again", false, "make those fits again that OUT has records of, and tell which scores are others; the records go to OUT/again")
	option.Attach(cmd, choice, o.results(), running)
	return cmd
}

func reportCommand(s *streams.Streams) *cobra.Command {
	o := newOptions()
	cmd := &cobra.Command{
		Use:   "report",
		Short: "Render the records that there are",
		Long: `Render the page, the tables and the pictures from all records in OUT/*.jsonl,
whatever program wrote them. Equal records make an equal page.`,
		Args: option.Arguments(),
		RunE: exit.Run(func(_ *cobra.Command, _ []string) error { return o.render(*s) }),
	}
	option.Attach(cmd, o.results())
	return cmd
}

// addTables declares the flags about what is read.
func (o *Options) addTables(s option.Section) {
	s.Flags.StringVar(&o.Data, "data", "", "`DIR` of the data sets")
	s.Flags.StringVar(&o.Work, "work", "", "`DIR` for tables that are made; it may be removed afterwards (default beziergp/bench in your cache folder)")
	s.Flags.StringSliceVar(&o.Sets, "sets", nil, "the sets `A,B` (default all)")
}

// results declares the flags about what is written.
func (o *Options) results() option.Section {
	results := option.NewSection("Results")
	results.Flags.StringVarP(&o.Out, "out", "o", o.Out, "`DIR` for records, tables and pictures; the page is DIR.md")
	results.Flags.Var(option.Choice(&o.Pictures, canvas.SVG, canvas.PNG), "pictures", "the format of the pictures: svg or png")
	results.Flags.StringVar(&o.Published, "published", "", "CSV `FILE` of published figures to show beside: set,method,rmse,rmse_sd,ll,ll_sd,units,source")
	return results
}
