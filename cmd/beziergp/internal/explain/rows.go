package explain

import (
	"slices"

	"beziergp/cmd/beziergp/internal/apply"
	"beziergp/cmd/beziergp/internal/sink"
	"beziergp/explain"
	"beziergp/table"
	"beziergp/table/exact"
	"beziergp/tablewriter"
)

// rows writes the values of every row.
type rows struct {
	*Options
	names []string
	out   *sink.Sink // nil where nobody asks for them
	w     tablewriter.Writer
}

// names returns those of the columns that are written. A column that has the name of one
// before it gets a number.
func names(columns []string, interactions, estimated bool) []string {
	all := []string{"row", "base"}
	add := func(name string) {
		all = append(all, table.FreeName(name, func(name string) bool { return slices.Contains(all, name) || name == "prediction" }))
	}
	for _, name := range columns {
		add(name)
	}
	if estimated {
		for _, name := range columns {
			add(name + "_std_error")
		}
	}
	if interactions {
		for _, pair := range explain.Pairs(len(columns)) {
			add(columns[pair[0]] + "*" + columns[pair[1]])
		}
	}
	return append(all, "prediction")
}

func (r *rows) write(a *explain.Attributions, b *apply.Block) error {
	if r.out == nil {
		return nil
	}
	n := len(a.Prediction)
	if r.w == nil { // not before the table is found to be one
		fields := make([]tablewriter.Field, len(r.names))
		for i, name := range r.names {
			fields[i] = tablewriter.Field{Name: name, Kind: exact.Kind{Type: exact.Number}}
		}
		fields[0].Kind.Type = exact.Integer
		var err error
		if r.w, err = tablewriter.New(r.out, r.format(), fields...); err != nil {
			return err
		}
	}
	base := make([]float64, n)
	for i, v := range a.Prediction {
		base[i] = a.Base
		if v != v {
			base[i] = v
		}
	}
	columns := []*exact.Column{exact.Integers(b.Rows), exact.Numbers(base)}
	for _, values := range [][]float64{a.Values, a.Errors, a.Interactions} {
		width := len(values) / max(1, n)
		for k := range width {
			own := make([]float64, n)
			for i := range own {
				own[i] = values[i*width+k]
			}
			columns = append(columns, exact.Numbers(own))
		}
	}
	return r.w.Write(append(columns, exact.Numbers(a.Prediction))...)
}

// close ends the file, which appears where all went well.
func (r *rows) close(err error) error {
	if r.out == nil || err != nil && (r.w == nil || r.format().Binary()) {
		return err
	}
	if r.w != nil {
		if closed := r.w.Close(); err == nil {
			err = closed
		}
	}
	if err != nil {
		return err
	}
	return r.out.Commit()
}
