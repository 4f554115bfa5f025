package plot

import (
	"fmt"
	"io"
	"math"

	"gonum.org/v1/plot/vg"
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
	X, Y   []float64               // observations
	Truth  func(x float64) float64 // what was observed, without noise
	F      Moments                 // of f on a grid, in order
	Points Moments                 // of the control points, at i/ν
	// Gap is the interval without observations.
	Gap [2]float64
}

// Draw draws the process as in Jørgensen & Osborne, section 4.1: f and its band of
// two deviations, the control points, and the variance of f.
func (o OneDimension) Draw(w io.Writer) error {
	f, err := newFigure(pictureWidth, 222)
	if err != nil {
		return err
	}
	parts := columns(inset(f.Rectangle, 6, 4, 6, 8), 3, 12)
	unit := axis{label: "x", lo: 0, hi: 1, ticks: []float64{0, 0.25, 0.5, 0.75, 1}}
	o.posterior(f, parts[0], unit)
	o.controlPoints(f, parts[1])
	o.variance(f, parts[2], unit)
	return f.writeTo(w)
}

func (o OneDimension) posterior(f *figure, at vg.Rectangle, x axis) {
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

func (o OneDimension) controlPoints(f *figure, at vg.Rectangle) {
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

func (o OneDimension) variance(f *figure, at vg.Rectangle, x axis) {
	posterior, prior := square(o.F.Std), square(o.F.PriorStd)
	y := spanning("Var f(x)", posterior, prior)
	y.lo = -0.07 * y.hi // room for the rug
	p := f.panel(at, "Variance of f", x, y)
	low, high := []float64{y.lo, y.lo}, []float64{y.hi, y.hi}
	p.band(paleGray, o.Gap[:], low, high)
	p.write(small(), p.at((o.Gap[0]+o.Gap[1])/2, y.lo+0.6*(y.hi-y.lo)), 0.5, 0.5, "no data")
	p.curve(dashed(thickLine, gray), o.F.At, prior)
	p.curve(line(thickLine, blue), o.F.At, posterior)
	p.rug(line(thinLine, black), o.X)
	p.legend(
		key{means: "posterior", line: line(thickLine, blue)},
		key{means: "prior", line: dashed(thickLine, gray)},
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
