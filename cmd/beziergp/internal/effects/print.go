package effects

import (
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"beziergp/analysis"
	"beziergp/box"
	"beziergp/internal/printable"
	"beziergp/plot"
	"beziergp/table"
	"beziergp/table/exact"
)

// value writes a value of an input as text.
func (e *found) value(input int, v float64) string {
	in := e.inputs[input]
	switch {
	case in.Kind == table.DateTime && in.Part == "":
		return date(v)
	case in.Kind == table.Category:
		return printable.Name(in.Level(v))
	case in.Part == box.Absent:
		return box.AbsentText(v)
	case in.Kind == table.Boolean && v == 0:
		return "false"
	case in.Kind == table.Boolean && v == 1:
		return "true"
	}
	return strconv.FormatFloat(v, 'g', 4, 64)
}

// date writes a date and time in seconds since 1970.
func date(v float64) string {
	at := time.Unix(int64(math.Round(v)), 0).UTC()
	if v == math.Floor(v/86400)*86400 {
		return at.Format(time.DateOnly)
	}
	return at.Format(time.DateTime)
}

// printRanges writes where every effect is lowest and highest.
func (e *found) printRanges(w io.Writer) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintf(t, "%s\n\n", e.heading())
	fmt.Fprintln(t, "input\tlowest\tat\thighest\tat\trange")
	for _, own := range e.effects {
		lo, hi := extremes(own.Mean)
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\t%.3g\n", printable.Name(e.inputs[own.Inputs[0]].Name),
			number4(own, lo), e.value(own.Inputs[0], own.Grid[0][lo]), number4(own, hi), e.value(own.Inputs[0], own.Grid[0][hi]), own.Mean[hi]-own.Mean[lo])
	}
	return t.Flush()
}

// heading says what all effects are.
func (e *found) heading() string {
	scale := printable.Line(e.scale)
	switch {
	case e.rows == nil:
		return fmt.Sprintf("average %.5g ± %.2g of %s over all inputs", e.base.Mean, e.base.Std, scale)
	case e.rows.Sampled > 0:
		return fmt.Sprintf("%s of %s, estimated from %d of %d rows", e.rows.Kind, scale, e.rows.Sampled, e.rows.Rows)
	}
	return fmt.Sprintf("%s of %s over %d rows", e.rows.Kind, scale, e.rows.Rows)
}

// number4 writes an effect at a place, with its deviation where it has one.
func number4(own analysis.Effect, k int) string {
	if own.Std == nil {
		return fmt.Sprintf("%.4g", own.Mean[k])
	}
	return fmt.Sprintf("%.4g ± %.2g", own.Mean[k], own.Std[k])
}

func extremes(v []float64) (lo, hi int) {
	for i, x := range v {
		if x < v[lo] {
			lo = i
		}
		if x > v[hi] {
			hi = i
		}
	}
	return lo, hi
}

// print writes the effects at every value.
func (e *found) print(w io.Writer) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for k, own := range e.effects {
		if k > 0 {
			fmt.Fprintln(t)
		}
		heads, std := []string{e.names(own, "\t"), printable.Line(e.scale)}, own.Std != nil
		if std {
			heads = append(heads, e.deviation())
		}
		fmt.Fprintln(t, strings.Join(heads, "\t"))
		eachPlace(own, func(k int, at []float64) {
			var cells []string
			for n, v := range at {
				cells = append(cells, e.value(own.Inputs[n], v))
			}
			cells = append(cells, fmt.Sprintf("%.5g", own.Mean[k]))
			if std {
				cells = append(cells, fmt.Sprintf("%.2g", own.Std[k]))
			}
			fmt.Fprintln(t, strings.Join(cells, "\t"))
		})
	}
	return t.Flush()
}

// deviation is what the column of deviations is called.
func (e *found) deviation() string {
	if e.rows != nil {
		return "std_error"
	}
	return "std"
}

func (e *found) names(own analysis.Effect, between string) string {
	var names []string
	for _, i := range own.Inputs {
		names = append(names, printable.Name(e.inputs[i].Name))
	}
	return strings.Join(names, between)
}

