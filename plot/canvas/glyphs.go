package canvas

import (
	"fmt"
	"image"
	"sync"

	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
)

// goFonts returns the fonts of PNG: regular and bold.
var goFonts = sync.OnceValues(func() (fonts [2]*sfnt.Font, err error) {
	for i, file := range [...][]byte{goregular.TTF, gobold.TTF} {
		if fonts[i], err = sfnt.Parse(file); err != nil {
			return fonts, fmt.Errorf("font of the pictures: %w", err)
		}
	}
	return fonts, nil
})

// text draws a text, glyph by glyph.
func (p *raster) text(t Text) error {
	fonts, err := goFonts()
	if err != nil {
		return err
	}
	face := fonts[0]
	if t.Bold {
		face = fonts[1]
	}
	// Pieces are laid out along a line from 0 on, and put where the anchor wants them.
	at, start := p.dots([]Point{t.baseline()})[0], -float64(t.Anchor)/2*t.WidthIn(Go)*pixels
	var buffer sfnt.Buffer
	for _, piece := range t.Pieces {
		size, down, ink := t.Size*pixels, 0.0, t.Ink
		if piece.Index {
			size, down = index*size, lowered*size
		}
		if piece.Ink != 0 {
			ink = piece.Ink
		}
		ppem := fixed.Int26_6(64*size + 0.5)
		for _, r := range piece.S {
			glyph, err := face.GlyphIndex(&buffer, r)
			if err != nil {
				return err
			}
			segments, err := face.LoadGlyph(&buffer, glyph, ppem, nil)
			if err != nil {
				return err
			}
			p.glyph(ink, segments, func(x, y float64) (float32, float32) {
				along, across := start+x, down+y
				if t.Upright {
					return float32(at.X + across), float32(at.Y - along)
				}
				return float32(at.X + along), float32(at.Y + across)
			})
			advance, err := face.GlyphAdvance(&buffer, glyph, ppem, font.HintingNone)
			if err != nil {
				return err
			}
			start += float64(advance) / 64
		}
	}
	return nil
}

// glyph fills an outline whose points place maps to pixels.
func (p *raster) glyph(ink Ink, segments sfnt.Segments, place func(x, y float64) (float32, float32)) {
	var lo, hi [2]float32
	for i, s := range segments {
		for k, arg := range s.Args[:points(s.Op)] {
			x, y := place(float64(arg.X)/64, float64(arg.Y)/64)
			if i == 0 && k == 0 {
				lo, hi = [2]float32{x, y}, [2]float32{x, y}
			}
			lo, hi = [2]float32{min(lo[0], x), min(lo[1], y)}, [2]float32{max(hi[0], x), max(hi[1], y)}
		}
	}
	box := image.Rect(int(lo[0])-1, int(lo[1])-1, int(hi[0])+2, int(hi[1])+2).Intersect(p.img.Bounds())
	if box.Empty() {
		return
	}
	p.fill.Reset(box.Dx(), box.Dy())
	for _, s := range segments {
		var v [6]float32
		for k, arg := range s.Args[:points(s.Op)] {
			x, y := place(float64(arg.X)/64, float64(arg.Y)/64)
			v[2*k], v[2*k+1] = x-float32(box.Min.X), y-float32(box.Min.Y)
		}
		switch s.Op {
		case sfnt.SegmentOpMoveTo:
			p.fill.ClosePath()
			p.fill.MoveTo(v[0], v[1])
		case sfnt.SegmentOpLineTo:
			p.fill.LineTo(v[0], v[1])
		case sfnt.SegmentOpQuadTo:
			p.fill.QuadTo(v[0], v[1], v[2], v[3])
		case sfnt.SegmentOpCubeTo:
			p.fill.CubeTo(v[0], v[1], v[2], v[3], v[4], v[5])
		}
	}
	p.fill.ClosePath()
	p.fill.Draw(p.img, box, image.NewUniform(ink), image.Point{})
}

// points returns how many points a segment has.
func points(op sfnt.SegmentOp) int {
	return [...]int{sfnt.SegmentOpMoveTo: 1, sfnt.SegmentOpLineTo: 1, sfnt.SegmentOpQuadTo: 2, sfnt.SegmentOpCubeTo: 3}[op]
}
