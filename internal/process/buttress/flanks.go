package buttress

import (
	"math"
	"slices"

	"beziergp/internal/simd"
)

// Flanks is an ensemble with its weights, of which the derivatives by basis values are wanted
// summed over many points. Of buttress k and the input of its layer γ, [Slopes] has
//
//	Σ_p ∂f_k/∂φ_j = Σ_p (W_γᵀ S_{γ−1})_j (W_{γ+1} R_{γ+1})_j = Σ_ih W_γ[i,j] M_γ[i,h] W_{γ+1}[j,h]
//	M_γ = Σ_p S_{γ−1} R_{γ+1}ᵀ
//
// So the points need no more than the states that flank every layer: of local layers one block
// of M_γ a point. The weights come in once, at the end. It is immutable and safe for concurrent
// use.
type Flanks struct {
	shape  *Ensemble
	w      []float32
	back   []*simd.Chain // [r] from the sink to the source
	turned [][]float32   // [r] their weights
	sums   [][]flank     // [r][d]
}

// flank is where the sums of a layer lie.
type flank struct {
	at, end int
	// direct tells that they are the derivatives, not M_γ, which is too large where
	// two categories of very many levels flank a layer.
	direct bool
}

// smallFlank is up to how many elements M_γ has in any case; beyond it no more than the
// weights of the layer or of the one behind.
const smallFlank = 1 << 12

// NewFlanks returns the ensemble with weights w, of length Size, which it keeps and which must
// not be changed.
func (e *Ensemble) NewFlanks(w []float32) *Flanks {
	e.needsOne("sums of derivatives")
	f := &Flanks{shape: e, w: w}
	known := map[*int]*simd.Chain{} // equal orderings are one
	for k, ordering := range e.orderings {
		chain, ok := known[&ordering[0]]
		if !ok {
			back := slices.Clone(ordering)
			slices.Reverse(back)
			chain = simd.NewChain(e.widths, e.local, back, true)
			known[&ordering[0]] = chain
		}
		layers := e.layers[k]
		f.back, f.turned = append(f.back, chain), append(f.turned, turned(e.Weights(w, k), layers))
		sums, at := make([]flank, len(layers)), 0
		for g, l := range layers {
			behind := 1
			if g < len(layers)-1 {
				behind = layers[g+1].cols
			}
			size := l.rows * behind
			direct := size > max(smallFlank, l.rows*l.cols, l.cols*behind)
			if direct {
				size = l.cols
			}
			sums[g] = flank{at, at + size, direct}
			at += size
		}
		f.sums = append(f.sums, sums)
	}
	return f
}

// Whole returns the same with no local layers, for points at which all functions are needed. Both
// can add to the same sums.
func (f *Flanks) Whole() *Flanks {
	if !f.shape.HasLocal() {
		return f
	}
	return f.shape.whole().NewFlanks(f.w)
}

// Shape returns the ensemble whose shape tiles and states have.
func (f *Flanks) Shape() *Ensemble { return f.shape }

// Size returns how many sums there are of buttress k.
func (f *Flanks) Size(k int) int { return f.sums[k][len(f.sums[k])-1].end }

// FlankStates is the memory of [Flanks.Add], for tiles of a stride and one shape.
type FlankStates struct {
	states, back *States
	// Of the states of the layers up to each rescaling, from the source on and from the sink.
	taken, backTaken [][]int32
	scaled           []float32
	factor           []float32
	first            []int32 // zeros
	arrives          []float32
}

// NewFlankStates returns memory for [Flanks.Add] at tiles of this stride.
func NewFlankStates(stride int, shape *Ensemble) *FlankStates {
	m := &FlankStates{
		states: shape.newFlankStates(stride), back: shape.newFlankStates(stride),
		factor: make([]float32, stride), first: make([]int32, stride), arrives: make([]float32, 2*shape.widest()),
	}
	if d := shape.Inputs(); hasRescaling(d) {
		m.scaled = make([]float32, shape.widestSlot()*stride)
		for range 1 + d/rescaleEvery {
			m.taken, m.backTaken = append(m.taken, make([]int32, stride)), append(m.backTaken, make([]int32, stride))
		}
	}
	return m
}

// newFlankStates returns memory that holds the states of all layers, of a chain or its reverse.
func (e *Ensemble) newFlankStates(stride int) *States {
	s := newStates(stride, e.Inputs(), e.widestSlot(), e.kept()[0].States())
	s.of, s.kept = []*Ensemble{e}, true
	return s
}

