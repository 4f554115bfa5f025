package plot

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"beziergp/plot/canvas"
)

// Chart is panels of points and lines with one legend: series of one name look alike
// in all of them.
type Chart struct {
	Columns int // panels side by side, at least 1
	Panels  []ChartPanel
}

// ChartPanel is a pair of axes with at least one series.
type ChartPanel struct {
	Title, X, Y string
	LogX, LogY  bool // only for numbers above 0
	Series      []Series
}

// Series is points of finite numbers, at least one.
type Series struct {
	Name   string
	X, Y   []float64
	Joined bool // by a line
}

const (
	panelHeight  = 190.0
	legendHeight = 14.0
)

// Draw draws the chart.
func (c Chart) Draw() (*canvas.Canvas, error) {
	if err := c.check(); err != nil {
		return nil, err
	}
	rows := (len(c.Panels) + c.Columns - 1) / c.Columns
	names := c.names()
	lines := newFigure(pictureWidth, panelHeight).names(names, 0) // to learn how many
	f := newFigure(pictureWidth, float64(rows)*panelHeight+float64(lines)*legendHeight+8)
	f.names(names, float64(lines)*legendHeight)
	for i, p := range c.Panels {
		top := f.Max.Y - float64(i/c.Columns)*panelHeight
		row := rect{Min: point{X: f.Min.X + 6, Y: top - panelHeight + 8}, Max: point{X: f.Max.X - 4, Y: top - 6}}
		f.chartPanel(row.Columns(c.Columns, 14)[i%c.Columns], p, names)
	}
	return f.Canvas, nil
}

func (c Chart) check() error {
	if len(c.Panels) == 0 {
		return errNothing
	}
	if c.Columns < 1 {
		return errors.New("a chart has at least one column")
	}
	for _, p := range c.Panels {
		if len(p.Series) == 0 {
			return fmt.Errorf("panel %q: %w", p.Title, errNothing)
		}
		for _, s := range p.Series {
			if len(s.X) == 0 || len(s.X) != len(s.Y) {
				return fmt.Errorf("panel %q, series %q: %d and %d values", p.Title, s.Name, len(s.X), len(s.Y))
			}
			for i := range s.X {
				if !drawable(s.X[i], p.LogX) || !drawable(s.Y[i], p.LogY) {
					return fmt.Errorf("panel %q, series %q: the point (%g, %g) cannot be drawn", p.Title, s.Name, s.X[i], s.Y[i])
				}
			}
		}
	}
	return nil
}

func drawable(v float64, log bool) bool {
	return !math.IsNaN(v) && !math.IsInf(v, 0) && (!log || v > 0)
}

// names returns those of all series.
func (c Chart) names() (names []string) {
	for _, p := range c.Panels {
		for _, s := range p.Series {
			if !slices.Contains(names, s.Name) {
				names = append(names, s.Name)
			}
		}
	}
	return names
}

// look returns how the k-th series looks: colours in turn, then other shapes.
func look(k int) glyph {
	inks := [...]ink{blue, orange, green, purple, amber, sky, black}
	shapes := [...]shape{disc, box, triangle, ring, cross}
	return glyph{shape: shapes[k/len(inks)%len(shapes)], radius: 2.4, ink: inks[k%len(inks)]}
}

// names writes what series are called, from a height down, and returns its lines.
func (f *figure) names(names []string, from float64) (lines int) {
	at := point{X: f.Min.X + 10, Y: from - legendHeight/2}
	lines = 1
	for k, name := range names {
		entry := key{glyph: look(k)}
		var l lettering
		l, entry.means = fitted(small().in(black), name, f.Max.X-f.Min.X-20-entry.width(small()))
		if at.X > f.Min.X+10 && at.X+entry.width(l) > f.Max.X {
			at.X, at.Y, lines = f.Min.X+10, at.Y-legendHeight, lines+1
		}
		f.key(at, entry, l)
		at.X += entry.width(l)
	}
	return lines
}

// chartPanel draws a panel; names tell which look a series has.
func (f *figure) chartPanel(r rect, c ChartPanel, names []string) {
	var x, y [][]float64
	for _, s := range c.Series {
		x, y = append(x, s.X), append(y, s.Y)
	}
	p := f.panel(r, c.Title, chartAxis(c.X, c.LogX, x), chartAxis(c.Y, c.LogY, y))
	for _, s := range c.Series {
		style := look(slices.Index(names, s.Name))
		if s.Joined {
			p.curve(line(thinLine, style.ink), s.X, s.Y)
		}
		p.scatter(style, s.X, s.Y)
	}
}

func chartAxis(label string, log bool, values [][]float64) axis {
	if log {
		return spanningLog(label, values...)
	}
	return spanning(label, values...)
}
