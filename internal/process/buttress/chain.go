package buttress

import (
	"math"
	"slices"

	"beziergp/internal/simd"
)

// rescaleEvery is the number of layers after which states are brought back near
// one: between two rescalings a chain may grow or shrink 2^5-fold a layer.
const rescaleEvery = 32

// Tile holds basis values at the points of a tile.
type Tile struct {
	// Points is the number of points, at most Stride.
	Points, Stride int
	// Phi holds the values of the bases, input after input and node by node, a row
	// of Stride each; where an input's layers are local those that do not vanish at a
	// point, point by point, [Points, simd.Slot]. For a mean that is φ; for a variance ς φ²;
	// for a covariance ς φ(x) φ(z). Where there are T > 1 outputs, T rows of ones follow.
	Phi []float32
	// First holds in row 1+i the first function of such an input i that does not vanish
	// at a point, [1+d, Stride]; row 0 is zero. nil will do where no layers are local.
	First []int32
	// Whole holds points that lack coordinates of which all functions are needed; nil for none. In Phi, the values
	// of one such input at least are zero there.
	Whole *Whole
}

// Whole holds the points of a [Tile] that lack coordinates. The first Together of them go through all nodes of every layer
// together; what the others lack is told apart ([Ensemble.Apart]).
type Whole struct {
	At       []int
	Together int
	// Tile holds the values of all functions of every input at the first Points of them, at those that go together at least. Fill
	// fills it for so many; it may be nil where it holds all.
	Tile Tile
	Fill func(points int)
	// Lacking are the points that lack each input, in order, of those that are told apart, and Averages the values of its
	// functions there, [d][m]; nil of an input whose layers are not local.
	Lacking  [][]int
	Averages [][]float32
}

// tile returns the values of all functions at n points.
func (x *Whole) tile(n int) *Tile {
	if x.Tile.Points < n {
		x.Fill(n)
	}
	return &x.Tile
}

func (x *Whole) hasTogether() bool { return x != nil && x.Together > 0 }
func (x *Whole) hasApart() bool    { return x != nil && len(x.At) > x.Together }

// States is the memory of one pass of a tile through one buttress. It serves
// any buttress of the ensembles that it was made for, one at a time.
type States struct {
	of        []*Ensemble
	whole     *wholeStates  // made when they are first needed
	narrow    *narrowStates // made when they are first needed
	rows      []float32     // of the chain: ones, then states of all layers, or of two in turn
	factors   []float32     // factor of each rescaling and point
	stride    int
	exponents []int32   // [stride] sum of the exponents taken out
	powers    []float32 // [stride] two to these
	back      *simd.Cotangents
	ones      []float32
	kept      bool
}

// NewStates returns memory for [Ensemble.Forward] of any of the ensembles, of one at a
// time. stride is that of the tiles.
func NewStates(stride int, ensembles ...*Ensemble) *States {
	layers, wide, rows := 0, 0, 0
	for _, e := range ensembles {
		layers, wide, rows = max(layers, e.depth()), max(wide, e.widestSlot()), max(rows, e.inTurn[0].States())
	}
	s := newStates(stride, layers, wide, rows)
	s.of = ensembles
	return s
}

// NewKeptStates returns memory for [Ensemble.Forward] that holds the states of all
// layers, so that [Ensemble.Backward] can follow.
func (e *Ensemble) NewKeptStates(stride int) *States {
	c := e.kept()[0]
	s := newStates(stride, e.depth(), e.widestSlot(), c.States())
	s.of, s.kept, s.back = []*Ensemble{e}, true, c.NewCotangents(stride)
	return s
}

func newStates(stride, layers, wide, rows int) *States {
	s := &States{
		stride:    stride,
		exponents: make([]int32, stride),
		powers:    make([]float32, stride),
		factors:   make([]float32, (1+layers/rescaleEvery)*stride),
		ones:      slices.Repeat([]float32{1}, wide*stride),
		rows:      make([]float32, rows*stride),
	}
	copy(s.rows[:stride], s.ones)
	return s
}

// chain returns the layers of buttress k for states that are kept or not.
func (e *Ensemble) chain(k int, s *States) *simd.Chain {
	if s.kept {
		return e.kept()[k]
	}
	return e.inTurn[k]
}

// rescaled tells whether states are rescaled after layer g of d: not for the sake
// of a few last layers.
func rescaled(g, d int) bool { return (g+1)%rescaleEvery == 0 && g+rescaleEvery/2 < d }

// hasRescaling tells whether states of d layers are rescaled at all.
func hasRescaling(d int) bool { return rescaled(rescaleEvery-1, d) }

// segment returns the end of the layers that follow one another from layer from
// without a rescaling in between, and segmentBefore their start.
func segment(from, d int) int {
	to := from + 1
	for to < d && !rescaled(to-1, d) {
		to++
	}
	return to
}

func segmentBefore(to, d int) int {
	from := to - 1
	for from > 0 && !rescaled(from-1, d) {
		from--
	}
	return from
}

// factor returns the factors of the rescaling after layer g.
func (s *States) factor(g int) []float32 {
	c := g / rescaleEvery
	return s.factors[c*s.stride : (c+1)*s.stride]
}

