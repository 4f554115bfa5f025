package describe

import (
	"fmt"
	"math"
	"strings"
	"time"
	"unicode/utf8"

	"beziergp/table"
)

// heads are the grids of columns, by kind.
var heads = map[table.Kind]grid{
	table.Numeric: {head: []string{"numeric", "missing", "distinct", "zeros", "mean", "std", "min", "5 %", "25 %", "50 %", "75 %", "95 %", "max", "skew"},
		optional: []int{7, 11, 3, 13, 8, 10, 2}},
	table.Boolean:  {head: []string{"boolean", "missing", "false", "true", "share"}},
	table.DateTime: {head: []string{"datetime", "missing", "distinct", "from", "median", "to"}, optional: []int{4}},
	table.Category: {head: []string{"category", "missing", "distinct", "levels of most rows"}, left: 3},
}

// cells returns the texts of a column's line.
func (c column) cells() []string {
	cells := []string{short(c.Name), fmt.Sprint(c.Missing)}
	switch {
	case c.Kind == table.Category:
		return append(cells, fmt.Sprint(c.Distinct), c.levels())
	case c.Min == nil:
		return append(cells, "0")
	case c.Kind == table.Boolean:
		return append(cells, fmt.Sprint(*c.Zeros), fmt.Sprint(c.known-*c.Zeros), fmt.Sprintf("%.1f %%", 100**c.Mean))
	case c.Kind == table.DateTime:
		return append(cells, fmt.Sprint(c.Distinct), date(*c.Min), date(c.Quantiles.P50), date(*c.Max))
	}
	cells, q := append(cells, fmt.Sprint(c.Distinct), fmt.Sprint(*c.Zeros)), c.Quantiles
	for _, v := range []*float64{c.Mean, c.Std, c.Min, &q.P05, &q.P25, &q.P50, &q.P75, &q.P95, c.Max} {
		cells = append(cells, number(v))
	}
	if c.Skew == nil {
		return append(cells, "")
	}
	return append(cells, strings.Replace(fmt.Sprintf("%.1f", *c.Skew), "-0.0", "0.0", 1))
}

// number shows four digits.
func number(v *float64) string {
	if v == nil {
		return ""
	}
	if text := fmt.Sprintf("%.4g", *v); !strings.Contains(text, "e+0") || math.Abs(*v) >= 1e7 {
		return text
	}
	return fmt.Sprintf("%.0f", *v) // shorter, and plain
}

// levels names those that occur most, as far as a line has room.
func (c column) levels() string {
	const most = 60
	text, named := "", 0
	for _, l := range c.Top {
		next := fmt.Sprintf("%s %d", short(l.Level), l.Count)
		if named > 0 && utf8.RuneCountInString(text)+utf8.RuneCountInString(next) > most {
			break
		}
		if named > 0 {
			text += ", "
		}
		text += next
		named++
	}
	if more := c.Distinct - named; more > 0 {
		text += fmt.Sprintf(", %d more", more)
	}
	return text
}

func date(seconds float64) string {
	t := time.Unix(int64(math.Floor(seconds)), 0).UTC()
	if t.Hour() == 0 && t.Minute() == 0 && t.Second() == 0 {
		return t.Format("2006-01-02")
	}
	return t.Format("2006-01-02 15:04:05")
}
