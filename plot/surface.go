package plot

import (
	"cmp"
	"math"
	"slices"

	"beziergp/internal/process/basis"
	"beziergp/plot/canvas"
)

// heights returns the control points of the picture's surface.
func heights() [4][4]float64 {
	return [4][4]float64{
		{0.1, 0.5, 0.6, 0.3},
		{0.2, 1.4, 1.6, 0.2},
		{-0.2, 0.3, -1.0, -0.6},
		{0.4, -0.4, -0.9, 0.5},
	}
}

// Surface draws a Bézier surface of two inputs of order three over its box, with
// the net of its control points.
func Surface() (*canvas.Canvas, error) {
	const order, steps = 3, 22
	b, err := basis.NewBernstein(order)
	if err != nil {
		return nil, err
	}
	f := newFigure(460, 392)
	points := heights()
	x := grid(steps)
	phi := polynomials(b, x)
	z := make([][]float64, len(x))
	for i := range x {
		z[i] = make([]float64, len(x))
		for k := range x {
			for p := range order + 1 {
				for q := range order + 1 {
					z[i][k] += phi[p][i] * phi[q][k] * points[p][q]
				}
			}
		}
	}
	f.floor(order)
	f.stalks(order, points)
	f.mesh(x, z)
	f.net(order, points)
	f.write(bold(), point{X: 8, Y: f.Max.Y - 6}, canvas.Start, canvas.Top, "A Bézier surface of order (3, 3)")
	f.write(plain(), point{X: 8, Y: f.Max.Y - 22}, canvas.Start, canvas.Top, "16 control points pull the surface f towards them;")
	f.write(plain(), point{X: 8, Y: f.Max.Y - 36}, canvas.Start, canvas.Top, "each stands above a node of the grid that fills the box.")
	return f.Canvas, nil
}

// floorHeight is the height at which the box is drawn below the surface.
const floorHeight = -2.4

// project returns where a point of space lies on the picture: turned about the
// upright axis, seen from above, without perspective.
func project(x, y, z float64) point {
	const turn, tilt = 0.62, 0.48 // radians
	sin, cos := math.Sincos(turn)
	across := (x-0.5)*cos - (y-0.5)*sin
	away := (x-0.5)*sin + (y-0.5)*cos
	up := away*math.Sin(tilt) + 0.25*z*math.Cos(tilt)
	return point{X: 230 + 285*across, Y: 226 + 240*up}
}

// floor draws the box of inputs with its grid of nodes.
func (f *figure) floor(order int) {
	at := func(x, y float64) point { return project(x, y, floorHeight) }
	f.Fill(paleGray, []point{at(0, 0), at(1, 0), at(1, 1), at(0, 1)})
	for _, t := range grid(order) {
		f.Stroke(line(hairline, gray), []point{at(0, t), at(1, t)}, []point{at(t, 0), at(t, 1)})
	}
	for _, x := range grid(order) {
		for _, y := range grid(order) {
			f.glyphs(dot(1.8, gray), at(x, y))
		}
	}
	for _, end := range []struct {
		x, y float64
		s    symbol
	}{{0.5, -0.1, symbol{"x", "1"}}, {-0.1, 0.5, symbol{"x", "2"}}} {
		f.Write(text(plain(), at(end.x, end.y), canvas.Middle, canvas.Baseline, formula(end.s)...))
	}
}

// mesh draws the surface, the farthest cells first.
func (f *figure) mesh(x []float64, z [][]float64) {
	type cell struct{ i, k int }
	var cells []cell
	low, high := z[0][0], z[0][0]
	for i, column := range z {
		low, high = min(low, slices.Min(column)), max(high, slices.Max(column))
		for k := range column {
			if i > 0 && k > 0 {
				cells = append(cells, cell{i - 1, k - 1})
			}
		}
	}
	away := func(c cell) float64 {
		return float64(project(x[c.i], x[c.k], 0).Y)
	}
	slices.SortStableFunc(cells, func(a, b cell) int { return cmp.Compare(away(b), away(a)) })
	for _, c := range cells {
		var outline []point
		var height float64
		for _, at := range [][2]int{{0, 0}, {1, 0}, {1, 1}, {0, 1}} {
			i, k := c.i+at[0], c.k+at[1]
			outline = append(outline, project(x[i], x[k], z[i][k]))
			height += z[i][k] / 4
		}
		color := ramp(0.1 + 0.85*(height-low)/(high-low))
		f.Area(color, line(0.3, white), outline)
	}
}

// stalks joins the control points with their nodes.
func (f *figure) stalks(order int, z [4][4]float64) {
	t := grid(order)
	for i, x := range t {
		for k, y := range t {
			f.Stroke(dashed(hairline, gray), []point{project(x, y, floorHeight), project(x, y, z[i][k])})
		}
	}
}

// net draws the control points and the net between them.
func (f *figure) net(order int, z [4][4]float64) {
	t := grid(order)
	at := func(i, k int) point { return project(t[i], t[k], z[i][k]) }
	for i := range t {
		for k := range t {
			if i > 0 {
				f.Stroke(line(0.8, orange), []point{at(i-1, k), at(i, k)})
			}
			if k > 0 {
				f.Stroke(line(0.8, orange), []point{at(i, k-1), at(i, k)})
			}
		}
	}
	for i := range t {
		for k := range t {
			f.glyphs(dot(3.4, orange), at(i, k))
		}
	}
}
