package plot

import (
	"fmt"
	"io"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"beziergp/internal/process/basis"
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
	layerLeft  vg.Length = 178
	layerStep  vg.Length = 162
	nodeTop    vg.Length = 230
	nodeStep   vg.Length = 48
	nodeWidth  vg.Length = 62
	nodeHeight vg.Length = 28
	sourceSide vg.Length = 16
)

// Buttress draws what a Bézier buttress is: layers of nodes between source and
// sink, with the Bernstein polynomial that a node multiplies by, and one path with
// its weights.
func Buttress(w io.Writer) error {
	b, err := basis.NewBernstein(layerOrder)
	if err != nil {
		return err
	}
	f, err := newFigure(pictureWidth, 294)
	if err != nil {
		return err
	}
	middle := nodeTop - nodeStep*layerOrder/2
	source, sink := vg.Point{X: 50, Y: middle}, vg.Point{X: pictureWidth - 50, Y: middle}
	f.edges(source, sink)
	f.path(source, sink)
	for layer := range layers {
		f.write(plain(), vg.Point{X: node(layer, 0).X, Y: nodeTop + 42}, 0.5, 0, fmt.Sprintf("layer %d", layer+1))
		f.indexed(small(), vg.Point{X: node(layer, 0).X, Y: nodeTop + 28}, 0.5, symbol{"input x", fmt.Sprint(layer + 1)})
	}
	x := grid(40)
	for i, values := range polynomials(b, x) {
		for layer := range layers {
			f.node(layer, i, x, values)
		}
	}
	for _, end := range []struct {
		at   vg.Point
		name string
	}{{source, "source"}, {sink, "sink"}} {
		f.square(end.at, sourceSide, gray)
		f.write(small(), vg.Point{X: end.at.X, Y: end.at.Y - 12}, 0.5, 1, end.name)
	}
	f.caption()
	return f.writeTo(w)
}

func node(layer, i int) vg.Point {
	return vg.Point{X: layerLeft + vg.Length(layer)*layerStep - 10, Y: nodeTop - vg.Length(i)*nodeStep}
}

func left(p vg.Point) vg.Point { return vg.Point{X: p.X - nodeWidth/2, Y: p.Y} }

func right(p vg.Point) vg.Point { return vg.Point{X: p.X + nodeWidth/2, Y: p.Y} }

