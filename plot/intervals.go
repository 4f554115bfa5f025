package plot

import "beziergp/plot/canvas"

// Intervals are predictions along one input, with the rows that they were learned
// from and the truth.
type Intervals struct {
	X, Y               []float64 // rows
	At                 []float64 // in order
	Mean, Lower, Upper []float64 // the 95 % interval of an observation
	Truth              func(x float64) float64
	Gap                [2]float64 // where there are no rows
}

// Draw draws the intervals in one panel, small enough for a phone.
func (o Intervals) Draw() (*canvas.Canvas, error) {
	if len(o.At) == 0 {
		return nil, errNothing
	}
	f := newFigure(360, 240)
	truth := make([]float64, len(o.At))
	for i, v := range o.At {
		truth[i] = o.Truth(v)
	}
	y := spanning("y", o.Lower, o.Upper, o.Y)
	p := f.panel(f.Rect.Inset(4, 8, 4, 6), "Rows, and what is predicted for new ones",
		axis{label: "x", hi: 1, ticks: []float64{0, 0.25, 0.5, 0.75, 1}}, y)
	p.band(paleGray, o.Gap[:], []float64{y.lo, y.lo}, []float64{y.hi, y.hi})
	p.band(paleBlue, o.At, o.Lower, o.Upper)
	p.scatter(dot(1.2, gray), o.X, o.Y)
	p.curve(line(thickLine, blue), o.At, o.Mean)
	p.curve(dashed(thickLine, orange), o.At, truth)
	p.write(small(), p.at((o.Gap[0]+o.Gap[1])/2, y.hi-0.06*(y.hi-y.lo)), canvas.Middle, canvas.Center, "no rows here")

	p.legend(
		key{means: "row", glyph: dot(1.2, gray)},
		key{means: "mean", line: line(thickLine, blue)},
		key{means: "95 % interval", fill: paleBlue},
		key{means: "truth", line: dashed(thickLine, orange)},
	)
	return f.Canvas, nil
}
