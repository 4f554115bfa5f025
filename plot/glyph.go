package plot

import "math"

// glyph is what stands for a point, where its radius is above 0.
type glyph struct {
	shape  shape
	radius float64
	ink    ink
}

type shape int

const (
	disc shape = iota
	box
	triangle
	ring
	cross
)

// dot is a filled circle.
func dot(radius float64, c ink) glyph { return glyph{radius: radius, ink: c} }

// glyphs draws a glyph at every point.
func (f *figure) glyphs(g glyph, points ...point) {
	if g.shape == disc {
		f.Discs(g.ink, g.radius, points...)
		return
	}
	for _, at := range points {
		switch g.shape {
		case box:
			f.Fill(g.ink, polygon(at, 1.2*g.radius, 4, math.Pi/4))
		case triangle:
			f.Fill(g.ink, polygon(at, 1.3*g.radius, 3, math.Pi/2))
		case ring:
			circle := polygon(at, g.radius-glyphLine/2, 16, 0)
			f.Stroke(line(glyphLine, g.ink), append(circle, circle[0]))
		case cross:
			corners := polygon(at, 1.2*g.radius, 4, math.Pi/4)
			f.Stroke(line(glyphLine, g.ink), []point{corners[0], corners[2]}, []point{corners[1], corners[3]})
		}
	}
}

// glyphLine is the width of the lines that glyphs are made of.
const glyphLine = 1.0

// polygon returns the corners of a regular polygon around a point, the first at an angle.
func polygon(at point, radius float64, n int, angle float64) []point {
	corners := make([]point, n)
	for i := range corners {
		sin, cos := math.Sincos(angle + 2*math.Pi*float64(i)/float64(n))
		corners[i] = point{X: at.X + radius*cos, Y: at.Y + radius*sin}
	}
	return corners
}
