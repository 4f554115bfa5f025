package plot

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"beziergp/plot/canvas"
)

// ordered returns the cells in order.
func (c *counts) ordered() (cells [][2]int64) {
	for at := range c.cells {
		cells = append(cells, at)
	}
	slices.SortFunc(cells, func(a, b [2]int64) int {
		return cmp.Or(cmp.Compare(a[1], b[1]), cmp.Compare(a[0], b[0]))
	})
	return cells
}

const (
	// mostAcross is how many cells lie side by side at most, and half of it at least.
	mostAcross = 64
	shades     = 6
	seam       = 0.15 // that cells overlap by, so that no white shows between
)

// density draws how many rows there are of all pairs, in cells that are darker where
// they are more: each shade is of so many times the rows of that before.
func (p *panel) density(c *counts) {
	wide := *c
	if steps := int(math.Ceil(math.Log2((p.x.hi - p.x.lo) / c.value(1) / mostAcross))); steps > 0 {
		wide.coarsen(steps)
	}
	most, beyond := 1, 0
	var shown [][2]int64
	for _, at := range wide.ordered() {
		rows := wide.cells[at].rows
		middle := p.at(wide.value(float64(at[0])+0.5), wide.value(float64(at[1])+0.5))
		if !p.data.Contains(middle) {
			beyond += rows
			continue
		}
		shown, most = append(shown, at), max(most, rows)
	}
	shade := func(rows int) int {
		return min(shades-1, int(shades*math.Log(float64(rows))/math.Log(float64(most)+1)))
	}
	inkOf := func(shade int) ink { return ramp(1 - float64(shade)/(shades-1)) }
	var areas [shades][][]point
	for i := 0; i < len(shown); {
		at, own := shown[i], shade(wide.cells[shown[i]].rows)
		run := int64(0) // cells side by side in one shade are one area
		for ; i < len(shown) && shown[i] == [2]int64{at[0] + run, at[1]} && shade(wide.cells[shown[i]].rows) == own; i++ {
			run++
		}
		low := p.at(wide.value(float64(at[0])), wide.value(float64(at[1])))
		high := p.at(wide.value(float64(at[0]+run)), wide.value(float64(at[1]+1)))
		high.X, high.Y = high.X+seam, high.Y+seam
		areas[own] = append(areas[own], p.data.ClipArea(canvas.Rect{Min: low, Max: high}.Corners()))
	}
	keys := []key{{means: "1 row", fill: inkOf(0)}}
	for k, area := range areas {
		if len(area) == 0 {
			continue
		}
		p.Fill(inkOf(k), area...)
		if k == shades/2 || k == shades-1 {
			keys = append(keys, key{means: fmt.Sprintf("≥ %d", fewest(k, most)), fill: inkOf(k)})
		}
	}
	if beyond > 0 {
		keys = append(keys, key{means: fmt.Sprintf("%d beyond", beyond)})
	}
	p.legend(keys...)
}

// fewest returns the least number of rows in a shade.
func fewest(shade, most int) int {
	return int(math.Ceil(math.Pow(float64(most)+1, float64(shade)/shades) - 1e-9))
}
