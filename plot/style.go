package plot

import "beziergp/plot/canvas"

// What pictures are drawn with.
type (
	point = canvas.Point
	rect  = canvas.Rect
	ink   = canvas.Ink
	pen   = canvas.Pen
)

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
	pictureWidth = 660.0

	sizeText  = 9.5
	sizeSmall = 8.5
	sizeTitle = 10.5

	hairline  = 0.5
	thinLine  = 0.8
	thickLine = 1.6
)

// line is a solid line.
func line(width float64, c ink) pen { return pen{Width: width, Ink: c} }

// dashed is a broken line.
func dashed(width float64, c ink) pen {
	return pen{Width: width, Ink: c, Dashes: []float64{4, 3}}
}

// lettering is the look of a text.
type lettering struct {
	size float64
	ink  ink
	bold bool
}

func (l lettering) in(c ink) lettering { l.ink = c; return l }

func (l lettering) sized(size float64) lettering { l.size = size; return l }

func plain() lettering { return lettering{size: sizeText, ink: black} }

func small() lettering { return lettering{size: sizeSmall, ink: gray} }

func bold() lettering { return lettering{size: sizeTitle, ink: black, bold: true} }

// ramp returns the colour at t in [0, 1] of a scale from dark blue to light yellow
// whose lightness grows evenly (five colours of viridis: Smith & van der Walt, 2015).
func ramp(t float64) ink {
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