// Forward sends a tile through buttress k with weights w (the buttress's own,
// see [Ensemble.Weights]) and writes what arrives at the sink to out, length at
// least x.Points:
//
//	S_1 = W_1 ∘ φ_t(1),  S_γ = (W_γᵀ S_{γ−1}) ∘ φ_t(γ),  out = 1ᵀ S_d
//
// T > 1 outputs are out = W_outᵀ S_d, [T, stride]. A value too large for float32 comes out
// infinite.
func (e *Ensemble) Forward(k int, w []float32, x *Tile, s *States, out []float32) {
	if x.Stride != s.stride {
		panic("buttress: states of another stride than the tile's")
	}
	c, d := e.chain(k, s), e.depth()
	narrow := x.Whole.hasApart()
	var top values
	if narrow {
		top = e.sweepNarrow(k, c, w, x, s)
	} else {
		top = s.sweep(c, d, w, x)
	}
	if e.outputs == 1 {
		top.sum(out, s.ones, x.Points)
		if narrow {
			e.sumNarrow(k, x, s, out)
		}
	} else {
		copyRows(out, top.values, e.outputs, x.Points, s.stride)
	}
	if hasRescaling(d) {
		s.scaleBack(out, out, e.outputs, x.Points)
	}
	if x.Whole.hasTogether() {
		e.forwardWhole(k, w, x.Whole, s, out)
	}
}

// sweep carries a tile through the d layers of a chain and returns the states of the last.
func (s *States) sweep(c *simd.Chain, d int, w []float32, x *Tile) values {
	if hasRescaling(d) {
		clear(s.exponents)
	}
	for from, to := 0, 0; from < d; from = to {
		to = segment(from, d)
		c.Forward(from, to, s.rows, x.Phi, x.First, w, x.Points, s.stride)
		if to < d {
			s.layer(c, to-1).rescale(s.factor(to-1), s.exponents, x.Points)
		}
	}
	return s.layer(c, d-1)
}

// Backward follows [Ensemble.Forward] with the same arguments and adds to dw, of
// the length of w, the gradient of Σ_p cotangent[p] · out[p] with respect to w, summed over
// the outputs. cotangent is [T, stride]. The states are used up.
//
// With U_γ the cotangent of W_γᵀ S_{γ−1}, that is U_{γ−1} = (W_γ U_γ) ∘ φ_t(γ−1)
// and dW_γ = S_{γ−1} U_γᵀ.
func (e *Ensemble) Backward(k int, w []float32, x *Tile, s *States, cotangent, dw []float32) {
	if !s.kept {
		panic("buttress: Backward needs states that were kept")
	}
	if x.Whole.hasTogether() {
		e.backwardWhole(k, w, x.Whole, s, cotangent, dw)
	}
	c, d, n := e.chain(k, s), e.depth(), x.Points
	top := s.layer(c, d-1) // no longer needed: takes the scaled cotangent
	if hasRescaling(d) {
		s.scaleBack(top.values, cotangent, e.outputs, n)
		cotangent = top.values
	}
	if e.outputs == 1 {
		last := e.layers[k][d-1].input
		top.of(s.back.Last()).times(x.Phi[e.rows[last]*s.stride:], cotangent, s.ones, n)
	} else {
		copyRows(s.back.Last(), cotangent, e.outputs, n, s.stride)
	}
	if x.Whole.hasApart() {
		e.backwardNarrow(k, c, w, x, s, cotangent, dw)
		return
	}
	for from, to := 0, d; to > 0; to = from {
		from = segmentBefore(to, d)
		c.Backward(from, to, dw, s.back, s.rows, x.Phi, x.First, w, n, s.stride)
		if from > 0 {
			s.layer(c, from-1).of(s.back.Last()).scale(s.factor(from-1), n)
		}
	}
}

// scaleBack writes outputs, or their cotangents, times the powers of two that were taken out of
// the states.
func (s *States) scaleBack(dst, src []float32, outputs, n int) {
	if s.findPowers(n) {
		if &dst[0] != &src[0] {
			copyRows(dst, src, outputs, n, s.stride)
		}
		simd.Scale(dst, s.powers, outputs, n, s.stride)
		return
	}
	for t := range outputs {
		to, from := dst[t*s.stride:][:n], src[t*s.stride:][:n]
		for p, v := range from {
			to[p] = scaleByPower(v, s.exponents[p])
		}
	}
}

// findPowers finds the powers of two of n points, which the outputs share, and tells whether float32 holds all.
func (s *States) findPowers(n int) bool {
	for p, e := range s.exponents[:n] {
		if e < -126 || e > 127 {
			return false
		}
		s.powers[p] = scaleByPower(1, e)
	}
	return true
}

// scaleByPower returns x · 2^e, infinite or zero where float32 ends.
func scaleByPower(x float32, e int32) float32 {
	if -126 <= e && e <= 127 {
		return x * math.Float32frombits(uint32(e+127)<<23) // 2^e itself
	}
	return float32(math.Ldexp(float64(x), int(e)))
}
