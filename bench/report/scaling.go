package report

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/stat"

	"beziergp/bench/markdown"
)

// series is what a fit takes as one thing grows.
type series struct {
	axis, method  string
	x             []float64
	seconds, peak []float64
}

// axes are what the suite scaling varies, as the sets' names begin, and what they are
// called.
var axes = [...]struct{ name, title string }{
	{"rows", "rows n, one epoch"}, {"inputs", "inputs d"}, {"order", "order ν"}, {"orderings", "orderings r"},
}

// scalingSeries sorts cells of sets named AXIS=VALUE into series.
func scalingSeries(cells []*cell) (all []series) {
	for _, axis := range axes {
		byMethod := map[string]*series{}
		var methods []string
		for _, c := range cells {
			name, text, _ := strings.Cut(c.set, "=")
			x, err := strconv.ParseFloat(text, 64)
			if name != axis.name || err != nil || len(c.made) == 0 {
				continue
			}
			if byMethod[c.method] == nil {
				byMethod[c.method] = &series{axis: axis.name, method: c.method}
				methods = append(methods, c.method)
			}
			s := byMethod[c.method]
			at, _ := slices.BinarySearch(s.x, x)
			s.x, s.seconds, s.peak = slices.Insert(s.x, at, x), slices.Insert(s.seconds, at, c.fit.Mean), slices.Insert(s.peak, at, c.memory.Mean)
		}
		for _, method := range methods {
			all = append(all, *byMethod[method])
		}
	}
	return all
}

// slope returns the power of x that y grows with, the slope of a line through the
// logarithms, over the points from first on; NaN for fewer than two.
func slope(x, y []float64, first int) float64 {
	var a, b []float64
	for i := first; i < len(x); i++ {
		if x[i] > 0 && y[i] > 0 {
			a, b = append(a, math.Log(x[i])), append(b, math.Log(y[i]))
		}
	}
	if len(a) < 2 {
		return math.NaN()
	}
	_, power := stat.LinearRegression(a, b, nil, false)
	return power
}

// scaling writes what fits take, and the powers.
func scaling(w io.Writer, all []series) {
	fmt.Fprint(w, "\nThe power p of a cost that grows as xᵖ is the slope of a line through the logarithms, over all points and over the\nlarger half of them.\n\n")
	markdown.Head(w, "what grows", "method", "time: power, all", "larger half", "memory: power, all", "larger half")
	for _, s := range all {
		half := len(s.x) / 2
		markdown.Row(w, markdown.Text(title(s.axis)), markdown.Text(s.method),
			power(slope(s.x, s.seconds, 0)), power(slope(s.x, s.seconds, half)), power(slope(s.x, s.peak, 0)), power(slope(s.x, s.peak, half)))
	}
	for _, s := range all {
		fmt.Fprintln(w)
		markdown.Head(w, markdown.Text(title(s.axis))+", "+markdown.Text(s.method), each(s.x, func(v float64) string { return fmt.Sprintf("%.0f", v) }))
		markdown.Row(w, "seconds", each(s.seconds, number))
		markdown.Row(w, "peak memory", each(s.peak, memory))
	}
}

func title(axis string) string {
	for _, a := range axes {
		if a.name == axis {
			return a.title
		}
	}
	return axis
}

func power(p float64) string {
	if math.IsNaN(p) {
		return ""
	}
	return minus(fmt.Sprintf("%.2f", p))
}

func each(values []float64, text func(float64) string) (parts []string) {
	for _, v := range values {
		if math.IsNaN(v) {
			parts = append(parts, "")
			continue
		}
		parts = append(parts, text(v))
	}
	return parts
}
