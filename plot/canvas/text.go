package canvas

// Text is a line of text in one place.
type Text struct {
	At      Point
	Anchor  Anchor // which point of the text is at At, along its line
	Rise    Rise   // and across it
	Pieces  []Piece
	Size    float64
	Ink     Ink
	Bold    bool
	Upright bool // turned by a quarter: it reads upwards
}

// Piece is a part of a text.
type Piece struct {
	S     string
	Index bool // smaller and below the line
	Ink   Ink  // none for that of the text
}

// Anchor is a point along a text.
type Anchor int

// The anchors that every program that shows SVG knows.
const (
	Start Anchor = iota
	Middle
	End
)

// Rise is a height of a text.
type Rise int

// Letters stand on the baseline. Their heights differ little between fonts.
const (
	Baseline Rise = iota
	Center        // the middle of capitals
	Top           // the top of capitals
)

// Shares of the size of a font. Capitals are 0.69 high in Liberation Sans, 0.72 in
// Arial, 0.73 in DejaVu Sans.
const (
	capital = 0.71
	above   = 0.78 // what accents and brackets reach
	below   = 0.24
	index   = 0.72 // the size of an index
	lowered = 0.26 // and how far its baseline lies below that of the text
)

// baseline returns where the text's baseline has its anchor.
func (t Text) baseline() Point {
	p, down := t.At, float64(t.Rise)/2*capital*t.Size
	if t.Upright {
		p.X += down
	} else {
		p.Y -= down
	}
	return p
}

// Width returns the room that the text takes along its line in the widest of [Faces].
func (t Text) Width() float64 {
	width := 0.0
	for _, f := range Faces {
		width = max(width, t.WidthIn(f))
	}
	return width
}

// WidthIn returns the width of the text in one font.
func (t Text) WidthIn(f Face) (width float64) {
	for _, p := range t.Pieces {
		size := t.Size
		if p.Index {
			size *= index
		}
		for _, r := range p.S {
			width += f.advance(r, t.Bold) * size
		}
	}
	return width
}

// Box returns the place that the text takes in one font.
func (t Text) Box(f Face) Rect {
	p, width := t.baseline(), t.WidthIn(f)
	start := float64(t.Anchor) / 2 * width
	under := below * t.Size
	for _, piece := range t.Pieces {
		if piece.Index {
			under = (lowered + below*index) * t.Size
		}
	}
	if t.Upright {
		return Rect{Point{p.X - above*t.Size, p.Y - start}, Point{p.X + under, p.Y - start + width}}
	}
	return Rect{Point{p.X - start, p.Y - under}, Point{p.X - start + width, p.Y + above*t.Size}}
}
