package plot

import (
	"cmp"
	"errors"
	"slices"

	"beziergp/plot/canvas"
)

// Field is panels one below the other, each a point for each of several methods. Their
// names stand beside the data, in the order of the points from above, so that none hides
// another. It is narrow enough to be read on a telephone.
type Field struct {
	Panels []FieldPanel
}

// FieldPanel is a pair of axes with at least one point.
type FieldPanel struct {
	Title, X, Y string
	LogX, LogY  bool // only for numbers above 0
	Points      []FieldPoint
}

// FieldPoint is a method's. Where Low and High are not both 0 a bar reaches from one to the other.
type FieldPoint struct {
	Name            string
	X, Y, Low, High float64
}

func (p FieldPoint) hasBar() bool { return p.Low != 0 || p.High != 0 }

const (
	fieldWidth  = 375.0
	fieldNames  = 168.0 // of which names stand in
	fieldHeight = 230.0
	nameHeight  = 12.5
	panelSpace  = marginTop + marginBottom
)

// Draw draws the field. Points of one name look alike in all panels.
func (c Field) Draw() (*canvas.Canvas, error) {
	if len(c.Panels) == 0 {
		return nil, errNothing
	}
	var names []string
	var heights []float64
	total := 8.0
	for _, p := range c.Panels {
		if err := p.check(); err != nil {
			return nil, err
		}
		for _, point := range p.Points {
			if !slices.Contains(names, point.Name) {
				names = append(names, point.Name)
			}
		}
		height := max(fieldHeight, float64(len(p.Points))*nameHeight+panelSpace)
		heights, total = append(heights, height), total+height
	}
	f := newFigure(fieldWidth, total)
	top := f.Max.Y
	for i, p := range c.Panels {
		f.fieldPanel(rect{Min: point{X: f.Min.X + 6, Y: top - heights[i] + 8}, Max: point{X: f.Max.X - 4, Y: top - 6}}, p, names)
		top -= heights[i]
	}
	return f.Canvas, nil
}

func (p FieldPanel) check() error {
	if len(p.Points) == 0 {
		return errNothing
	}
	for _, point := range p.Points {
		if !drawable(point.X, p.LogX) || !drawable(point.Y, p.LogY) || point.hasBar() && !(drawable(point.Low, p.LogY) && drawable(point.High, p.LogY)) {
			return errors.New("panel " + p.Title + ": the point of " + point.Name + " cannot be drawn")
		}
	}
	return nil
}

// fieldPanel draws a panel; all names tell which look a point has.
func (f *figure) fieldPanel(r rect, c FieldPanel, all []string) {
	points := slices.Clone(c.Points)
	slices.SortStableFunc(points, func(a, b FieldPoint) int { return cmp.Compare(b.Y, a.Y) })
	var x, y, ends []float64
	for _, point := range points {
		x, y = append(x, point.X), append(y, point.Y)
		if point.hasBar() {
			ends = append(ends, point.Low, point.High)
		}
	}
	data := r
	data.Max.X -= fieldNames
	p := f.panel(data, c.Title, chartAxis(c.X, c.LogX, [][]float64{x}), chartAxis(c.Y, c.LogY, [][]float64{append(slices.Clone(y), ends...)}))
	wanted := make([]float64, len(points))
	for i := range points {
		wanted[i] = p.at(x[i], y[i]).Y
	}
	lines := apart(wanted, nameHeight, p.data.Min.Y+nameHeight/2, p.data.Max.Y)
	names := p.data.Max.X + 14
	for i := range points {
		at := p.at(x[i], y[i])
		f.Stroke(line(hairline, gray), []point{at, {X: p.data.Max.X, Y: lines[i]}, {X: names - 2, Y: lines[i]}})
	}
	for i, own := range points {
		style := look(slices.Index(all, own.Name))
		style.radius = 3
		if own.hasBar() {
			p.segment(line(thinLine, style.ink), own.X, own.Low, own.X, own.High)
		}
		f.glyphs(style, p.at(x[i], y[i]))
		entry := key{glyph: style}
		var l lettering
		l, entry.means = fitted(small().in(black), own.Name, r.Max.X-names-entry.width(small()))
		f.key(point{X: names, Y: lines[i]}, entry, l)
	}
}

// apart returns heights that are at least a gap apart, in the order of those wanted, which
// fall, and near to them, from lo to hi as far as there is room.
func apart(wanted []float64, gap, lo, hi float64) []float64 {
	placed := slices.Clone(wanted)
	// What lies too close makes a block around the middle of what its members want.
	type block struct {
		first, count int
		middle       float64
	}
	var blocks []block
	for i, v := range placed {
		blocks = append(blocks, block{i, 1, v})
		for n := len(blocks); n > 1; n = len(blocks) {
			a, b := blocks[n-2], blocks[n-1]
			if a.middle-b.middle >= gap*float64(a.count+b.count)/2 {
				break
			}
			merged := block{a.first, a.count + b.count, (a.middle*float64(a.count) + b.middle*float64(b.count)) / float64(a.count+b.count)}
			blocks = append(blocks[:n-2], merged)
		}
	}
	for _, b := range blocks {
		half := gap * float64(b.count-1) / 2
		for i := range b.count {
			placed[b.first+i] = b.middle + half - gap*float64(i)
		}
	}
	// Whatever the edges push in pushes its neighbours.
	for i, limit := 0, hi; i < len(placed); i++ {
		placed[i] = min(placed[i], limit)
		limit = placed[i] - gap
	}
	for i, limit := len(placed)-1, lo; i >= 0; i-- {
		placed[i] = max(placed[i], limit)
		limit = placed[i] + gap
	}
	return placed
}
