package plot

import "beziergp/plot/canvas"

// Margins of a panel around its data; that on the left grows with the labels there.
const (
	marginLeft   = 40.0
	marginRight  = 8.0
	marginBottom = 31.0
	marginTop    = 36.0
)

// panel is a pair of axes with data. What is drawn beyond the axes is cut off.
type panel struct {
	*figure
	frame rect // all that the panel takes
	data  rect // what lies between the axes
	x, y  axis
}

// panel draws the frame of a panel with a title: two axes, and light lines at the
// ticks of the upright one.
func (f *figure) panel(r rect, title string, x, y axis) *panel {
	at, labels := y.marks()
	left := marginLeft
	for _, s := range labels {
		left = max(left, width(small(), s)+20)
	}
	area := r.Inset(left, marginRight, marginBottom, marginTop)
	p := &panel{f, r, area, x, y}
	for i, v := range at {
		h := p.at(x.lo, v).Y
		f.Stroke(line(hairline, lightGray), []point{{X: area.Min.X, Y: h}, {X: area.Max.X, Y: h}})
		f.write(small(), point{X: area.Min.X - 4, Y: h}, canvas.End, canvas.Center, labels[i])
	}
	p.ticks()
	f.Stroke(line(thinLine, gray), []point{area.Min, {X: area.Max.X, Y: area.Min.Y}})

	across, upwards := r.Size()
	p.title(title)
	l, s := fitted(plain(), x.label, across)
	half := width(l, s) / 2
	f.write(l, point{X: min(max((area.Min.X+area.Max.X)/2, r.Min.X+half), r.Max.X-half), Y: r.Min.Y + 3}, canvas.Middle, canvas.Baseline, s)
	l, s = fitted(plain(), y.label, upwards-marginTop)
	half = width(l, s) / 2
	upright := text(l, point{X: r.Min.X, Y: max((area.Min.Y+area.Max.Y)/2, r.Min.Y+half)}, canvas.Middle, canvas.Top, canvas.Piece{S: s})
	upright.Upright = true
	f.Write(upright)
	return p
}

// title writes the title over the data, or over all of the panel where it is long.
func (p *panel) title(title string) {
	l, s := fitted(bold(), title, p.frame.Max.X-p.frame.Min.X)
	p.write(l, point{X: min(p.data.Min.X, p.frame.Max.X-width(l, s)), Y: p.frame.Max.Y}, canvas.Start, canvas.Top, s)
}

// ticks draws those of the level axis, with as many of their labels as there is room for.
func (p *panel) ticks() {
	const apart = 5
	at, labels := p.x.marks()
	every := 1
	for ; every < len(at); every++ {
		free, fits := p.frame.Min.X, true
		for i := 0; i < len(at); i += every {
			from, to := p.labelAt(at[i], labels[i])
			fits, free = fits && from >= free, to+apart
		}
		if fits {
			break
		}
	}
	for i, v := range at {
		h := p.at(v, p.y.lo)
		p.Stroke(line(thinLine, gray), []point{h, {X: h.X, Y: h.Y - 3}})
		if i%every == 0 {
			from, to := p.labelAt(v, labels[i])
			p.write(small(), point{X: (from + to) / 2, Y: h.Y - 6}, canvas.Middle, canvas.Top, labels[i])
		}
	}
}

// labelAt returns the ends of the label of a tick: under it, and within the panel.
func (p *panel) labelAt(v float64, label string) (from, to float64) {
	w := width(small(), label)
	middle := min(p.at(v, p.y.lo).X, p.frame.Max.X-w/2)
	return middle - w/2, middle + w/2
}

// at returns where a pair of values lies.
func (p *panel) at(x, y float64) point {
	width, height := p.data.Size()
	return point{X: p.data.Min.X + p.x.share(x)*width, Y: p.data.Min.Y + p.y.share(y)*height}
}

func (p *panel) points(x, y []float64) []point {
	points := make([]point, len(x))
	for i := range x {
		points[i] = p.at(x[i], y[i])
	}
	return points
}

// curve draws a line through points.
func (p *panel) curve(style pen, x, y []float64) {
	p.Stroke(style, p.data.ClipLine(p.points(x, y))...)
}

// segment draws a line between two points.
func (p *panel) segment(style pen, x0, y0, x1, y1 float64) {
	p.curve(style, []float64{x0, x1}, []float64{y0, y1})
}

// band fills what lies between two curves.
func (p *panel) band(c ink, x, lower, upper []float64) {
	outline := p.points(x, upper)
	for i := len(x) - 1; i >= 0; i-- {
		outline = append(outline, p.at(x[i], lower[i]))
	}
	p.Fill(c, p.data.ClipArea(outline))
}

// scatter draws a glyph at every point within the axes.
func (p *panel) scatter(style glyph, x, y []float64) {
	var inside []point
	for _, at := range p.points(x, y) {
		if p.data.Contains(at) {
			inside = append(inside, at)
		}
	}
	p.glyphs(style, inside...)
}

// rug draws a short stroke on the lower axis at every value.
func (p *panel) rug(style pen, x []float64) {
	strokes := make([][]point, len(x))
	for i, v := range x {
		at := p.at(v, p.y.lo)
		strokes[i] = []point{at, {X: at.X, Y: at.Y + 6}}
	}
	p.Stroke(style, strokes...)
}
