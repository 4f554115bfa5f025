package onnx

import (
	"encoding/binary"
	"fmt"
	"math"
	"strings"

	"google.golang.org/protobuf/encoding/protowire"
)

// value names what a node makes, or an input, or a constant.
type value string

// kind is an ONNX data type, by its number in TensorProto.DataType.
type kind int

const (
	float32s kind = 1
	int32s   kind = 6
	int64s   kind = 7
	bools    kind = 9
	float64s kind = 11
)

// graph gathers nodes and constants in the order in which they are first needed. Equal
// constants are there once, and so are equal nodes.
type graph struct {
	nodes, constants []made
	known            map[string]value // by what they are
	names            map[string]bool
}

// made is a node or a constant: what it makes, of what, and how it is written.
type made struct {
	out    value
	inputs []value
	text   []byte
}

func newGraph() *graph { return &graph{known: map[string]value{}, names: map[string]bool{}} }

// name returns one that nothing has yet.
func (g *graph) name() value {
	for n := len(g.names); ; n++ {
		if name := fmt.Sprintf("/%d", n); !g.names[name] {
			g.names[name] = true
			return value(name)
		}
	}
}

// attribute is one of a node: a whole number, or several.
type attribute struct {
	name   string
	value  int64
	values []int64 // in the place of value, if there are some
}

// op returns what an operator makes of inputs.
func (g *graph) op(operator string, inputs ...value) value { return g.with(operator, nil, inputs...) }

// with is op with attributes.
func (g *graph) with(operator string, attributes []attribute, inputs ...value) value {
	var node []byte
	for _, in := range inputs {
		node = appendText(node, 1, string(in))
	}
	var rest []byte
	rest = appendText(rest, 4, operator)
	for _, a := range attributes {
		rest = appendBytes(rest, 5, a.encode())
	}
	key := "node " + string(node) + string(rest)
	if known, ok := g.known[key]; ok {
		return known
	}
	out := g.name()
	g.known[key] = out
	g.nodes = append(g.nodes, made{out, inputs, append(appendText(node, 2, string(out)), rest...)})
	return out
}

// output gives a value the name that the outside knows it by.
func (g *graph) output(name string, v value) {
	node := appendText(appendText(appendText(nil, 1, string(v)), 2, name), 4, "Identity")
	g.nodes = append(g.nodes, made{value(name), []value{v}, node})
}

// encode returns the nodes and the constants that outputs need.
func (g *graph) encode(outputs ...value) (nodes, constants []byte) {
	needed := map[value]bool{}
	for _, v := range outputs {
		needed[v] = true
	}
	for i := len(g.nodes) - 1; i >= 0; i-- {
		if n := &g.nodes[i]; needed[n.out] {
			for _, in := range n.inputs {
				needed[in] = true
			}
		}
	}
	for _, n := range g.nodes {
		if needed[n.out] {
			nodes = appendBytes(nodes, 1, n.text)
		}
	}
	for _, c := range g.constants {
		if needed[c.out] {
			constants = appendBytes(constants, 5, c.text)
		}
	}
	return nodes, constants
}

func (a attribute) encode() []byte {
	b := appendText(nil, 1, a.name)
	if a.values == nil {
		return appendInt(appendInt(b, 3, a.value), 20, 2)
	}
	for _, v := range a.values {
		b = protowire.AppendTag(b, 8, protowire.VarintType)
		b = protowire.AppendVarint(b, uint64(v))
	}
	return appendInt(b, 20, 7)
}

// tensor returns a constant of a shape.
func (g *graph) tensor(k kind, shape []int, data []byte) value {
	var b []byte
	for _, n := range shape {
		b = appendInt(b, 1, int64(n))
	}
	b = appendInt(b, 2, int64(k))
	key := "constant " + string(b) + "\x00" + string(data)
	if known, ok := g.known[key]; ok {
		return known
	}
	name := g.name()
	g.known[key] = name
	g.constants = append(g.constants, made{name, nil, appendBytes(appendText(b, 8, string(name)), 9, data)})
	return name
}

func (g *graph) float64s(shape []int, v ...float64) value {
	data := make([]byte, 0, 8*len(v))
	for _, x := range v {
		data = binary.LittleEndian.AppendUint64(data, math.Float64bits(x))
	}
	return g.tensor(float64s, shape, data)
}