// eachPlace visits the places of an effect, in order.
func eachPlace(own analysis.Effect, visit func(k int, at []float64)) {
	k := 0
	for _, v := range own.Grid[0] {
		if len(own.Grid) == 1 {
			visit(k, []float64{v})
			k++
			continue
		}
		for _, u := range own.Grid[1] {
			visit(k, []float64{v, u})
			k++
		}
	}
}

// columns returns the effects as a table.
func (e *found) columns() (names []string, columns []*exact.Column) {
	names = []string{"input", "value", "level"}
	for _, own := range e.effects {
		if len(own.Inputs) == 2 && len(names) == 3 {
			names = append(names, "input2", "value2", "level2")
		}
	}
	for range len(names) / 3 {
		columns = append(columns, exact.Texts(nil), exact.Numbers(nil), exact.Texts(nil))
	}
	mean, std := exact.Numbers(nil), exact.Numbers(nil)
	for _, own := range e.effects {
		eachPlace(own, func(k int, at []float64) {
			for n := range len(names) / 3 {
				e.addTo(columns[3*n:], own.Inputs, at, n)
			}
			mean.AddNumber(own.Mean[k])
			if own.Std != nil {
				std.AddNumber(own.Std[k])
			}
		})
	}
	names, columns = append(names, "mean"), append(columns, mean)
	if std.Len() > 0 {
		names, columns = append(names, e.deviation()), append(columns, std)
	}
	return names, columns
}

// text returns what stands for a value of an input that is no number.
func (e *found) text(in box.Input, v float64) (string, bool) {
	switch {
	case in.Kind == table.Category:
		return in.Level(v), true
	case in.Part == box.Absent:
		return box.AbsentText(v), true
	case in.Kind == table.DateTime && in.Part == "":
		return date(v), true
	}
	return "", false
}

// addTo adds the n-th input of a place to its columns.
func (e *found) addTo(columns []*exact.Column, inputs []int, at []float64, n int) {
	if n >= len(inputs) {
		columns[0].AddText("", true)
		columns[1].AddNumber(nan)
		columns[2].AddText("", true)
		return
	}
	in := e.inputs[inputs[n]]
	columns[0].AddText(in.Name, false)
	if text, ok := e.text(in, at[n]); ok {
		columns[1].AddNumber(nan)
		columns[2].AddText(text, false)
		return
	}
	columns[1].AddNumber(at[n])
	columns[2].AddText("", true)
}

// picture returns the effects to be drawn: of a pair a curve for some values of the second.
func (e *found) picture() plot.Effects {
	out := plot.Effects{Target: e.scale, Base: &e.base.Mean}
	if e.rows != nil {
		out.Base, out.Caption = nil, e.heading()
		if e.effects[0].Std != nil {
			out.Caption += "; band: ± 1.96 standard errors"
		}
	}
	for _, own := range e.effects {
		in := e.inputs[own.Inputs[0]]
		p := plot.EffectPanel{Input: in.Name, At: own.Grid[0]}
		if in.Kind == table.Category {
			p.At, p.Levels = nil, e.levels(in, own.Grid[0])
		}
		if len(own.Inputs) == 1 {
			c := plot.EffectCurve{Mean: own.Mean}
			for k, m := range own.Mean[:len(own.Std)] {
				c.Lower, c.Upper = append(c.Lower, m-1.96*own.Std[k]), append(c.Upper, m+1.96*own.Std[k])
			}
			p.Curves = append(p.Curves, c)
		} else {
			p.Input = e.names(own, " by ")
			p.Curves = e.family(own)
		}
		out.Panels = append(out.Panels, p)
	}
	return out
}

func (e *found) levels(in box.Input, values []float64) (names []string) {
	for _, v := range values {
		names = append(names, in.Level(v))
	}
	return names
}

// family returns curves of a pair for up to four values of the second input.
func (e *found) family(own analysis.Effect) (curves []plot.EffectCurve) {
	const most = 4
	n := len(own.Grid[1])
	for k := range min(most, n) {
		q := 0
		if n > 1 {
			q = k * (n - 1) / (min(most, n) - 1)
		}
		c := plot.EffectCurve{Name: e.value(own.Inputs[1], own.Grid[1][q])}
		for p := range own.Grid[0] {
			c.Mean = append(c.Mean, own.Mean[p*n+q])
		}
		curves = append(curves, c)
	}
	return curves
}
