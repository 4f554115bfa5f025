package plot

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"beziergp/plot/canvas"
)

// Waterfall is the prediction of one row, column by column.
type Waterfall struct {
	Target  string
	Columns []string
	Cells   []string  // what the columns hold, [columns]
	Values  []float64 // what they add, [columns]
	Base    float64
	Row     int
	Most    int // columns that are drawn; the others are one
}

// step is a bar of a waterfall.
type step struct {
	name  string
	value float64
}

// steps returns the bars, the largest first.
func (o Waterfall) steps() (steps []step) {
	order := make([]int, len(o.Values))
	for k := range order {
		order[k] = k
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(math.Abs(o.Values[j]), math.Abs(o.Values[i])) })
	rest, others := 0.0, 0
	for i, k := range order {
		if i >= o.Most && len(order) > o.Most+1 {
			rest, others = rest+o.Values[k], others+1
			continue
		}
		name := o.Columns[k]
		if o.Cells != nil {
			name += " = " + o.Cells[k]
		}
		steps = append(steps, step{name, o.Values[k]})
	}
	if others > 0 {
		steps = append(steps, step{fmt.Sprintf("%d others", others), rest})
	}
	return steps
}

// Draw draws a bar a column, from the base at the top to the prediction at the bottom.
func (o Waterfall) Draw() (*canvas.Canvas, error) {
	if len(o.Values) == 0 {
		return nil, errNothing
	}
	steps := o.steps()
	course := []float64{o.Base}
	for _, s := range steps {
		course = append(course, course[len(course)-1]+s.value)
	}
	prediction := course[len(steps)]
	f := newFigure(pictureWidth, float64(len(steps)+2)*lineHeight+marginTop+marginBottom+2)
	f.headline(fmt.Sprintf("Row %d: %s predicted for %s", o.Row, significant(prediction, 4), o.Target))
	room := width(plain(), "without any column")
	for _, s := range steps {
		room = max(room, width(plain(), s.name))
	}
	room = min(room, 0.4*pictureWidth)
	r := f.Rect.Inset(6+room-marginLeft+10, 6, 6, 0) // the headline is its title
	x := spanning(o.Target, course)
	margin := 0.12 * (x.hi - x.lo) // for the numbers
	x.lo, x.hi = x.lo-margin, x.hi+margin
	last := float64(len(steps) + 1)
	p := f.panel(r, "", x, axis{lo: -0.5, hi: last + 0.5, ticks: []float64{}})
	name := func(at float64, s string) {
		l, s := fitted(plain(), s, room)
		p.write(l, point{X: p.data.Min.X - 5, Y: p.at(x.lo, at).Y}, canvas.End, canvas.Center, s)
	}
	end := func(at, v float64, what string) {
		name(at, what)
		p.segment(line(thickLine, black), v, at-0.4, v, at+0.4)
		h := p.at(v, at)
		p.write(plain(), point{X: h.X + 5, Y: h.Y}, canvas.Start, canvas.Center, significant(v, 4))
	}
	end(last, o.Base, "without any column")
	for i, s := range steps {
		at := last - 1 - float64(i)
		from, to := course[i], course[i+1]
		name(at, s.name)
		p.segment(line(hairline, gray), from, at+0.35, from, at+1)
		color := orange
		if s.value < 0 {
			color = blue
		}
		p.Fill(color, rect{Min: p.at(min(from, to), at-0.35), Max: p.at(max(from, to), at+0.35)}.Corners())
		label, h := significant(math.Abs(s.value), 3), p.at(max(from, to), at)
		sign, anchor := "+", canvas.Start
		if h.X += 4; s.value < 0 {
			sign, anchor = "−", canvas.End
			h.X = p.at(min(from, to), at).X - 4
		}
		p.write(small().in(color), h, anchor, canvas.Center, sign+label)
	}
	p.segment(line(hairline, gray), prediction, 0.4, prediction, 1)
	end(0, prediction, "prediction")
	return f.Canvas, nil
}
