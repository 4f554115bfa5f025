// Command analysis holds what the packages analysis and explain tell against answers that are
// known, against estimates of other programs from the same fitted mean, and against rows that
// no fit has seen, and writes what came of it.
//
//	go run ./bench/cmd/analysis -data DIR -python PYTHON -out docs/analysis.md
package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"strings"

	"beziergp/bench/harness"
	"beziergp/train/auto"
)

func main() { harness.Main("analysis", run) }

// options are the flags.
type options struct {
	effort       auto.Effort
	seeds, rows  int
	data, python string
	keep         string
}

// part is a part of the page.
type part struct {
	name string
	make func(*options, context.Context, *bytes.Buffer) error
}

var parts = []part{{"integrals", (*options).integrals}, {"means", (*options).means}, {"indices", (*options).indices}, {"shapley", (*options).shapley}}

func run(ctx context.Context, flags *flag.FlagSet, args []string) error {
	o := &options{}
	effort := flags.String("effort", string(auto.Fast), "of the recipe: fast, default or best")
	flags.IntVar(&o.seeds, "seeds", 50, "repetitions of a fit")
	flags.IntVar(&o.rows, "rows", 500, "points that a function is learned from")
	flags.StringVar(&o.data, "data", "", "directory of the data sets, NAME/data.csv.gz and NAME/test_mask.csv.gz each")
	flags.StringVar(&o.python, "python", "python3", "Python with SALib, shap and xgboost")
	flags.StringVar(&o.keep, "keep", "", "directory that models of the integrals are kept in, and taken from where they are: of a run that was cut short")
	only := flags.String("parts", "", "of the page, separated by commas; by default all")
	page := harness.PageFlag(flags)
	if err := flags.Parse(args); err != nil {
		return err
	}
	var err error
	if o.effort, err = auto.ParseEffort(*effort); err != nil {
		return err
	}
	if o.seeds < 2 || o.rows < 20 {
		return errors.New("-seeds must be 2 at least, and -rows 20")
	}
	var text bytes.Buffer
	fmt.Fprintf(&text, "# What closed forms are worth\n\nMade by `go run ./bench/cmd/analysis`, %s, other programs running beside.\n", harness.System())
	for _, p := range parts {
		if *only == "" || strings.Contains(","+*only+",", ","+p.name+",") {
			if err := p.make(o, ctx, &text); err != nil {
				return err
			}
		}
	}
	return page.Write(func(w io.Writer) error { _, err := text.WriteTo(w); return err })
}
