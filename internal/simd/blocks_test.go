package simd

import (
	"fmt"
	"slices"
	"testing"
)

// Every tier carries states through local layers as the generic body does, and touches
// nothing else.
func TestBlocksForward(t *testing.T) {
	generic := tiers[len(tiers)-1]
	widths, supports := blockShapes()
	for k := range widths {
		for n := 1; n <= 70; n += 1 + n/9 {
			for _, keep := range []bool{true, false} {
				ld := n + n%3
				want := newBlockCase(widths[k], supports[k], keep, n, ld, uint64(k))
				want.forward(generic)
				for _, tier := range tiers {
					name := fmt.Sprintf("%s widths=%v supports=%v n=%d keep=%v", tier.name, widths[k], supports[k], n, keep)
					got := newBlockCase(widths[k], supports[k], keep, n, ld, uint64(k))
					got.forward(tier)
					got.states.checkGuards(t, name)
					compare(t, name, got.states.data, want.states.data)
				}
			}
		}
	}
}

// And cotangents back.
func TestBlocksBackward(t *testing.T) {
	generic := tiers[len(tiers)-1]
	widths, supports := blockShapes()
	for k := range widths {
		for n := 1; n <= 70; n += 1 + n/9 {
			run := func(tier *tier) *blockCase {
				c := newBlockCase(widths[k], supports[k], true, n, n+n%3, uint64(k))
				c.backward(tier)
				return c
			}
			want := run(generic)
			for _, tier := range tiers {
				name := fmt.Sprintf("%s widths=%v supports=%v n=%d", tier.name, widths[k], supports[k], n)
				got := run(tier)
				got.dw.checkGuards(t, name)
				compareLayers(t, name, got, want)
			}
		}
	}
}

// compareLayers compares the gradients layer by layer.
func compareLayers(t *testing.T, name string, got, want *blockCase) {
	t.Helper()
	for g, l := range got.chain.links {
		end := int(l.w) + int(l.rows*l.cols)
		compare(t, fmt.Sprintf("%s: gradient of layer %d", name, g), got.dw.data[l.w:end], want.dw.data[l.w:end])
	}
}

// A local chain is the same function as one with the zeros of its bases filled in.
func TestBlocksAreDense(t *testing.T) {
	widths, supports := blockShapes()
	for k := range widths {
		const n, ld = 37, 40
		for _, tier := range tiers {
			name := fmt.Sprintf("%s widths=%v supports=%v", tier.name, widths[k], supports[k])
			c := newBlockCase(widths[k], supports[k], true, n, ld, uint64(k))
			d := c.dense()
			c.forward(tier)
			d.forward(tiers[len(tiers)-1])
			for g := range widths[k] {
				i := c.ordering[g]
				at, _, _ := c.chain.State(g)
				own := newBuffer(widths[k][i], n, ld)
				c.spread(own.data, c.states.data[at*ld:], i)
				from, m, _ := d.chain.State(g)
				compare(t, fmt.Sprintf("%s: states of layer %d", name, g), own.data, d.states.data[from*ld:][:(m-1)*ld+n])
			}
			c.backward(tier)
			d.backward(tiers[len(tiers)-1])
			compareLayers(t, name, c, d)
		}
	}
}

// What a point gets does not depend on the others of its tile, and a gradient of points in
// two calls, one after the other, is that of all of them in one.
func TestBlocksTakePointsOneByOne(t *testing.T) {
	widths, supports := blockShapes()
	for k := range widths {
		const n, ld = 29, 29
		for _, tier := range tiers {
			name := fmt.Sprintf("%s widths=%v supports=%v", tier.name, widths[k], supports[k])
			whole := newBlockCase(widths[k], supports[k], true, n, ld, uint64(k))
			whole.forward(tier)
			before := slices.Clone(whole.dw.data)
			copy(whole.dw.data, make([]float32, len(before)))
			whole.backward(tier)
			single := newBlockCase(widths[k], supports[k], true, n, ld, uint64(k))
			copy(single.dw.data, make([]float32, len(before)))
			for p := range n {
				one := single.point(p)
				one.forward(tier)
				last := single.ordering[len(widths[k])-1]
				at, _, _ := single.chain.State(len(widths[k]) - 1)
				compareSide(t, fmt.Sprintf("%s: point %d", name, p), whole, one, at, last, p)
				if local(supports[k]) {
					one.dw = single.dw
					one.backward(tier)
				}
			}
			if local(supports[k]) && !slices.Equal(single.dw.data, whole.dw.data) {
				t.Fatalf("%s: the gradient of single points is another one", name)
			}
		}
	}
}

// compareSide fails the test unless the states of a layer that begin at a row are the same
// to the bit.
func compareSide(t *testing.T, name string, whole, one *blockCase, row, input, p int) {
	t.Helper()
	got := slices.Clone(one.states.data)
	end := copySide(got, whole.states.data, row, whole, input, p)
	if !slices.Equal(got[row:end], one.states.data[row:end]) {
		t.Fatalf("%s: %v, alone %v", name, got[row:end], one.states.data[row:end])
	}
}
