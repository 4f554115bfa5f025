package effects

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"text/tabwriter"

	"beziergp/analysis"
	"beziergp/box"
	"beziergp/cmd/beziergp/internal/laws"
	"beziergp/internal/printable"
	"beziergp/plot"
	"beziergp/table"
	"beziergp/table/exact"
)

// value writes a value of an input as text.
func (e *found) value(input int, v float64) string {
	in := e.a.Inputs()[input]
	switch {
	case in.Kind == table.Category:
		return printable.Name(laws.Level(in, v))
	case in.Kind == table.Boolean && v == 0:
		return "false"
	case in.Kind == table.Boolean && v == 1:
		return "true"
	}
	return strconv.FormatFloat(v, 'g', 4, 64)
}

// printRanges writes where every effect is lowest and highest.
func (e *found) printRanges(w io.Writer) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintf(t, "average %.5g ± %.2g of %s over all inputs\n\n", e.base.Mean, e.base.Std, printable.Line(e.scale))
	fmt.Fprintln(t, "input\tlowest\tat\thighest\tat\trange")
	for _, own := range e.effects {
		lo, hi := extremes(own.Mean)
		fmt.Fprintf(t, "%s\t%.4g ± %.2g\t%s\t%.4g ± %.2g\t%s\t%.3g\n", printable.Name(e.a.Inputs()[own.Inputs[0]].Name),
			own.Mean[lo], own.Std[lo], e.value(own.Inputs[0], own.Grid[0][lo]), own.Mean[hi], own.Std[hi], e.value(own.Inputs[0], own.Grid[0][hi]), own.Mean[hi]-own.Mean[lo])
	}
	return t.Flush()
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
		fmt.Fprintf(t, "%s\t%s\tstd\n", e.names(own, "\t"), printable.Line(e.scale))
		eachPlace(own, func(k int, at []float64) {
			var cells []string
			for n, v := range at {
				cells = append(cells, e.value(own.Inputs[n], v))
			}
			fmt.Fprintf(t, "%s\t%.5g\t%.2g\n", strings.Join(cells, "\t"), own.Mean[k], own.Std[k])
		})
	}
	return t.Flush()
}

func (e *found) names(own analysis.Effect, between string) string {
	var names []string
	for _, i := range own.Inputs {
		names = append(names, printable.Name(e.a.Inputs()[i].Name))
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
			std.AddNumber(own.Std[k])
		})
	}
	return append(names, "mean", "std"), append(columns, mean, std)
}

// addTo adds the n-th input of a place to its columns.
func (e *found) addTo(columns []*exact.Column, inputs []int, at []float64, n int) {
	if n >= len(inputs) {
		columns[0].AddText("", true)
		columns[1].AddNumber(nan)
		columns[2].AddText("", true)
		return
	}
	in := e.a.Inputs()[inputs[n]]
	columns[0].AddText(in.Name, false)
	if in.Kind == table.Category {
		columns[1].AddNumber(nan)
		columns[2].AddText(laws.Level(in, at[n]), false)
		return
	}
	columns[1].AddNumber(at[n])
	columns[2].AddText("", true)
}

// picture returns the effects to be drawn: of a pair a curve for some values of the second.
func (e *found) picture() plot.Effects {
	out := plot.Effects{Target: e.scale, Base: e.base.Mean}
	for _, own := range e.effects {
		in := e.a.Inputs()[own.Inputs[0]]
		p := plot.EffectPanel{Input: in.Name, At: own.Grid[0]}
		if in.Kind == table.Category {
			p.At, p.Levels = nil, e.levels(in, own.Grid[0])
		}
		if len(own.Inputs) == 1 {
			c := plot.EffectCurve{Mean: own.Mean}
			for k, m := range own.Mean {
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
		names = append(names, laws.Level(in, v))
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
