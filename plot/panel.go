package plot

import (
	"image/color"
	"math"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Margins of a panel around its data; that on the left grows with the labels there.
const (
	marginLeft   vg.Length = 40
	marginRight  vg.Length = 8
	marginBottom vg.Length = 31
	marginTop    vg.Length = 36
)

// panel is a pair of axes with data. What is drawn beyond the axes is cut off.
type panel struct {
	*figure
	data draw.Canvas
	x, y axis
}

// panel draws the frame of a panel with a title: two axes, and light lines at the
// ticks of the upright one.
func (f *figure) panel(r vg.Rectangle, title string, x, y axis) *panel {
	at, labels := y.marks()
	left := marginLeft
	for _, s := range labels {
		left = max(left, f.width(small(), s)+20)
	}
	area := inset(r, left, marginRight, marginBottom, marginTop)
	p := &panel{f, draw.Canvas{Canvas: f.Canvas.Canvas, Rectangle: area}, x, y}
	f.write(bold(), vg.Point{X: area.Min.X, Y: r.Max.Y}, 0, 1, title)

	for i, v := range at {
		h := p.at(x.lo, v).Y
		p.StrokeLine2(line(hairline, lightGray), area.Min.X, h, area.Max.X, h)
		f.write(small(), vg.Point{X: area.Min.X - 4, Y: h}, 1, 0.46, labels[i])
	}
	at, labels = x.marks()
	for i, v := range at {
		h := p.at(v, y.lo).X
		p.StrokeLine2(line(thinLine, gray), h, area.Min.Y, h, area.Min.Y-3)
		f.write(small(), vg.Point{X: h, Y: area.Min.Y - 5}, 0.5, 1, labels[i])
	}
	f.write(plain(), vg.Point{X: (area.Min.X + area.Max.X) / 2, Y: r.Min.Y + 1}, 0.5, 0, x.label)
	upright := f.styleOf(plain(), 0.5, 1)
	upright.Rotation = math.Pi / 2
	f.FillText(upright, vg.Point{X: r.Min.X, Y: (area.Min.Y + area.Max.Y) / 2}, y.label)
	p.StrokeLine2(line(thinLine, gray), area.Min.X, area.Min.Y, area.Max.X, area.Min.Y)
	return p
}

// at returns where a pair of values lies.
func (p *panel) at(x, y float64) vg.Point {
	return vg.Point{X: p.data.X(p.x.share(x)), Y: p.data.Y(p.y.share(y))}
}

func (p *panel) points(x, y []float64) []vg.Point {
	points := make([]vg.Point, len(x))
	for i := range x {
		points[i] = p.at(x[i], y[i])
	}
	return points
}

// curve draws a line through points.
func (p *panel) curve(style draw.LineStyle, x, y []float64) {
	p.StrokeLines(style, p.data.ClipLinesXY(p.points(x, y))...)
}

// segment draws a line between two points.
func (p *panel) segment(style draw.LineStyle, x0, y0, x1, y1 float64) {
	p.curve(style, []float64{x0, x1}, []float64{y0, y1})
}

// band fills what lies between two curves.
func (p *panel) band(c color.Color, x, lower, upper []float64) {
	outline := p.points(x, upper)
	for i := len(x) - 1; i >= 0; i-- {
		outline = append(outline, p.at(x[i], lower[i]))
	}
	p.FillPolygon(c, p.data.ClipPolygonXY(outline))
}

// scatter draws a glyph at every point within the axes.
func (p *panel) scatter(style draw.GlyphStyle, x, y []float64) {
	for _, at := range p.points(x, y) {
		p.data.DrawGlyph(style, at)
	}
}

// rug draws a short stroke on the lower axis at every value.
func (p *panel) rug(style draw.LineStyle, x []float64) {
	for _, v := range x {
		at := p.at(v, p.y.lo)
		p.StrokeLine2(style, at.X, at.Y, at.X, at.Y+6)
	}
}

// key is an entry of a legend: what it means and how it looks.
type key struct {
	means string
	fill  color.Color     // of a swatch, where not nil
	line  draw.LineStyle  // where it has a width
	glyph draw.GlyphStyle // where it has a radius
}

// legend draws a legend between title and data, with room behind every entry for a
// font that is a fifth wider than the one that is measured.
func (p *panel) legend(keys ...key) {
	at := vg.Point{X: p.data.Min.X, Y: p.data.Max.Y + 11}
	for _, k := range keys {
		p.key(at, k)
		at.X += p.keyWidth(k) + 0.2*p.width(small(), k.means)
	}
}

// sampleWidth is that of what an entry looks like; a glyph alone takes less.
func (k key) sampleWidth() vg.Length {
	if k.fill == nil && k.line.Width == 0 {
		return 2 * k.glyph.Radius
	}
	return 14
}

// keyWidth returns the width of an entry and of the gap behind it.
func (f *figure) keyWidth(k key) vg.Length {
	return k.sampleWidth() + 4 + f.width(small(), k.means) + 8
}

// key draws an entry of a legend, its left end at a point.
func (f *figure) key(at vg.Point, k key) {
	width := k.sampleWidth()
	if k.fill != nil {
		f.FillPolygon(k.fill, corners(vg.Rectangle{
			Min: vg.Point{X: at.X, Y: at.Y - 4}, Max: vg.Point{X: at.X + width, Y: at.Y + 4},
		}))
	}
	if k.line.Width > 0 {
		f.StrokeLine2(k.line, at.X, at.Y, at.X+width, at.Y)
	}
	if k.glyph.Radius > 0 {
		f.DrawGlyphNoClip(k.glyph, vg.Point{X: at.X + width/2, Y: at.Y})
	}
	at.X += width + 4
	f.write(small().in(black), at, 0, 0.46, k.means)
}
