package plot

import (
	"fmt"
	"math"
	"slices"

	"beziergp/plot/canvas"
)

// Moments are Gaussian distributions at a number of places, a priori and a
// posteriori.
type Moments struct {
	At                  []float64
	Mean, Std           []float64
	PriorMean, PriorStd []float64
}

// OneDimension is a fitted process of one input.
type OneDimension struct {
	Heading string
	X, Y    []float64               // observations
	Truth   func(x float64) float64 // what was observed, without noise
	F       Moments                 // of f on a grid, in order
	Points  Moments                 // of the control points, at i/ν
	// Gap is the interval without observations.
	Gap [2]float64
}

// OneDimensions draws processes one below the other, each as in Jørgensen &
// Osborne, section 4.1: f and its band of two deviations, the control points, and
// the variance of f.
func OneDimensions(processes ...OneDimension) (*canvas.Canvas, error) {
	const height, headingHeight = 240, 18
	f := newFigure(pictureWidth, float64(height*len(processes)))
	unit := axis{label: "x", lo: 0, hi: 1, ticks: []float64{0, 0.25, 0.5, 0.75, 1}}
	for i, o := range processes {
		row := f.Rect
		row.Max.Y -= float64(height * i)
		row.Min.Y = row.Max.Y - height
		f.write(plain(), point{X: row.Min.X + 6, Y: row.Max.Y - 6}, canvas.Start, canvas.Top, o.Heading)
		parts := row.Inset(6, 4, 6, 8+headingHeight).Columns(3, 12)
		o.posterior(f, parts[0], unit)
		o.controlPoints(f, parts[1])
		o.variance(f, parts[2], unit)
	}
	return f.Canvas, nil
}

func (o OneDimension) posterior(f *figure, at rect, x axis) {
	lower, upper := interval(o.F.Mean, o.F.Std)
	priorLower, priorUpper := interval(o.F.PriorMean, o.F.PriorStd)
	truth := make([]float64, len(o.F.At))
	for i, v := range o.F.At {
		truth[i] = o.Truth(v)
	}
	p := f.panel(at, "Posterior of f", x, spanning("f(x)", lower, upper, truth, priorLower, priorUpper))
	p.band(paleBlue, o.F.At, lower, upper)
	p.curve(dashed(thinLine, gray), o.F.At, priorLower)
	p.curve(dashed(thinLine, gray), o.F.At, priorUpper)
	p.curve(line(thinLine, orange), o.F.At, truth)
	p.curve(line(thickLine, blue), o.F.At, o.F.Mean)
	p.scatter(dot(1.9, black), o.X, o.Y)
	p.legend(
		key{means: "± 2 sd", fill: paleBlue, line: line(thickLine, blue)},
		key{means: "prior", line: dashed(thinLine, gray)},
		key{means: "truth", line: line(thinLine, orange)},
		key{means: "data", glyph: dot(1.9, black)},
	)
}

func (o OneDimension) controlPoints(f *figure, at rect) {
	lower, upper := interval(o.Points.Mean, o.Points.Std)
	priorLower, priorUpper := interval(o.Points.PriorMean, o.Points.PriorStd)
	p := f.panel(at, "Control points", axis{label: "node i / ν", lo: -0.03, hi: 1.03, ticks: []float64{0, 0.25, 0.5, 0.75, 1}},
		spanning("value", lower, upper, priorLower, priorUpper))
	for i, x := range o.Points.At {
		p.segment(line(4.5, lightGray), x, priorLower[i], x, priorUpper[i])
		p.segment(line(thickLine, blue), x, lower[i], x, upper[i])
	}
	p.scatter(dot(2.1, blue), o.Points.At, o.Points.Mean)
	p.legend(
		key{means: "posterior ± 2 sd", line: line(thickLine, blue), glyph: dot(2.1, blue)},
		key{means: "prior", line: line(4.5, lightGray)},
	)
}

func (o OneDimension) variance(f *figure, at rect, x axis) {
	posterior, prior := square(o.F.Std), square(o.F.PriorStd)
	shown := [][]float64{posterior, prior}
	means := key{means: "prior", line: dashed(thickLine, gray)}
	// A prior far above would leave the posterior flat: it is told, not drawn.
	if slices.Max(prior) > 4*slices.Max(posterior) {
		shown = shown[:1]
		means = key{means: "the prior’s is " + significant(slices.Max(prior), 2)}
	}
	y := spanning("Var f(x)", shown...)
	y.lo = -0.07 * y.hi // room for the rug
	p := f.panel(at, "Variance of f", x, y)
	low, high := []float64{y.lo, y.lo}, []float64{y.hi, y.hi}
	p.band(paleGray, o.Gap[:], low, high)
	p.write(small(), p.at((o.Gap[0]+o.Gap[1])/2, y.lo+0.2*(y.hi-y.lo)), canvas.Middle, canvas.Center, "no data")
	if len(shown) == 2 {
		p.curve(dashed(thickLine, gray), o.F.At, prior)
	}
	p.curve(line(thickLine, blue), o.F.At, posterior)
	p.rug(line(thinLine, black), o.X)
	p.legend(
		key{means: "posterior", line: line(thickLine, blue)},
		means,
	)
}

// interval returns mean ± 2 sd.
func interval(mean, sd []float64) (lower, upper []float64) {
	lower, upper = make([]float64, len(mean)), make([]float64, len(mean))
	for i := range mean {
		lower[i], upper[i] = mean[i]-2*sd[i], mean[i]+2*sd[i]
	}
	return lower, upper
}

func square(v []float64) []float64 {
	out := make([]float64, len(v))
	for i, x := range v {
		out[i] = x * x
	}
	return out
}

// significant writes v with a number of significant digits.
func significant(v float64, digits int) string {
	if v == 0 || math.IsNaN(v) || math.IsInf(v, 0) {
		return fmt.Sprint(v)
	}
	decimals := digits - 1 - int(math.Floor(math.Log10(math.Abs(v))))
	return fmt.Sprintf("%.*f", max(decimals, 0), v)
}
