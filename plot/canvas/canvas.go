// Package canvas is what pictures are drawn on: areas, lines, discs and texts, which
// are written as SVG or as PNG.
//
// Lengths are in points, 1/72 inch. The origin is at the lower left.
//
// A reader of an SVG has fonts of their own, so nothing in a picture hangs on the width
// of one: a text is anchored at its left end, its middle or its right end and laid out
// by the program that shows it, and [Text.Width], which tells how much room it takes, is
// that in the widest of several common fonts.
package canvas

// Point is a place.
type Point struct{ X, Y float64 }

// Rect is an upright rectangle.
type Rect struct{ Min, Max Point }

// Ink is an opaque colour, 0xRRGGBB. The zero Ink is none.
type Ink uint32

// RGBA makes an Ink a color.Color.
func (i Ink) RGBA() (r, g, b, a uint32) {
	return uint32(i>>16&0xff) * 0x101, uint32(i>>8&0xff) * 0x101, uint32(i&0xff) * 0x101, 0xffff
}

// Pen is the look of a line, which is drawn where its width is above 0.
type Pen struct {
	Width  float64
	Ink    Ink
	Dashes []float64 // lengths of strokes and gaps in turn; nil for a solid line
}

// Canvas is a picture. What is drawn later covers what is there, but for texts, which lie
// above all else.
type Canvas struct {
	Rect  // all of it; Min is the origin
	marks []mark
	texts []Text
}

// mark is areas, lines, or discs around points.
type mark struct {
	fill   Ink     // of areas and discs; none of lines
	pen    Pen     // of lines, and of the edges of areas
	radius float64 // of discs; 0 for areas and lines
	paths  [][]Point
}

const background Ink = 0xffffff

// New returns an empty picture. It is white, for it has to be read on a dark page too.
func New(width, height float64) *Canvas {
	return &Canvas{Rect: Rect{Max: Point{width, height}}}
}

// Fill fills polygons.
func (c *Canvas) Fill(ink Ink, outlines ...[]Point) { c.Area(ink, Pen{}, outlines...) }

// Area fills polygons and draws their edges.
func (c *Canvas) Area(ink Ink, edge Pen, outlines ...[]Point) {
	c.marks = append(c.marks, mark{fill: ink, pen: edge, paths: outlines})
}

// Stroke draws lines.
func (c *Canvas) Stroke(pen Pen, lines ...[]Point) {
	if pen.Width > 0 {
		c.marks = append(c.marks, mark{pen: pen, paths: lines})
	}
}

// Discs draws discs around points.
func (c *Canvas) Discs(ink Ink, radius float64, centers ...Point) {
	if len(centers) > 0 {
		c.marks = append(c.marks, mark{fill: ink, radius: radius, paths: [][]Point{centers}})
	}
}

// Write writes a text.
func (c *Canvas) Write(t Text) { c.texts = append(c.texts, t) }

// Texts returns the texts of the picture, in order.
func (c *Canvas) Texts() []Text { return c.texts }

// Size returns the width and the height.
func (r Rect) Size() (width, height float64) { return r.Max.X - r.Min.X, r.Max.Y - r.Min.Y }

// Inset returns r without margins.
func (r Rect) Inset(left, right, bottom, top float64) Rect {
	return Rect{Point{r.Min.X + left, r.Min.Y + bottom}, Point{r.Max.X - right, r.Max.Y - top}}
}

// Columns cuts r into n rectangles of one width side by side.
func (r Rect) Columns(n int, gap float64) (parts []Rect) {
	width := (r.Max.X - r.Min.X - gap*float64(n-1)) / float64(n)
	for i := range n {
		left := r.Min.X + float64(i)*(width+gap)
		parts = append(parts, Rect{Point{left, r.Min.Y}, Point{left + width, r.Max.Y}})
	}
	return parts
}

// Corners returns the outline of r.
func (r Rect) Corners() []Point {
	return []Point{r.Min, {r.Max.X, r.Min.Y}, r.Max, {r.Min.X, r.Max.Y}}
}

// Contains tells whether a point lies in r or on its edge.
func (r Rect) Contains(p Point) bool {
	return r.Min.X <= p.X && p.X <= r.Max.X && r.Min.Y <= p.Y && p.Y <= r.Max.Y
}
