package plot

import (
	"image/color"

	"golang.org/x/image/font"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// ink is a colour, 0xRRGGBB.
type ink uint32

// RGBA makes an ink a color.Color.
func (i ink) RGBA() (r, g, b, a uint32) {
	return uint32(i>>16&0xff) * 0x101, uint32(i>>8&0xff) * 0x101, uint32(i&0xff) * 0x101, 0xffff
}

// The inks of data are those of Okabe & Ito, Color Universal Design, 2008, which
// readers with any colour vision tell apart; tints are the same on white.
const (
	white     ink = 0xffffff
	black     ink = 0x1f2328
	gray      ink = 0x6e7781
	lightGray ink = 0xd5d9de
	paleGray  ink = 0xeceef1
	blue      ink = 0x0072b2
	paleBlue  ink = 0xc5dff0
	orange    ink = 0xd55e00
	green     ink = 0x009e73
	purple    ink = 0xcc79a7
	amber     ink = 0xe69f00
	sky       ink = 0x56b4e9
)

// Lengths are in points; a picture is about as wide as the column that shows it.
const (
	pictureWidth vg.Length = 660

	sizeText  vg.Length = 9.5
	sizeSmall vg.Length = 8.5
	sizeTitle vg.Length = 10.5

	hairline  vg.Length = 0.5
	thinLine  vg.Length = 0.8
	thickLine vg.Length = 1.6
)

// line is a solid line.
func line(width vg.Length, c color.Color) draw.LineStyle {
	return draw.LineStyle{Width: width, Color: c}
}

// dashed is a broken line.
func dashed(width vg.Length, c color.Color) draw.LineStyle {
	return draw.LineStyle{Width: width, Color: c, Dashes: []vg.Length{4, 3}}
}

// dot is a filled circle.
func dot(radius vg.Length, c color.Color) draw.GlyphStyle {
	return draw.GlyphStyle{Radius: radius, Color: c, Shape: draw.CircleGlyph{}}
}

// lettering is the look of a text.
type lettering struct {
	size   vg.Length
	color  color.Color
	weight font.Weight
}

func (l lettering) in(c color.Color) lettering { l.color = c; return l }

func (l lettering) sized(size vg.Length) lettering { l.size = size; return l }

func plain() lettering { return lettering{size: sizeText, color: black} }

func small() lettering { return lettering{size: sizeSmall, color: gray} }

func bold() lettering { return lettering{size: sizeTitle, color: black, weight: font.WeightBold} }

// ramp returns the colour at t in [0, 1] of a scale from dark blue to light yellow
// whose lightness grows evenly (five colours of viridis: Smith & van der Walt, 2015).
func ramp(t float64) color.Color {
	stops := [...]ink{0x440154, 0x3b528b, 0x21918c, 0x5ec962, 0xfde725}
	at := min(max(t, 0), 1) * float64(len(stops)-1)
	i := min(int(at), len(stops)-2)
	return blend(stops[i], stops[i+1], at-float64(i))
}

// blend returns the ink a share t of the way from a to b.
func blend(a, b ink, t float64) ink {
	mix := func(shift uint) ink {
		from, to := float64(a>>shift&0xff), float64(b>>shift&0xff)
		return ink(from+t*(to-from)+0.5) << shift
	}
	return mix(16) | mix(8) | mix(0)
}