func (g *graph) float32s(shape []int, v ...float32) value {
	data := make([]byte, 0, 4*len(v))
	for _, x := range v {
		data = binary.LittleEndian.AppendUint32(data, math.Float32bits(x))
	}
	return g.tensor(float32s, shape, data)
}

func (g *graph) int64s(shape []int, v ...int) value {
	data := make([]byte, 0, 8*len(v))
	for _, x := range v {
		data = binary.LittleEndian.AppendUint64(data, uint64(x))
	}
	return g.tensor(int64s, shape, data)
}

// number and whole are scalars; axes and indices a list.
func (g *graph) number(v float64) value { return g.float64s(nil, v) }
func (g *graph) whole(v int) value      { return g.int64s(nil, v) }
func (g *graph) indices(v ...int) value { return g.int64s([]int{len(v)}, v...) }
func (g *graph) truths(v ...bool) value { return g.tensor(bools, []int{len(v), 1}, bytesOf(v)) }
func (g *graph) cast(v value, k kind) value {
	return g.with("Cast", []attribute{{name: "to", value: int64(k)}}, v)
}

func bytesOf(v []bool) []byte {
	b := make([]byte, len(v))
	for i, yes := range v {
		if yes {
			b[i] = 1
		}
	}
	return b
}

// The operators that formulas are written with.
func (g *graph) add(a, b value) value      { return g.op("Add", a, b) }
func (g *graph) sub(a, b value) value      { return g.op("Sub", a, b) }
func (g *graph) mul(a, b value) value      { return g.op("Mul", a, b) }
func (g *graph) div(a, b value) value      { return g.op("Div", a, b) }
func (g *graph) floor(a value) value       { return g.op("Floor", a) }
func (g *graph) pick(is, a, b value) value { return g.op("Where", is, a, b) }
func (g *graph) clamp(v value, lo, hi float64) value {
	return g.op("Min", g.op("Max", v, g.number(lo)), g.number(hi))
}

// gather returns the elements of v at indices along an axis.
func (g *graph) gather(v value, axis int, at value) value {
	return g.with("Gather", []attribute{{name: "axis", value: int64(axis)}}, v, at)
}

// rows returns some rows of v, [all, …], itself where they are all of them in order.
func (g *graph) rows(v value, all int, at []int) value {
	inOrder := len(at) == all
	for i, k := range at {
		inOrder = inOrder && i == k
	}
	if inOrder {
		return v
	}
	return g.gather(v, 0, g.indices(at...))
}

// concat joins values along an axis.
func (g *graph) concat(axis int, v ...value) value {
	if len(v) == 1 {
		return v[0]
	}
	return g.with("Concat", []attribute{{name: "axis", value: int64(axis)}}, v...)
}

// sum adds up along an axis, which is gone then.
func (g *graph) sum(v value, axis int) value {
	return g.with("ReduceSum", []attribute{{name: "keepdims"}}, v, g.indices(axis))
}

// unsqueeze adds an axis of length one.
func (g *graph) unsqueeze(v value, axis int) value { return g.op("Unsqueeze", v, g.indices(axis)) }

// slice returns v[…, from:to] of its last axis.
func (g *graph) slice(v value, from, to int) value {
	return g.op("Slice", v, g.indices(from), g.indices(to), g.indices(-1))
}

// dimensions: of rows, or of a length.
const rowsDimension = "rows"

// tensorInfo describes an input or an output, [rows, 1].
func tensorInfo(name string, k kind, about string) []byte {
	rows := appendBytes(nil, 1, appendText(nil, 2, rowsDimension))
	shape := appendBytes(rows, 1, appendInt(nil, 1, 1))
	t := appendBytes(appendInt(nil, 1, int64(k)), 2, shape)
	info := appendBytes(appendText(nil, 1, name), 2, appendBytes(nil, 1, t))
	if about != "" {
		info = appendText(info, 3, about)
	}
	return info
}

func appendText(b []byte, field protowire.Number, text string) []byte {
	return protowire.AppendString(protowire.AppendTag(b, field, protowire.BytesType), strings.ToValidUTF8(text, "\uFFFD"))
}

func appendBytes(b []byte, field protowire.Number, v []byte) []byte {
	return protowire.AppendBytes(protowire.AppendTag(b, field, protowire.BytesType), v)
}

func appendInt(b []byte, field protowire.Number, v int64) []byte {
	return protowire.AppendVarint(protowire.AppendTag(b, field, protowire.VarintType), uint64(v))
}
