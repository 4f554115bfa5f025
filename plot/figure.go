package plot

import "beziergp/plot/canvas"

// figure is a picture being drawn.
type figure struct{ *canvas.Canvas }

// newFigure returns a white picture.
func newFigure(width, height float64) *figure { return &figure{canvas.New(width, height)} }

// text returns a text whose point (along, across) is put at p.
func text(l lettering, p point, along canvas.Anchor, across canvas.Rise, pieces ...canvas.Piece) canvas.Text {
	return canvas.Text{At: p, Anchor: along, Rise: across, Pieces: pieces, Size: l.size, Ink: l.ink, Bold: l.bold}
}

// write puts a text with its point (along, across) at p.
func (f *figure) write(l lettering, p point, along canvas.Anchor, across canvas.Rise, s string) {
	f.Write(text(l, p, along, across, canvas.Piece{S: s}))
}

// width returns the room that a text takes, in whatever font.
func width(l lettering, s string) float64 {
	return text(l, point{}, canvas.Start, canvas.Baseline, canvas.Piece{S: s}).Width()
}

// smallest is the share of its size that a text may be made smaller to.
const smallest = 0.8

// fitted returns a text that takes no more than a room in whatever font: smaller, and
// where that is not enough, cut off.
func fitted(l lettering, s string, room float64) (lettering, string) {
	wide := width(l, s)
	if wide <= room {
		return l, s
	}
	l = l.sized(l.size * max(smallest, room/wide))
	for letters := []rune(s); len(letters) > 0 && width(l, s) > room; {
		letters = letters[:len(letters)-1]
		s = string(letters) + "…"
	}
	return l, s
}

// headline writes a line at the top of the picture.
func (f *figure) headline(s string) {
	l, s := fitted(bold().sized(12), s, f.Max.X-12)
	f.write(l, point{X: 6, Y: f.Max.Y - 8}, canvas.Start, canvas.Top, s)
}
