package plot

import (
	"slices"

	"beziergp/plot/canvas"
)

// Curves are what a model says of one input under a likelihood, beside rows and truth.
type Curves struct {
	Name         string
	X, Y         []float64   // rows
	At           []float64   // in order
	Truth, Mean  [][]float64 // curves along At
	Lower, Upper []float64   // the 95 % interval of an observation; nil for none
}

// Likelihoods draws a panel for each of them, in three columns, and one that tells what is drawn.
func Likelihoods(all []Curves) (*canvas.Canvas, error) {
	if len(all) == 0 {
		return nil, errNothing
	}
	const columns, height = 3, 150
	lines := len(all)/columns + 1
	f := newFigure(pictureWidth, float64(lines*height))
	for i := 0; i <= len(all); i++ {
		line := f.Rect
		line.Max.Y -= float64(i / columns * height)
		line.Min.Y = line.Max.Y - height
		at := line.Inset(6, 4, 6, 6).Columns(columns, 12)[i%columns]
		if i < len(all) {
			all[i].panel(f, at)
		} else {
			f.curvesKey(at)
		}
	}
	return f.Canvas, nil
}

// inks are those of several curves.
var inks = []ink{blue, green, purple}

func (c Curves) panel(f *figure, at rect) {
	shown := append([][]float64{c.Y}, c.Truth...)
	if len(c.Truth) > 1 {
		shown = slices.Concat(c.Truth, c.Mean)
	}
	if c.Lower != nil {
		shown = append(shown, c.Lower, c.Upper)
	}
	p := f.panel(at, c.Name, axis{label: "x", hi: 1, ticks: []float64{0, 0.5, 1}}, spanning("", shown...))
	if c.Lower != nil {
		p.band(paleBlue, c.At, c.Lower, c.Upper)
	}
	if len(c.Truth) == 1 {
		p.scatter(dot(0.9, gray), c.X, c.Y)
	}
	for k, mean := range c.Mean {
		own, truth := inks[k%len(inks)], orange
		if len(c.Mean) > 1 {
			truth = own
		}
		p.curve(line(thickLine, own), c.At, mean)
		p.curve(dashed(thickLine, truth), c.At, c.Truth[k])
	}
}

// curvesKey tells what the panels have.
func (f *figure) curvesKey(at rect) {
	for i, k := range []key{
		{means: "row", glyph: dot(0.9, gray)},
		{means: "mean, or probability of a class", line: line(thickLine, blue)},
		{means: "95 % interval of an observation", fill: paleBlue},
		{means: "truth, of classes in their colours", line: dashed(thickLine, orange)},
	} {
		f.key(point{X: at.Min.X + marginLeft, Y: at.Max.Y - marginTop - 18*float64(i)}, k, small().in(black))
	}
}
