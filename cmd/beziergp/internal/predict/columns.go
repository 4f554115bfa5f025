package predict

import (
	"fmt"
	"math"
	"slices"

	"beziergp/cmd/beziergp/internal/apply"
	"beziergp/cmd/beziergp/internal/exit"
	"beziergp/cmd/beziergp/internal/source"
	"beziergp/model"
	"beziergp/table/exact"
	"beziergp/tablefile"
)

// names returns those of the columns, in order: what finds a row again, and its prediction.
func (o *Options) names(t target) []string {
	point := o.Point
	if point == "" {
		point = model.MeanPoint
	}
	var names []string
	if o.numbered() {
		names = append(names, "row")
	}
	names = append(names, o.Keep...)
	for _, of := range t.prefixes() {
		if t.classes != nil {
			names = append(names, t.names(o)...)
			continue
		}
		names = append(names, of+string(point), of+"std", of+"lower"+o.percent(), of+"upper"+o.percent())
	}
	names = append(names, "in_box")
	for _, of := range t.prefixes() {
		if o.StdF {
			names = append(names, of+"std_f")
		}
		if o.Held {
			names = append(names, of+"held")
		}
		for _, q := range o.Quantiles {
			names = append(names, fmt.Sprintf("%sq%g", of, q))
		}
	}
	return append(names, o.countNames()...)
}

// percent is what names have of a level that was asked for.
func (o *Options) percent() string {
	if o.Level == 0 {
		return ""
	}
	return apply.Percent(o.Level)
}

// numbered tells whether rows have their number.
func (o *Options) numbered() bool { return o.Row || len(o.Keep) > 0 }

// checkNames refuses columns of one name.
func (o *Options) checkNames(t target) error {
	names := o.names(t)
	for i, name := range names {
		if slices.Contains(names[:i], name) || name == "" {
			return exit.Usagef("--keep: two columns of the predictions would be called %q, of %q; rename the column in the table, or do not keep it", name, names)
		}
	}
	return nil
}

// columns are those of predictions.
type columns struct {
	*Options
	target target
	file   string       // whose rows they are
	kinds  []exact.Kind // of columns to keep; nil where the table has types
	parsed []exact.Column
	rows   int // before the block
	slopes *slopes
}

// of returns the columns of a block. They hold parts of it.
func (c *columns) of(b *apply.Block) ([]*exact.Column, error) {
	var all []*exact.Column
	if c.numbered() {
		all = append(all, exact.Integers(b.Rows))
	}
	kept, err := c.kept(b)
	if err != nil {
		return nil, err
	}
	for k := range kept {
		all = append(all, &kept[k])
	}
	if c.target.classes != nil {
		all = append(all, c.target.columns(c.Options, b)...)
	} else {
		for _, p := range b.Outputs {
			for _, v := range [][]float64{p.Point, p.Std, p.Lower, p.Upper} {
				all = append(all, exact.Numbers(v))
			}
		}
	}
	all = append(all, exact.Truths(b.InBox))
	for _, p := range b.Outputs {
		more, err := c.more(p)
		if err != nil {
			return nil, err
		}
		all = append(all, more...)
	}
	all = append(all, c.counts(b)...)
	if c.slopes != nil {
		own, err := c.slopes.of(b)
		if err != nil {
			return nil, err
		}
		all = append(all, own...)
	}
	c.rows += len(b.Mean)
	return all, nil
}

// more returns what else is asked for of a target.
func (c *columns) more(p *model.Predictions) (all []*exact.Column, err error) {
	if c.StdF {
		all = append(all, exact.Numbers(p.StdF))
	}
	if c.Held {
		held := make([]string, len(p.Clamped))
		for i, clamped := range p.Clamped {
			held[i] = clamped.String()
		}
		all = append(all, exact.Texts(held))
	}
	for _, q := range c.Quantiles {
		quantiles := make([]float64, len(p.Mean))
		for i := range quantiles {
			quantiles[i] = p.Distribution(i).Quantile(q)
			if math.IsInf(quantiles[i], 0) {
				return nil, &model.RowError{Row: c.rows + i + 1, Err: fmt.Errorf("the quantile %g overflows; ask for one nearer to 0.5, or tell the target's --range", q)}
			}
		}
		all = append(all, exact.Numbers(quantiles))
	}
	return all, nil
}

// kept returns the columns to keep, with the types that they have as a whole.
func (c *columns) kept(b *apply.Block) ([]exact.Column, error) {
	if c.kinds == nil {
		return b.Kept, nil
	}
	for k := range b.Kept {
		if bad := exact.Parse(&c.parsed[k], c.kinds[k], &b.Kept[k]); bad >= 0 {
			return nil, &tablefile.Error{File: source.Name(c.file), Row: int(b.Rows[bad]), Column: c.Keep[k], Value: b.Kept[k].Texts[bad],
				Problem: "the column held other values when its type was found", Remedy: "read the table again when it is complete"}
		}
	}
	return c.parsed, nil
}
