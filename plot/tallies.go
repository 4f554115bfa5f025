package plot

import (
	"fmt"

	"beziergp/plot/canvas"
)

// Tallies is how many of each of four kinds there are, in one bar for each of several rows and
// columns.
type Tallies struct {
	Kinds   [4]string // what the four counts of a bar are of
	Columns []string
	Rows    []TallyRow
}

// TallyRow has a bar a column.
type TallyRow struct {
	Name   string
	Counts [][4]int
}

const (
	barHeight = 15.0
	barSpace  = 4.0
)

// Draw draws the bars. Their length is the number of all that was counted.
func (o Tallies) Draw() (*canvas.Canvas, error) {
	if len(o.Rows) == 0 || len(o.Columns) == 0 {
		return nil, errNothing
	}
	most := 0
	for _, r := range o.Rows {
		if len(r.Counts) != len(o.Columns) {
			return nil, fmt.Errorf("row %q: %d bars in %d columns", r.Name, len(r.Counts), len(o.Columns))
		}
		for _, own := range r.Counts {
			sum := 0
			for _, n := range own {
				if n < 0 {
					return nil, fmt.Errorf("row %q: a count of %d", r.Name, n)
				}
				sum += n
			}
			most = max(most, sum)
		}
	}
	if most == 0 {
		return nil, errNothing
	}
	f := newFigure(pictureWidth, float64(len(o.Rows))*(barHeight+barSpace)+44)
	inks := [4]ink{blue, lightGray, orange, paleGray}
	letters := [4]ink{white, black, white, gray}
	at := point{X: f.Min.X + 6 + fieldNames, Y: f.Min.Y + 11}
	for k, kind := range o.Kinds {
		entry := key{means: kind, fill: inks[k]}
		f.key(at, entry, small().in(black))
		at.X += entry.width(small())
	}
	columns := rect{Min: point{X: f.Min.X + 6 + fieldNames, Y: f.Min.Y}, Max: point{X: f.Max.X - 6, Y: f.Max.Y}}.Columns(len(o.Columns), 12)
	for c, title := range o.Columns {
		l, title := fitted(bold(), title, columns[c].Max.X-columns[c].Min.X)
		f.write(l, point{X: columns[c].Min.X, Y: f.Max.Y - 6}, canvas.Start, canvas.Top, title)
	}
	for i, r := range o.Rows {
		top := f.Max.Y - 22 - float64(i)*(barHeight+barSpace)
		l, name := fitted(small().in(black), r.Name, fieldNames-8)
		f.write(l, point{X: f.Min.X + fieldNames - 2, Y: top - barHeight/2}, canvas.End, canvas.Center, name)
		for c, own := range r.Counts {
			left, unit := columns[c].Min.X, (columns[c].Max.X-columns[c].Min.X)/float64(most)
			for k, n := range own {
				right := left + float64(n)*unit
				if n > 0 {
					f.Fill(inks[k], rect{Min: point{X: left, Y: top - barHeight}, Max: point{X: right, Y: top}}.Corners())
					l, s := fitted(small().in(letters[k]), fmt.Sprint(n), right-left)
					f.write(l, point{X: (left + right) / 2, Y: top - barHeight/2}, canvas.Middle, canvas.Center, s)
				}
				left = right
			}
		}
	}
	return f.Canvas, nil
}
