package plot

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"beziergp/plot/canvas"
)

// Attributions are what columns add to the predictions of rows, which come one by one.
type Attributions struct {
	Target  string
	Columns []string

	rows   int
	sums   []float64 // of absolute values, by column
	every  int       // so many rows one is drawn
	values [][]float64
	at     [][]float64
}

// mostSwarm is how many rows a swarm has at most, and half of it at least.
const mostSwarm = 600

// Add takes in a row: what each column adds, and where the value of the column lies from 0 to
// 1, NaN where it has no order or none is known.
func (a *Attributions) Add(values, at []float64) {
	if a.sums == nil {
		a.sums, a.every = make([]float64, len(values)), 1
	}
	for k, v := range values {
		a.sums[k] += math.Abs(v)
	}
	if a.rows%a.every == 0 {
		a.values, a.at = append(a.values, slices.Clone(values)), append(a.at, slices.Clone(at))
	}
	if a.rows++; len(a.values) < mostSwarm {
		return
	}
	half := len(a.values) / 2
	for i := range half {
		a.values[i], a.at[i] = a.values[2*i], a.at[2*i]
	}
	a.values, a.at, a.every = a.values[:half], a.at[:half], 2*a.every
}

const (
	lineHeight = 19.0 // of a column
	mostNames  = 130.0
)

// Draw draws how much the columns matter that matter most, and the values of rows.
func (a *Attributions) Draw(most int) (*canvas.Canvas, error) {
	if a.rows == 0 {
		return nil, errNothing
	}
	order := make([]int, len(a.Columns))
	for k := range order {
		order[k] = k
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(a.sums[j], a.sums[i]) })
	order = order[:min(most, len(order))]
	f := newFigure(pictureWidth, float64(len(order))*lineHeight+marginTop+marginBottom+30)
	headline := fmt.Sprintf("What columns add to %s, of %d rows", a.Target, a.rows)
	if len(order) < len(a.Columns) {
		headline += fmt.Sprintf(": %d of %d columns", len(order), len(a.Columns))
	}
	f.headline(headline)
	room := 0.0
	for _, k := range order {
		room = max(room, width(plain(), a.Columns[k]))
	}
	room = min(room, mostNames)
	area := f.Rect.Inset(6+room-marginLeft+10, 6, 6, 24)
	split := area.Min.X + 0.38*(area.Max.X-area.Min.X)
	left, right := area, area
	left.Max.X, right.Min.X = split, split-marginLeft+12
	lines := axis{lo: -0.5, hi: float64(len(order)) - 0.5, ticks: []float64{}}
	a.bars(f, left, order, lines, room)
	a.swarms(f, right, order, lines)
	return f.Canvas, nil
}

// bars draws the mean of absolute values.
func (a *Attributions) bars(f *figure, r rect, order []int, lines axis, room float64) {
	largest := 0.0
	for _, k := range order {
		largest = max(largest, a.sums[k]/float64(a.rows))
	}
	if largest == 0 {
		largest = 1
	}
	p := f.panel(r, "Mean of |value|", axis{label: a.Target, hi: 1.04 * largest}, lines)
	for i, k := range order {
		at := float64(len(order) - 1 - i)
		from, to := p.at(0, at-0.32), p.at(a.sums[k]/float64(a.rows), at+0.32)
		p.Fill(blue, rect{Min: from, Max: to}.Corners())
		l, s := fitted(plain(), a.Columns[k], room)
		p.write(l, point{X: p.data.Min.X - 5, Y: (from.Y + to.Y) / 2}, canvas.End, canvas.Center, s)
	}
}

// swarms draws a point a row and column.
func (a *Attributions) swarms(f *figure, r rect, order []int, lines axis) {
	all := []float64{0}
	for _, values := range a.values {
		for _, k := range order {
			all = append(all, values[k])
		}
	}
	x := spanning(a.Target, all)
	p := f.panel(r, "Value of a row", x, lines)
	p.segment(line(thinLine, gray), 0, lines.lo, 0, lines.hi)
	const shades, radius, reach = 7, 1.5, 0.44
	unordered := false
	for i, k := range order {
		middle := p.at(0, float64(len(order)-1-i)).Y
		points := make([][]point, shades+1) // the last of no order
		taken := map[int]int{}              // points in a column of the width of one
		for row, values := range a.values {
			at := p.at(values[k], 0)
			cell := int(math.Round(at.X / (1.4 * radius)))
			n := taken[cell]
			taken[cell]++
			// Up and down in turn, and anew from the middle where there is no more room.
			step := float64((n+1)/2) * 1.3 * radius
			step = math.Mod(step, reach*lineHeight)
			if n%2 == 1 {
				step = -step
			}
			shade := shades
			if t := a.at[row][k]; t == t {
				shade = min(int(t*shades), shades-1)
			} else {
				unordered = true
			}
			points[shade] = append(points[shade], point{X: at.X, Y: middle + step})
		}
		for shade, own := range points {
			p.Discs(a.shade(shade, shades), radius, own...)
		}
	}
	keys := []key{
		{means: "low value of the column", glyph: dot(2.2, a.shade(0, shades))},
		{means: "high", glyph: dot(2.2, a.shade(shades-1, shades))},
	}
	if unordered {
		keys = append(keys, key{means: "no order, or missing", glyph: dot(2.2, gray)})
	}
	p.legend(keys...)
}

// shade is the ink of a part of the values; light yellow is too pale for points.
func (a *Attributions) shade(k, of int) ink {
	if k == of {
		return gray
	}
	return ramp(0.88 * float64(k) / float64(of-1))
}
