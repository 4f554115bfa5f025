package describe

import (
	"context"
	"fmt"
	"io"
	"slices"

	"golang.org/x/term"

	"beziergp/cmd/beziergp/internal/alike"
	"beziergp/cmd/beziergp/internal/sink"
	"beziergp/cmd/beziergp/internal/source"
	"beziergp/cmd/beziergp/internal/streams"
	"beziergp/dataset"
	"beziergp/internal/printable"
	"beziergp/table"
	"beziergp/tablefile"
)

// Run prints what is in the table data.
func Run(ctx context.Context, s streams.Streams, data string, o *Options) error {
	if err := o.Source.CheckSplit(); err != nil {
		return err
	}
	if err := sink.Apart(s.In, s.Out, o.Source.Reads(data)...); err != nil {
		return err
	}
	t, err := source.Open(ctx, data, o.Source, false, s, "reading", nil)
	if err != nil {
		return err
	}
	defer t.Close()
	if names := t.Names(); o.Target != "" && !slices.Contains(names, o.Target) {
		unknown := table.Unknown(o.Target, names)
		return &tablefile.Error{File: source.Name(data), Column: o.Target, Problem: "there is no such column",
			Remedy: unknown.Hint(), Err: unknown}
	}
	memory := o.Memory
	if memory == 0 {
		memory = source.DefaultMemory()
	}
	rows, all, err := t.ReadSample(ctx, memory/source.ShareOfValues)
	if err != nil {
		return err
	}
	s.Console.EndProgress()
	d, err := describe(ctx, rows, o.Target, o.Source.Kinds)
	if err != nil {
		return err
	}
	d.File, d.Rows, d.Described = source.Name(data), all, rows.Rows()
	if !o.JSON {
		return d.print(s.Out, width(s.Out), o.All)
	}
	encoder := printable.Encoder(s.Out)
	encoder.SetIndent("", "  ")
	return encoder.Encode(d)
}

// width returns that of a terminal, 0 where there is none.
func width(out io.Writer) int {
	if around, ok := out.(interface{ Unwrap() io.Writer }); ok {
		out = around.Unwrap()
	}
	file, ok := out.(interface{ Fd() uintptr })
	if !ok {
		return 0
	}
	columns, _, err := term.GetSize(int(file.Fd()))
	if err != nil {
		return 0
	}
	return columns
}

// description is what describe prints; programs rely on the names.
type description struct {
	File string `json:"file"`
	Rows int    `json:"rows"`
	// Described are the rows that the rest is about: all, or a sample of those that memory
	// does not hold.
	Described    int           `json:"described_rows"`
	Repeated     int           `json:"repeated_rows"` // that equal one before them
	Columns      []column      `json:"columns"`
	Correlations *correlations `json:"correlations"`
	Warnings     []warning     `json:"warnings"`
}

type warning struct {
	Column string `json:"column"`
	About  string `json:"about"`
	Text   string `json:"text"`
}

// describe looks at every column, at every one beside the target, and at pairs.
func describe(ctx context.Context, t *table.Table, target string, kinds map[string]table.Kind) (*description, error) {
	names := t.Names()
	d := &description{Columns: make([]column, len(names)), Repeated: repeatedRows(t), Warnings: []warning{}}
	remarks, sums := make([][]warning, len(names)), make([]uint64, len(names))
	err := each(ctx, len(names), func(j int) {
		f, _ := t.Field(names[j])
		values, _ := t.Column(names[j])
		c, sorted := newColumn(f, values)
		d.Columns[j], sums[j] = c, hashColumn(c, values)
		if about, text := remark(c, values, sorted, dataset.AsTexts(f)); about != "" {
			remarks[j] = append(remarks[j], warning{c.Name, about, text})
		}
		if c.Name == target && len(sorted) > 0 {
			for _, text := range aboutTarget(c, f, sorted) {
				remarks[j] = append(remarks[j], warning{c.Name, "target", text})
			}
		}
	})
	if err != nil {
		return nil, err
	}
	d.Warnings = append(d.Warnings, slices.Concat(remarks...)...)
	d.findRepeated(sums, target)
	d.findJoined(t, target, kinds)
	if d.Correlations, err = relate(ctx, t, target); err != nil {
		return nil, err
	}
	for _, l := range d.Correlations.Target {
		if text := l.leak(); text != "" {
			d.Warnings = append(d.Warnings, warning{l.Column, "leak", text})
		}
	}
	if f, ok := t.Field(target); ok && f.Kind != table.Category && f.Kind != table.DateTime {
		for _, c := range alike.Find(t, target) {
			d.Warnings = append(d.Warnings, warning{c.Name, "near copies", c.Text()})
		}
	}
	return d, nil
}

// findRepeated warns of inputs that tell the same as one before them.
func (d *description) findRepeated(sums []uint64, target string) {
	first := map[uint64]string{}
	for j, c := range d.Columns {
		switch earlier, repeats := first[sums[j]]; {
		case c.Distinct < 2, c.known < few, c.Name == target: // warned of otherwise, or alike by chance
		case repeats:
			d.Warnings = append(d.Warnings, warning{c.Name, "repeated", fmt.Sprintf("tells the same in every row as %s: leave one out by --exclude", printable.Quoted(earlier))})
		default:
			first[sums[j]] = c.Name
		}
	}
}
