package inspect

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"

	"beziergp/internal/printable"
	"beziergp/rival"
)

// other is what inspect prints of a model of another method.
type other struct {
	*common
	Method       string          `json:"method"`
	HoldsRows    bool            `json:"holds_rows"`
	Numbers      int             `json:"numbers"`
	NumbersOfRow int             `json:"numbers_of_row"`
	Training     rival.Training  `json:"training"`
	Learned      json.RawMessage `json:"learned"`
}

func describeRival(m *rival.Model, all *common) other {
	if noise, told := m.Noise(); told {
		all.Noise = &noise
	}
	all.law(m)
	method, _ := rival.Find(m.Method())
	d := other{common: all, Method: m.Method(), HoldsRows: method.KeepsRows, Training: m.Training(), Learned: m.Learned()}
	d.Numbers, d.NumbersOfRow = m.Numbers()
	return d
}

func (d other) print(w io.Writer, o Options) error {
	return d.common.print(w, o, d.from, d.detail)
}

// from writes from what the model was learned.
func (d other) from(w io.Writer) {
	rows := fmt.Sprintf("%d rows", d.Training.Rows)
	if d.HoldsRows {
		rows += ", which the file holds"
	}
	if d.Training.Dropped > 0 {
		rows += fmt.Sprintf("; %d without a target were left out", d.Training.Dropped)
	}
	fmt.Fprintf(w, "learned from\t%s\n", rows)
	fmt.Fprintf(w, "learned by\tmethod %s\n", printable.Name(d.Method))
	if d.Noise != nil {
		fmt.Fprintf(w, "noise\tdeviation %.6g\n", *d.Noise)
	}
}

// detail writes the machine's part.
func (d other) detail(w io.Writer) {
	fmt.Fprintf(w, "numbers\t%d, and %d a row\n", d.Numbers, d.NumbersOfRow)
	var learned map[string]json.RawMessage
	_ = json.Unmarshal(d.Learned, &learned) // an object, or the model would not have been read
	for _, name := range slices.Sorted(maps.Keys(learned)) {
		fmt.Fprintf(w, "%s\t%s\n", printable.Name(name), printable.Line(string(learned[name])))
	}
	fmt.Fprint(w, "\ninput\tlowest\thighest\tbounds\n")
	for _, in := range d.Inputs {
		fmt.Fprintf(w, "%s\t%.6g\t%.6g\t%s\n", printable.Name(in.Name), in.Lo, in.Hi, in.bounds())
	}
	fmt.Fprintln(w)
}
