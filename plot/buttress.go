package plot

import (
	"fmt"

	"beziergp/internal/process/basis"
	"beziergp/plot/canvas"
)

// The buttress of the picture: three inputs of order three, and the path of
// Jørgensen & Osborne's figure.
const (
	layers     = 3
	layerOrder = 3
)

func highlighted() [layers]int { return [layers]int{1, 2, 3} }

// Where the picture has its layers and nodes.
const (
	layerLeft  = 178.0
	layerStep  = 162.0
	nodeTop    = 230.0
	nodeStep   = 48.0
	nodeWidth  = 62.0
	nodeHeight = 28.0
	sourceSide = 16.0
)

// Buttress draws what a Bézier buttress is: layers of nodes between source and
// sink, with the Bernstein polynomial that a node multiplies by, and one path with
// its weights.
func Buttress() (*canvas.Canvas, error) {
	b, err := basis.NewBernstein(layerOrder)
	if err != nil {
		return nil, err
	}
	f := newFigure(pictureWidth, 294)
	middle := nodeTop - nodeStep*layerOrder/2
	source, sink := point{X: 50, Y: middle}, point{X: pictureWidth - 50, Y: middle}
	f.edges(source, sink)
	f.path(source, sink)
	for layer := range layers {
		f.write(plain(), point{X: node(layer, 0).X, Y: nodeTop + 42}, canvas.Middle, canvas.Baseline, fmt.Sprintf("layer %d", layer+1))
		f.Write(text(small(), point{X: node(layer, 0).X, Y: nodeTop + 28}, canvas.Middle, canvas.Baseline, formula(symbol{"input x", fmt.Sprint(layer + 1)})...))
	}
	x := grid(40)
	for i, values := range polynomials(b, x) {
		for layer := range layers {
			f.node(layer, i, x, values)
		}
	}
	for _, end := range []struct {
		at   point
		name string
	}{{source, "source"}, {sink, "sink"}} {
		f.square(end.at, sourceSide, gray)
		f.write(small(), point{X: end.at.X, Y: end.at.Y - 12}, canvas.Middle, canvas.Top, end.name)
	}
	f.caption()
	return f.Canvas, nil
}

func node(layer, i int) point {
	return point{X: layerLeft + float64(layer)*layerStep - 10, Y: nodeTop - float64(i)*nodeStep}
}

func left(p point) point { return point{X: p.X - nodeWidth/2, Y: p.Y} }

func right(p point) point { return point{X: p.X + nodeWidth/2, Y: p.Y} }

// edges draws all edges, thin.
func (f *figure) edges(source, sink point) {
	style := line(0.7, lightGray)
	join := func(a, b point) { f.Stroke(style, []point{a, b}) }
	for i := range layerOrder + 1 {
		join(source, left(node(0, i)))
		join(right(node(layers-1, i)), sink)
		for layer := 1; layer < layers; layer++ {
			for j := range layerOrder + 1 {
				join(right(node(layer-1, i)), left(node(layer, j)))
			}
		}
	}
}

// path draws the highlighted path with its weights.
func (f *figure) path(source, sink point) {
	from, indices := source, highlighted()
	for layer, i := range indices {
		to := left(node(layer, i))
		f.Stroke(line(2.2, orange), []point{from, to})
		from = right(node(layer, i))
	}
	f.Stroke(line(2.2, orange), []point{from, sink})

	from = source
	for layer, i := range indices {
		to := left(node(layer, i))
		f.weight(point{X: (from.X + to.X) / 2, Y: (from.Y + to.Y) / 2}, symbol{"w", weightIndex(layer)})
		from = right(node(layer, i))
	}
	f.weight(point{X: (from.X + sink.X) / 2, Y: (from.Y + sink.Y) / 2}, symbol{"1", ""})
}

// weightIndex returns the indices of the path's weight into a layer.
func weightIndex(layer int) string {
	i := highlighted()
	if layer == 0 {
		return fmt.Sprintf("%d, 1", i[0])
	}
	return fmt.Sprintf("%d, %d, %d", i[layer-1], i[layer], layer+1)
}

// weight writes a symbol on a patch of white, so that edges do not cross it.
func (f *figure) weight(at point, s symbol) {
	t := text(plain().in(orange), point{X: at.X, Y: at.Y - 2}, canvas.Middle, canvas.Baseline, formula(s)...)
	half := t.Width()/2 + 2
	f.Fill(white, rect{Min: point{X: at.X - half, Y: at.Y - 7}, Max: point{X: at.X + half, Y: at.Y + 8}}.Corners())
	f.Write(t)
}

// node draws a node: its number and the polynomial that it multiplies by.
func (f *figure) node(layer, i int, x, values []float64) {
	at := node(layer, i)
	box := rect{
		Min: point{X: at.X - nodeWidth/2, Y: at.Y - nodeHeight/2},
		Max: point{X: at.X + nodeWidth/2, Y: at.Y + nodeHeight/2},
	}
	border, ink := line(0.9, gray), gray
	if highlighted()[layer] == i {
		border, ink = line(thickLine, orange), orange
	}
	f.Area(white, border, box.Corners())
	f.write(plain(), point{X: box.Min.X + 10, Y: at.Y}, canvas.Middle, canvas.Center, fmt.Sprint(i))
	area := box.Inset(20, 5, 5, 5)
	width, height := area.Size()
	f.Stroke(line(hairline, lightGray), []point{area.Min, {X: area.Max.X, Y: area.Min.Y}})
	curve := make([]point, len(x))
	for k := range x {
		curve[k] = point{X: area.Min.X + x[k]*width, Y: area.Min.Y + values[k]*height}
	}
	f.Stroke(line(1.2, ink), curve)
}

func (f *figure) square(at point, side float64, c ink) {
	f.Fill(c, rect{Min: point{X: at.X - side/2, Y: at.Y - side/2}, Max: point{X: at.X + side/2, Y: at.Y + side/2}}.Corners())
}

// caption tells what the picture means.
func (f *figure) caption() {
	i := highlighted()
	product := []symbol{{"ϑ", fmt.Sprintf("%d, %d, %d", i[0], i[1], i[2])}, {"=", ""}}
	for layer := range layers {
		if layer > 0 {
			product = append(product, symbol{"·", ""})
		}
		product = append(product, symbol{"w", weightIndex(layer)})
	}
	lines := [...][]canvas.Piece{
		{{S: "A path is a control point: its mean is the product of its weights:  "}},
		{{S: "A node multiplies by its Bernstein polynomial at the layer’s input. The sum over all 4³ = 64 paths"}},
		{{S: "is the mean of f(x), and takes three small matrix products, with 36 weights in all."}},
	}
	for _, piece := range formula(product...) {
		piece.Ink = orange
		lines[0] = append(lines[0], piece)
	}
	for k, pieces := range lines {
		f.Write(text(plain(), point{X: 24, Y: 38 - 15*float64(k)}, canvas.Start, canvas.Baseline, pieces...))
	}
}

// symbol is a part of a formula with an index below.
type symbol struct{ base, index string }

// formula returns symbols one after the other.
func formula(symbols ...symbol) (pieces []canvas.Piece) {
	for i, s := range symbols {
		if i > 0 {
			s.base = " " + s.base
		}
		pieces = append(pieces, canvas.Piece{S: s.base})
		if s.index != "" {
			pieces = append(pieces, canvas.Piece{S: s.index, Index: true})
		}
	}
	return pieces
}
