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
	common
	Method       string          `json:"method"`
	HoldsRows    bool            `json:"holds_rows"`
	Numbers      int             `json:"numbers"`
	NumbersOfRow int             `json:"numbers_of_row"`
	Training     rival.Training  `json:"training"`
	Learned      json.RawMessage `json:"learned"`
}

func describeRival(m *rival.Model, all common) other {
	if noise, told := m.Noise(); told {
		all.Noise = &noise
	}
	method, _ := rival.Find(m.Method())
	d := other{common: all, Method: m.Method(), HoldsRows: method.KeepsRows, Training: m.Training(), Learned: m.Learned()}
	d.Numbers, d.NumbersOfRow = m.Numbers()
	return d
}

func (d other) print(w io.Writer) error {
	rows := ""
	if d.HoldsRows {
		rows = ", which the file holds"
	}
	return d.common.print(w, func(t io.Writer) {
		fmt.Fprintf(t, "method\t%s\n", printable.Name(d.Method))
		fmt.Fprintf(t, "training\t%d rows%s\n", d.Training.Rows, rows)
		fmt.Fprintf(t, "numbers\t%d, and %d a row\n", d.Numbers, d.NumbersOfRow)
		var learned map[string]json.RawMessage
		_ = json.Unmarshal(d.Learned, &learned) // an object, or the model would not have been read
		for _, name := range slices.Sorted(maps.Keys(learned)) {
			fmt.Fprintf(t, "%s\t%s\n", printable.Name(name), printable.Line(string(learned[name])))
		}
	}, nil)
}
