// Package source reads the rows of a table that the command line asks for: the
// marked ones, the first ones, from a file or from standard input.
package source

import (
	"errors"
	"fmt"
	"os"
	"slices"

	"github.com/spf13/cobra"

	"beziergp/cmd/beziergp/internal/exit"
	"beziergp/cmd/beziergp/internal/option"
	"beziergp/cmd/beziergp/internal/sink"
	"beziergp/table"
	"beziergp/table/cell"
	"beziergp/tablefile"
)

// Mask is the column of a file that marks test rows.
type Mask struct {
	Path, Column string
}

// Options choose the rows of a table.
type Options struct {
	Mask Mask
	Rows int // the first so many of those marked; 0 for all
	// Kinds are those of columns for which they are not to be inferred; a column
	// may be dropped, [option.Drop].
	Kinds map[string]table.Kind
	// Needed are columns that cannot be dropped, as a target; no error advises it.
	Needed []string `json:"-"`
	// Missing are the words for a missing value; nil for the default ones, or a model's.
	Missing *cell.Words `json:",omitempty"`
	// Holdout is the share of the rows that are marked at random, in the place of a mask;
	// 0 for none.
	Holdout float64
	// Group and Time name the column by which this share is held out: whole groups, or the
	// last rows in time; empty for neither.
	Group string `json:",omitempty"`
	Time  string `json:",omitempty"`
	// Valid are rows to choose by, of a second table or marked.
	Valid Valid `json:",omitzero"`
	// From is the URL of a database and Query what it is asked for, in the place of a
	// file.
	From, Query string
}

// Arguments wants one argument a name, and DATA behind them unless there is a
// database in its place.
func (o *Options) Arguments(names ...string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		switch {
		case o.Holdout > 0 && o.Mask.Path != "":
			return errors.New("--holdout and --test-mask contradict each other")
		case o.Group != "" && o.Time != "":
			return errors.New("--group and --time contradict each other: rows are split by groups or along the time")
		case (o.From == "") != (o.Query == ""):
			return errors.New("--from and --query go together: the database's URL and what it is asked for")
		case o.From != "" && len(args) == len(names)+1:
			return fmt.Errorf("--from and %q are two sources of rows: leave one out", args[len(names)])
		case o.From != "":
			return option.Arguments(names...)(cmd, args)
		}
		if len(args) > len(names)+1 {
			if err := several(args[len(names):]); err != nil {
				return err
			}
		}
		return option.Arguments(append(slices.Clone(names), "DATA")...)(cmd, args)
	}
}

// Data returns argument i, or nothing where a database is in its place.
func Data(args []string, i int) string {
	if i < len(args) {
		return args[i]
	}
	return ""
}

// AddTo declares the flags. marked is what the mask has at rows that the verb takes,
// and holdout says what it does with the share that is held out.
func (o *Options) AddTo(s option.Section, marked, holdout string) {
	s.Flags.Var(option.New(&o.Mask, "FILE:COL", parseMask), "test-mask",
		"take the rows that column COL of the file FILE marks with "+marked)
	s.Flags.Var(option.Share(&o.Holdout), "holdout", holdout)
	s.Flags.StringVar(&o.From, "from", "", "read `URL`, not DATA: sqlite:PATH or postgres://USER@HOST/NAME")
	s.Flags.StringVar(&o.Query, "query", "", "the `SQL` SELECT that tells which rows, and in which order")
	s.Flags.Var(option.Rows(&o.Rows), "rows", "take only the first so many of these rows")
}

// AddSplit declares the flags that say how a share is held out, which is all that they
// do for a verb that learns nothing.
func (o *Options) AddSplit(s option.Section, group, time string) {
	s.Flags.StringVar(&o.Group, "group", "", group)
	s.Flags.StringVar(&o.Time, "time", "", time)
}

// CheckSplit refuses flags that say how a share is held out where none is.
func (o *Options) CheckSplit() error {
	if flag := o.by(); flag != "" && o.Holdout == 0 {
		return exit.Usagef("--%s says how --holdout takes rows, and there is none: leave it out, or give both as fit was given them", flag)
	}
	return nil
}

// Scored returns the options for reading the rows held out again.
func (o Options) Scored() Options {
	o.Valid = Valid{}
	return o
}

// by returns the flag that says how a share is held out; empty where rows are drawn.
func (o *Options) by() string {
	switch {
	case o.Group != "":
		return "group"
	case o.Time != "":
		return "time"
	}
	return ""
}

// AddKinds declares the flags for verbs that infer what columns hold.
func (o *Options) AddKinds(s option.Section) {
	o.Kinds = map[string]table.Kind{}
	s.Flags.Var(option.Missing(&o.Missing), "na", "words for no value, '' for none (default NA, None, …)")
	s.Flags.Var(option.Kinds(o.Kinds), "column", "numeric, boolean, category, datetime or drop; repeatable")
}

// Reads returns the files that a table is read from.
func (o Options) Reads(data string) []sink.File {
	paths := Files(data)
	files := sink.Reads("DATA", paths...)
	if len(paths) != 1 || paths[0] != data {
		files = append(files, sink.File{What: "DATA", Path: data, Pattern: true})
	}
	files = append(files, sink.Reads("--test-mask", o.Mask.Path)...)
	if o.Valid.Path != "" {
		files = append(files, sink.Reads("--valid", Files(o.Valid.Path)...)...)
	}
	return append(files, sink.Reads("--from", tablefile.DatabaseFiles(o.From)...)...)
}

// CheckPipes refuses a pipe that would have to be read twice. twice is what reads the
// table a second time; empty for nothing.
func (o Options) CheckPipes(data, twice string) error {
	if by := o.by(); twice == "" && by != "" && o.Holdout > 0 {
		twice = "--holdout with --" + by
	}
	files := Files(data)
	for _, path := range files {
		if info, err := os.Stat(path); path != "-" && (err != nil || info.Mode().IsRegular() || info.IsDir()) {
			continue
		}
		var why string
		switch {
		case twice != "":
			why = twice + " reads the table more than once"
		case len(files) > 1:
			why = "of several files each is opened twice"
		case path != "-" && same(o.Mask.Path, path):
			why = "--test-mask reads it a second time"
		default:
			continue
		}
		return exit.Usagef("%s is a pipe or a device, which can be read once, and %s: write it to a file and give that", Name(path), why)
	}
	return nil
}

func parseMask(text string) (Mask, error) {
	path, column, err := tablefile.ParseMask(text)
	return Mask{path, column}, err
}

// ColumnIn returns the name of the mask's column where it is one of the table's
// file, and "" where it is not.
func (m Mask) ColumnIn(path string) string {
	if m.Path != "" && same(m.Path, path) {
		return m.Column
	}
	return ""
}

func same(a, b string) bool {
	infoA, errA := os.Stat(a)
	infoB, errB := os.Stat(b)
	return errA == nil && errB == nil && os.SameFile(infoA, infoB)
}
