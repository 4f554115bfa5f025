package report

import (
	"encoding/csv"
	"io"
	"math"
	"strconv"
)

// writeCSV writes all cells with all digits; an empty field is unknown.
func writeCSV(w io.Writer, cells []*cell) error {
	header := []string{"suite", "set", "method", "source", "fits", "failed", "rows", "inputs", "noise"}
	var shown []measure
	for _, m := range measures() {
		if m.told(cells) {
			shown = append(shown, m)
		}
	}
	for _, m := range shown {
		header = append(header, m.name, m.name+"_sd")
	}
	out := csv.NewWriter(w)
	_ = out.Write(header) // what fails is told by Error
	for _, c := range cells {
		source := "run here"
		if c.published {
			source = c.source
		}
		row := []string{c.suite, c.set, c.method, source, count(len(c.made)), count(len(c.errors)), count(c.rows), count(c.inputs), digits(c.floor)}
		for _, m := range shown {
			s := m.of(c)
			row = append(row, digits(s.Mean), digits(s.SD))
		}
		_ = out.Write(row)
	}
	out.Flush()
	return out.Error()
}

func count(n int) string { return strconv.Itoa(n) }

func digits(v float64) string {
	if math.IsNaN(v) {
		return ""
	}
	return strconv.FormatFloat(v, 'g', -1, 64)
}
