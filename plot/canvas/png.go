package canvas

import (
	"image"
	"image/draw"
	"image/png"
	"io"
	"math"

	"golang.org/x/image/vector"
)

// pixels are those of a point: a browser takes a point for 96/72 pixels, of which a
// screen of today has two for one.
const pixels = 2 * 96.0 / 72

// writePNG writes the picture as PNG, with twice as many pixels either way as the SVG has
// where a browser shows it. The font has Latin, Greek and Cyrillic letters; other
// characters are boxes.
func (c *Canvas) writePNG(w io.Writer) error {
	width, height := c.Size()
	p := &raster{
		img:    image.NewRGBA(image.Rect(0, 0, int(math.Ceil(width*pixels)), int(math.Ceil(height*pixels)))),
		bottom: height,
	}
	draw.Draw(p.img, p.img.Bounds(), image.NewUniform(background), image.Point{}, draw.Src)
	for _, m := range c.marks {
		p.mark(m)
	}
	for _, t := range c.texts {
		if err := p.text(t); err != nil {
			return err
		}
	}
	return png.Encode(w, p.img)
}

// raster is an image being drawn.
type raster struct {
	img    *image.RGBA
	bottom float64 // the height of the picture: in an image, heights are from the top
	fill   vector.Rasterizer
}

// dots maps points of the picture to pixels.
func (p *raster) dots(path []Point) []Point {
	out := make([]Point, len(path))
	for i, at := range path {
		out[i] = Point{pixels * at.X, pixels * (p.bottom - at.Y)}
	}
	return out
}

func (p *raster) mark(m mark) {
	var dashes []float64
	for _, length := range m.pen.Dashes {
		dashes = append(dashes, pixels*length)
	}
	for _, path := range m.paths {
		path = p.dots(path)
		if m.radius > 0 {
			for _, center := range path {
				p.area(m.fill, disc(center, pixels*m.radius))
			}
			continue
		}
		if m.fill != 0 {
			p.area(m.fill, path)
			path = append(path, path[:min(1, len(path))]...) // its edge goes around
		}
		if m.pen.Width > 0 {
			for _, part := range dashed(path, dashes) {
				p.area(m.pen.Ink, strokes(part, pixels*m.pen.Width)...)
			}
		}
	}
}

// area fills the union of polygons that turn the same way, given in pixels.
func (p *raster) area(ink Ink, outlines ...[]Point) {
	lo, hi := Point{math.Inf(1), math.Inf(1)}, Point{math.Inf(-1), math.Inf(-1)}
	for _, outline := range outlines {
		for _, at := range outline {
			lo, hi = Point{min(lo.X, at.X), min(lo.Y, at.Y)}, Point{max(hi.X, at.X), max(hi.Y, at.Y)}
		}
	}
	// The rasterizer is as large as what it draws, not as the picture.
	box := image.Rect(int(math.Floor(lo.X)), int(math.Floor(lo.Y)), int(math.Ceil(hi.X)), int(math.Ceil(hi.Y))).Intersect(p.img.Bounds())
	if !(lo.X <= hi.X) || box.Empty() {
		return
	}
	p.fill.Reset(box.Dx(), box.Dy())
	local := func(at Point) (x, y float32) {
		return float32(at.X) - float32(box.Min.X), float32(at.Y) - float32(box.Min.Y)
	}
	for _, outline := range outlines {
		for i, at := range outline {
			x, y := local(at)
			if i == 0 {
				p.fill.MoveTo(x, y)
			} else {
				p.fill.LineTo(x, y)
			}
		}
		p.fill.ClosePath()
	}
	p.fill.Draw(p.img, box, image.NewUniform(ink), image.Point{})
}
