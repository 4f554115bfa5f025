package buttress

import (
	"slices"

	"beziergp/internal/simd"
)

// Slopes is an ensemble with its weights, of which the derivatives by all basis values are
// wanted. The sum f of all buttresses is linear in the basis values φ of each input; with γ
// that input's layer in buttress k
//
//	∂f/∂φ_j = Σ_k a_j b_j,  a = W_γᵀ S_{γ−1},  b = W_{γ+1} R_{γ+1}
//
// S being the states from the source on and R those from the sink on. So one pass forward
// and one backward give the derivatives by all inputs: what arrives at a node from the
// source, times what arrives from the sink. It is immutable and safe for concurrent use.
type Slopes struct {
	shape  *Ensemble     // of the tiles
	w      []float32     // of all buttresses
	back   []*simd.Chain // [r] from the sink to the source
	turned [][]float32   // [r] their weights
}

// NewSlopes returns the ensemble with weights w, of length Size, which it keeps and which
// must not be changed. Unless whole, layers are local where the ensemble's are, and so are
// the derivatives: those by functions that vanish at a point are not told. With whole, no
// layer is local, and basis values may be any.
func (e *Ensemble) NewSlopes(w []float32, whole bool) *Slopes {
	e.needsOne("derivatives")
	s := &Slopes{shape: e, w: w}
	if whole {
		s.shape = e.whole()
	}
	known := map[*int]*simd.Chain{} // equal orderings are one
	for k, ordering := range e.orderings {
		chain, ok := known[&ordering[0]]
		if !ok {
			back := slices.Clone(ordering)
			slices.Reverse(back)
			chain = simd.NewChain(s.shape.widths, s.shape.local, back, false)
			known[&ordering[0]] = chain
		}
		s.back = append(s.back, chain)
		s.turned = append(s.turned, turned(e.Weights(w, k), e.layers[k]))
	}
	return s
}

// Shape returns an ensemble that has the shape of the tiles and of the states.
func (s *Slopes) Shape() *Ensemble { return s.shape }

// SlopeStates is the memory of [Slopes.Add]. It serves ensembles of the widths and the local
// layers of the shape that it was made for, one at a time.
type SlopeStates struct {
	states, back *States
	ones         []float32 // in the place of basis values
	arrives      []float32 // a, where basis values lie
	taken        [][]int32 // exponents taken out of the states of the layers up to each rescaling
	factor       []float32
}

// NewSlopeStates returns memory for [Slopes.Add] at tiles of this stride.
func NewSlopeStates(stride int, shape *Ensemble) *SlopeStates {
	s := &SlopeStates{
		states: NewStates(stride, shape), back: NewStates(stride, shape),
		ones: slices.Repeat([]float32{1}, shape.Rows()*stride), arrives: make([]float32, shape.Rows()*stride), factor: make([]float32, stride),
	}
	if hasRescaling(shape.Inputs()) {
		for range 1 + shape.Inputs()/rescaleEvery {
			s.taken = append(s.taken, make([]int32, stride))
		}
	}
	return s
}

// Add adds the derivatives of buttress k by the basis values of a tile to sum, where they
// lie as the values do in [Tile.Phi]. A derivative too large for float32 comes out infinite.
// The tile must have no [Whole].
func (s *Slopes) Add(k int, x *Tile, m *SlopeStates, sum []float32) {
	if x.Stride != m.states.stride || x.Whole != nil {
		panic("buttress: states of another stride than the tile's, or a tile of two shapes")
	}
	s.forward(k, x, m)
	d, n := s.shape.Inputs(), x.Points
	chain, w, layers := s.back[k], s.turned[k], s.shape.layers[k]
	scaled := hasRescaling(d)
	if scaled {
		clear(m.back.exponents)
	}
	segment := rescalings(d, d-1) // of the layer from the source on
	for h := range d {
		g := d - 1 - h
		chain.Forward(h, h+1, m.back.rows, m.ones, x.First, w, n, x.Stride)
		v := m.back.layer(chain, h)
		at := s.shape.rows[layers[g].input] * x.Stride
		arrives := v.of(m.arrives[at : at+v.rows*x.Stride])
		if scaled {
			if g < d-1 && rescaled(g, d) {
				segment--
			}
			arrives.scaleByPowers(m.factor, m.back.exponents, m.taken[segment], n)
		}
		v.blocks(n, func(from, to int) {
			simd.AddTimes(sum[at+from:at+to], arrives.values[from:to], v.values[from:to], x.Phi[at+from:at+to])
		})
		if scaled && rescaled(h, d) {
			v.rescale(m.back.factor(h), m.back.exponents, n)
		}
	}
}

// forward keeps what arrives at the nodes from the source.
func (s *Slopes) forward(k int, x *Tile, m *SlopeStates) {
	d, n := s.shape.Inputs(), x.Points
	chain, w, layers := s.shape.inTurn[k], s.shape.Weights(s.w, k), s.shape.layers[k]
	segment := 0
	if hasRescaling(d) {
		clear(m.states.exponents)
		clear(m.taken[0])
	}
	for g := range d {
		chain.Forward(g, g+1, m.states.rows, m.ones, x.First, w, n, x.Stride)
		v := m.states.layer(chain, g)
		at := s.shape.rows[layers[g].input] * x.Stride
		v.blocks(n, func(from, to int) {
			simd.KeepTimes(m.arrives[at+from:at+to], v.values[from:to], x.Phi[at+from:at+to])
		})
		if rescaled(g, d) {
			v.rescale(m.states.factor(g), m.states.exponents, n)
			segment++
			copy(m.taken[segment], m.states.exponents)
		}
	}
}

// scaleByPowers multiplies by 2^(a+b) at each point, in steps that float32 holds. factor is
// memory.
func (v values) scaleByPowers(factor []float32, a, b []int32, n int) {
	const most = 126
	for step := int32(0); ; step++ {
		more := false
		for p := range factor[:n] {
			e := a[p] + b[p]
			rest := max(abs(e)-step*most, 0)
			more = more || rest > most
			factor[p] = scaleByPower(1, min(rest, most)*sign(e))
		}
		if v.scale(factor, n); !more {
			return
		}
	}
}

func abs(e int32) int32 { return max(e, -e) }

func sign(e int32) int32 {
	if e < 0 {
		return -1
	}
	return 1
}

// rescalings returns how many there are before layer g of d.
func rescalings(d, g int) (n int) {
	for before := range g {
		if rescaled(before, d) {
			n++
		}
	}
	return n
}

// blocks calls f with what n points take of the values: from and to, all at once where
// nothing lies between them.
func (v values) blocks(n int, f func(from, to int)) {
	switch {
	case v.local:
		f(0, n*v.rows)
	case n == v.stride:
		f(0, n*v.rows)
	default:
		for i := range v.rows {
			f(i*v.stride, i*v.stride+n)
		}
	}
}
