package buttress

import (
	"math"
	"slices"
	"sync"

	"beziergp/internal/simd"
)

// Along is an ensemble with its weights as a function of one input, the others being
// given. Of that input's basis values φ at a point the sum of all buttresses is linear:
//
//	f = Σ_j c_j φ_j,  c_j = Σ_k (W_γᵀ S_{γ−1})_j (W_{γ+1} R_{γ+1})_j
//
// where γ is the input's layer in buttress k, S are the states from the source on and
// R those from the sink on, R_γ = (W_{γ+1} R_{γ+1}) ∘ φ_t(γ). So f is known at any number
// of values of the input after one pass through the others. It is immutable and safe for
// concurrent use.
type Along struct {
	shape  *Ensemble // of the tiles
	input  int
	nodes  int
	before []section // [r] from the source to the input's layer
	behind []section // [r] from the sink to it; without layers where it is the last
	// whole returns the same with no local layers, for points at which all functions are
	// needed; it is made when they first are.
	whole func() *Along
}

// section is a part of a buttress that ends in the layer of the input.
type section struct {
	chain  *simd.Chain
	layers int
	w      []float32
}

// NewAlong returns the ensemble with weights w, of length Size, as a function of an input.
// It keeps w, which must not be changed.
func (e *Ensemble) NewAlong(input int, w []float32) *Along {
	e.needsOne("values along an input")
	a := &Along{shape: e.along(input), input: input, nodes: e.widths[input]}
	local := a.shape.local
	for k, ordering := range e.orderings {
		own, layers, at := e.Weights(w, k), e.layers[k], slices.Index(ordering, input)
		a.before = append(a.before, section{simd.NewChain(e.widths, local, ordering[:at+1], false), at + 1, own[:layers[at].end]})
		var behind section
		if at < len(ordering)-1 {
			back := slices.Clone(ordering[at:])
			slices.Reverse(back)
			behind = section{simd.NewChain(e.widths, local, back, false), len(back), turned(own, layers[at:])}
		}
		a.behind = append(a.behind, behind)
	}
	a.whole = sync.OnceValue(func() *Along { return e.whole().NewAlong(input, w) })
	return a
}

// along returns the shape of tiles of which all values of an input lie in rows, so that
// these are not local. Its only buttress is of no use.
func (e *Ensemble) along(input int) *Ensemble {
	var supports []int
	if e.local != nil {
		for i, m := range e.widths {
			if k := e.local[i]; k != 0 {
				m = k
			}
			supports = append(supports, m)
		}
		supports[input] = max(e.widths[input], simd.MostLocal+1)
	}
	shape, err := New(e.widths, supports, e.orderings[:1])
	if err != nil {
		panic(err) // the ensemble has the same inputs
	}
	return shape
}

// turned returns the weights of layers from the last one's sink to the first one: a layer of
// ones, and then those of each but the first, transposed.
func turned(w []float32, layers []layer) (all []float32) {
	last := len(layers) - 1
	all = slices.Repeat([]float32{1}, layers[last].cols)
	for g := last; g > 0; g-- {
		l := &layers[g]
		own := l.weights(w)
		for j := range l.cols {
			for i := range l.rows {
				all = append(all, own[i*l.cols+j])
			}
		}
	}
	return all
}

// Nodes returns the number of the input's basis functions.
func (a *Along) Nodes() int { return a.nodes }

// Shape returns an ensemble that has the shape of the tiles and of the states.
func (a *Along) Shape() *Ensemble { return a.shape }

// Add adds c_j at the points of a tile to c, [nodes, stride]. states and spare are memory for
// the shape. In the place of the input's basis values the tile has what is of no use
// afterwards.
func (a *Along) Add(c []float64, x *Tile, states, spare *States) {
	n, ld := x.Points, states.stride
	phi := x.Phi[a.shape.Row(a.input)*ld:]
	for k := range a.before {
		before, behind := &a.before[k], &a.behind[k]
		for j := range a.nodes {
			copy(phi[j*ld:][:n], states.ones)
		}
		top := states.sweep(before.chain, before.layers, before.w, x)
		product, scaled := top.values, hasRescaling(before.layers+behind.layers)
		if scaled {
			if !hasRescaling(before.layers) {
				clear(states.exponents)
			}
			top.rescale(states.factor(0), states.exponents, n)
		}
		if behind.layers > 0 {
			// S in the place of basis values makes R its product with S.
			for j := range a.nodes {
				copy(phi[j*ld:][:n], product[j*ld:])
			}
			product = spare.sweep(behind.chain, behind.layers, behind.w, x).values
		}
		for j := range a.nodes {
			sum, own := c[j*ld:][:n], product[j*ld:][:n]
			if scaled {
				addScaled(sum, own, states.exponents, behind.exponents(spare))
				continue
			}
			for p, v := range own {
				sum[p] += float64(v)
			}
		}
	}
	if x.Whole != nil {
		a.addWhole(c, x.Whole, states, spare)
	}
}

// exponents returns those that were taken out of the section's states, nil for none.
func (c *section) exponents(s *States) []int32 {
	if !hasRescaling(c.layers) {
		return nil
	}
	return s.exponents
}

// addScaled adds values out of which exponents were taken, of either section that has some.
func addScaled(sum []float64, values []float32, exponents ...[]int32) {
	for p, v := range values {
		power := 0
		for _, own := range exponents {
			if own != nil {
				power += int(own[p])
			}
		}
		sum[p] += timesPower(float64(v), power)
	}
}

// timesPower returns v · 2^power as [math.Ldexp] does, to the bit: where 2^power is a normal
// number the product rounds once, as that function's result does, in a fraction of its time.
func timesPower(v float64, power int) float64 {
	const bias, least, most = 1023, -1022, 1023
	if power < least || power > most {
		return math.Ldexp(v, power)
	}
	return v * math.Float64frombits(uint64(power+bias)<<52)
}

// addWhole adds c_j at points at which all functions are needed.
func (a *Along) addWhole(c []float64, x *Whole, states, spare *States) {
	ld, own := states.stride, states.forWhole()
	if size := a.nodes * ld; len(own.c) < size {
		own.c = make([]float64, size)
	}
	clear(own.c)
	a.whole().Add(own.c, x.tile(len(x.At)), own.states, spare.forWhole().states)
	for j := range a.nodes {
		for i, p := range x.At {
			c[j*ld+p] += own.c[j*ld+i]
		}
	}
}