// Add adds the sums of buttress k over the points of a tile to sums, [Size]. The tile must have
// no [Whole].
func (f *Flanks) Add(k int, x *Tile, m *FlankStates, sums []float32) {
	if x.Stride != m.states.stride || x.Whole != nil {
		panic("buttress: states of another stride than the tile's, or a tile of two shapes")
	}
	e, d, n := f.shape, f.shape.Inputs(), x.Points
	chain, back, own := e.chain(k, m.states), f.back[k], e.Weights(f.w, k)
	m.states.sweepKept(chain, d, own, x, m.taken)
	m.back.sweepKept(back, d, f.turned[k], x, m.backTaken)
	for g, l := range e.layers[k] {
		before := m.side(chain, m.states, g-1, f.inputAt(k, g-1), x, f.localAt(k, g+1))
		behind := m.side(back, m.back, d-2-g, f.inputAt(k, g+1), x, f.localAt(k, g-1))
		if hasRescaling(d) {
			before.Values = m.rescaled(before, rescalings(d, g), rescalings(d, d-1-g), n)
		}
		s := f.sums[k][g]
		if !s.direct {
			simd.AddFlanks(sums[s.at:s.end], before, behind, n, x.Stride)
			continue
		}
		turned := f.turned[k][f.turnedAt(k, g):]
		simd.AddAcross(sums[s.at:s.end], m.arrives, l.weights(own), turned, before, behind, n, x.Stride)
	}
}

// inputAt returns the input of layer g, −1 beyond either end.
func (f *Flanks) inputAt(k, g int) int {
	if g < 0 || g == f.shape.Inputs() {
		return -1
	}
	return f.shape.layers[k][g].input
}

// localAt tells whether layer g is local.
func (f *Flanks) localAt(k, g int) bool {
	input := f.inputAt(k, g)
	return input >= 0 && f.shape.Local(input) != 0
}

// side returns the states of layer g of a chain, which is of an input; those before its first
// layer are ones at a node, local where it goes with those of a local layer on the other side.
func (m *FlankStates) side(c *simd.Chain, s *States, g, input int, x *Tile, local bool) simd.Flank {
	if g < 0 {
		out := simd.Flank{Values: s.rows[:s.stride], Nodes: 1}
		if local {
			out.Support, out.First = 1, m.first
		}
		return out
	}
	v, e := s.layer(c, g), s.of[0]
	out := simd.Flank{Values: v.values, Nodes: e.widths[input], Support: e.Local(input)}
	if v.local {
		out.First = x.First[(1+input)*x.Stride:]
	}
	return out
}

// rescaled returns values with the powers of two that were taken out of the states of both sides,
// after so many rescalings each.
func (m *FlankStates) rescaled(f simd.Flank, before, behind, n int) []float32 {
	v := values{m.scaled[:len(f.Values)], f.Nodes, f.Support != 0, m.states.stride}
	if v.local {
		v.rows = simd.Slot(f.Support)
	}
	copy(v.values, f.Values)
	v.scaleByPowers(m.factor, m.taken[before], m.backTaken[behind], n)
	return v.values
}

// sweepKept carries a tile through the d layers of a chain and keeps all states, and what was
// taken out of them up to each rescaling, where there are any.
func (s *States) sweepKept(c *simd.Chain, d int, w []float32, x *Tile, taken [][]int32) {
	s.sweep(c, d, w, x)
	if taken == nil {
		return
	}
	// What the rescalings took out is in their factors, powers of two.
	n, segment := x.Points, 0
	clear(taken[0])
	for g := range d {
		if !rescaled(g, d) {
			continue
		}
		segment++
		for p, factor := range s.factor(g)[:n] {
			taken[segment][p] = taken[segment-1][p] + 127 - int32(math.Float32bits(factor)>>23)
		}
	}
}

// turnedAt returns where the weights behind layer g lie among the turned ones, [nodes behind, nodes].
func (f *Flanks) turnedAt(k, g int) int {
	layers := f.shape.layers[k]
	last := len(layers) - 1
	if g == last {
		return 0
	}
	return layers[last].cols + layers[last].end - layers[g+1].end
}

// Slopes adds the derivatives of buttress k by the functions of all inputs, summed over the points
// that sums are of, to slopes: those of input i from at[i] on.
func (f *Flanks) Slopes(k int, sums []float64, at []int, slopes []float64) {
	own := f.shape.Weights(f.w, k)
	var m, product []float32
	for g, l := range f.shape.layers[k] {
		s := f.sums[k][g]
		to := slopes[at[l.input]:][:l.cols]
		if s.direct {
			for j, v := range sums[s.at:s.end] {
				to[j] += v
			}
			continue
		}
		m = m[:0]
		for _, v := range sums[s.at:s.end] {
			m = append(m, float32(v))
		}
		if need := l.rows * l.cols; len(product) < need {
			product = make([]float32, need)
		}
		// The nodes of the layer are the lanes.
		behind := len(m) / l.rows
		simd.Layer(product, l.weights(own), m, f.turned[k][f.turnedAt(k, g):], 1, behind, behind, l.rows, l.cols, l.cols)
		for i := range l.rows {
			for j, v := range product[i*l.cols:][:l.cols] {
				to[j] += float64(v)
			}
		}
	}
}
