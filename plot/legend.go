package plot

import "beziergp/plot/canvas"

// key is an entry of a legend: what it means and how it looks.
type key struct {
	means string
	fill  ink   // of a swatch, where there is one
	line  pen   // where it has a width
	glyph glyph // where it has a radius
}

const (
	keySample = 14.0 // the width of what an entry looks like
	keyGap    = 8.0  // between entries
)

// legend draws a legend between title and data: over the data where it fits, else from
// the left edge of the panel on, and smaller where that is not enough.
func (p *panel) legend(keys ...key) {
	l, total := small().in(black), -keyGap
	for _, k := range keys {
		total += k.width(l)
	}
	room := p.frame.Max.X - p.frame.Min.X
	if total > room {
		words := 0.0
		for _, k := range keys {
			words += width(l, k.means)
		}
		l = l.sized(l.size * max(smallest, (room-total+words)/words))
		total = room
	}
	at := point{X: min(p.data.Min.X, p.frame.Max.X-total), Y: p.data.Max.Y + 11}
	for _, k := range keys {
		p.key(at, k, l)
		at.X += k.width(l)
	}
}

// sample returns the width of what the entry looks like; a glyph alone takes less.
func (k key) sample() float64 {
	if k.fill == 0 && k.line.Width == 0 {
		return 2 * k.glyph.radius
	}
	return keySample
}

// width returns that of the entry and of the gap behind it.
func (k key) width(l lettering) float64 { return k.sample() + 4 + width(l, k.means) + keyGap }

// key draws an entry of a legend, its left end at a point.
func (f *figure) key(at point, k key, l lettering) {
	wide := k.sample()
	if k.fill != 0 {
		f.Fill(k.fill, rect{Min: point{X: at.X, Y: at.Y - 4}, Max: point{X: at.X + wide, Y: at.Y + 4}}.Corners())
	}
	f.Stroke(k.line, []point{at, {X: at.X + wide, Y: at.Y}})
	if k.glyph.radius > 0 {
		f.glyphs(k.glyph, point{X: at.X + wide/2, Y: at.Y})
	}
	f.write(l, point{X: at.X + wide + 4, Y: at.Y}, canvas.Start, canvas.Center, k.means)
}