// edges draws all edges, thin.
func (f *figure) edges(source, sink vg.Point) {
	style := line(0.7, lightGray)
	join := func(a, b vg.Point) { f.StrokeLine2(style, a.X, a.Y, b.X, b.Y) }
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
func (f *figure) path(source, sink vg.Point) {
	from, indices := source, highlighted()
	for layer, i := range indices {
		to := left(node(layer, i))
		f.StrokeLine2(line(2.2, orange), from.X, from.Y, to.X, to.Y)
		from = right(node(layer, i))
	}
	f.StrokeLine2(line(2.2, orange), from.X, from.Y, sink.X, sink.Y)

	from = source
	for layer, i := range indices {
		to := left(node(layer, i))
		f.weight(vg.Point{X: (from.X + to.X) / 2, Y: (from.Y + to.Y) / 2}, symbol{"w", weightIndex(layer)})
		from = right(node(layer, i))
	}
	f.weight(vg.Point{X: (from.X + sink.X) / 2, Y: (from.Y + sink.Y) / 2}, symbol{"1", ""})
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
func (f *figure) weight(at vg.Point, s symbol) {
	l := plain().in(orange)
	half := f.symbolWidth(l, s)/2 + 3
	f.FillPolygon(white, corners(vg.Rectangle{
		Min: vg.Point{X: at.X - half, Y: at.Y - 7}, Max: vg.Point{X: at.X + half, Y: at.Y + 8},
	}))
	f.indexed(l, vg.Point{X: at.X, Y: at.Y - 2}, 0.5, s)
}

// node draws a node: its number and the polynomial that it multiplies by.
func (f *figure) node(layer, i int, x, values []float64) {
	at := node(layer, i)
	box := vg.Rectangle{
		Min: vg.Point{X: at.X - nodeWidth/2, Y: at.Y - nodeHeight/2},
		Max: vg.Point{X: at.X + nodeWidth/2, Y: at.Y + nodeHeight/2},
	}
	border, ink := line(0.9, gray), gray
	if highlighted()[layer] == i {
		border, ink = line(thickLine, orange), orange
	}
	f.FillPolygon(white, corners(box))
	f.StrokeLines(border, append(corners(box), box.Min, vg.Point{X: box.Max.X, Y: box.Min.Y}))
	f.write(plain(), vg.Point{X: box.Min.X + 10, Y: at.Y}, 0.5, 0.46, fmt.Sprint(i))
	area := draw.Canvas{Canvas: f.Canvas.Canvas, Rectangle: inset(box, 20, 5, 5, 5)}
	f.StrokeLine2(line(hairline, lightGray), area.Min.X, area.Min.Y, area.Max.X, area.Min.Y)
	curve := make([]vg.Point, len(x))
	for k := range x {
		curve[k] = vg.Point{X: area.X(x[k]), Y: area.Y(values[k])}
	}
	f.StrokeLines(line(1.2, ink), curve)
}

func (f *figure) square(at vg.Point, side vg.Length, c ink) {
	f.FillPolygon(c, corners(vg.Rectangle{
		Min: vg.Point{X: at.X - side/2, Y: at.Y - side/2}, Max: vg.Point{X: at.X + side/2, Y: at.Y + side/2},
	}))
}

// caption tells what the picture means.
func (f *figure) caption() {
	i := highlighted()
	formula := []symbol{{"ϑ", fmt.Sprintf("%d, %d, %d", i[0], i[1], i[2])}, {"=", ""}}
	for layer := range layers {
		if layer > 0 {
			formula = append(formula, symbol{"·", ""})
		}
		formula = append(formula, symbol{"w", weightIndex(layer)})
	}
	const (
		margin   vg.Length = 24
		sentence           = "A path is a control point: its mean is the product of its weights:"
	)
	f.write(plain(), vg.Point{X: margin, Y: 38}, 0, 0, sentence)
	f.indexed(plain().in(orange), vg.Point{X: margin + f.width(plain(), sentence) + 8, Y: 38}, 0, formula...)
	f.write(plain(), vg.Point{X: margin, Y: 21}, 0, 0,
		"A node multiplies by its Bernstein polynomial at the layer’s input. The sum over all 4³ = 64 paths is the mean of f(x),")
	f.write(plain(), vg.Point{X: margin, Y: 7}, 0, 0, "and takes three small matrix products, with 36 weights in all.")
}

// symbol is a piece of a formula with an index below.
type symbol struct{ base, index string }

const (
	indexScale           = 0.72 // of an index to its symbol
	symbolGap  vg.Length = 4
)

// indexed writes symbols one after the other, the share x of their width at p.
func (f *figure) indexed(l lettering, p vg.Point, x vg.Length, symbols ...symbol) {
	total := symbolGap * vg.Length(len(symbols)-1)
	for _, s := range symbols {
		total += f.symbolWidth(l, s)
	}
	p.X -= x * total
	below := l.sized(indexScale * l.size)
	for _, s := range symbols {
		f.write(l, p, 0, 0, s.base)
		p.X += f.width(l, s.base)
		if s.index != "" {
			f.write(below, vg.Point{X: p.X, Y: p.Y - 2.5}, 0, 0, s.index)
			p.X += f.width(below, s.index)
		}
		p.X += symbolGap
	}
}

func (f *figure) symbolWidth(l lettering, s symbol) vg.Length {
	return f.width(l, s.base) + f.width(l.sized(indexScale*l.size), s.index)
}
