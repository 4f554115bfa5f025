// Package buttress is the Bézier buttress of Jørgensen & Osborne (NeurIPS 2022):
// a layered graph in which every path from source to sink is a control point and
// the product of the weights along the path is that control point's mean or
// variance. Sums over all paths are chains of small matrix products.
//
// An [Ensemble] is a number of buttresses over the same inputs, each with its
// inputs in another order. The package sees values of basis functions, never
// inputs or the bases themselves; layers may have any mixture of widths.
//
// One flat slice holds the weights of an ensemble. The mean buttresses use the
// weights W as they are; the variance buttresses use exp(V), for V a slice of the
// same layout.
package buttress

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"sync"

	"beziergp/internal/simd"
)

// Ensemble is the shape of r buttresses over d inputs with T outputs. It is immutable and
// safe for concurrent use.
type Ensemble struct {
	widths    []int
	outputs   int
	local     []int // by input: functions that do not vanish at a point where its layers are local, else 0; nil where none are
	orderings [][]int
	rows      []int         // first row of the bases of every input, then of the outputs' ones, where there are several, and where the last end
	layers    [][]layer     // [r][d], and one more where there are several outputs
	inTurn    []*simd.Chain // [r] the layers with states of two in turn
	offsets   []int         // [r+1]
	// kept returns the layers with states of their own, [r], made when they are first
	// asked for: only training needs them.
	kept func() []*simd.Chain
	// whole returns the ensemble of which no layer is local, for points at which all
	// functions are needed; it is made when they first are.
	whole func() *Ensemble
	// single returns the ensemble of the same inputs with one output; see [Ensemble.Single].
	single func() *Ensemble
}

// layer is one layer of one buttress: its input, d for the outputs, and where its weights lie.
type layer struct {
	input      int
	rows, cols int // nodes of the layer before and of this one; rows is 1 in the first
	at, end    int // of its weights, from the buttress's first
}

func (l *layer) weights(w []float32) []float32 { return w[l.at:l.end] }

// New returns the ensemble over inputs with the given numbers of nodes, widths
// [d], one buttress for every ordering of the inputs, orderings [r][d]. supports [d] tells
// how many of an input's functions do not vanish at a point; nil stands for all of all.
func New(widths, supports []int, orderings [][]int) (*Ensemble, error) {
	return NewOutputs(widths, supports, orderings, 1)
}

// NewOutputs is [New] with T outputs. Where there are several, the weights of a buttress end
// with one layer more, [m_d, T], m_d being the nodes of its last input.
func NewOutputs(widths, supports []int, orderings [][]int, outputs int) (*Ensemble, error) {
	var local []int
	if supports != nil {
		local = simd.Local(widths, supports)
	}
	return newEnsemble(widths, local, orderings, outputs)
}

// newEnsemble returns the ensemble of which these layers are local; nil for none.
func newEnsemble(widths, local []int, orderings [][]int, outputs int) (*Ensemble, error) {
	d, r := len(widths), len(orderings)
	if d == 0 || r == 0 {
		return nil, fmt.Errorf("a buttress ensemble of %d inputs and %d orderings: both must be at least 1", d, r)
	}
	if outputs < 1 {
		return nil, fmt.Errorf("a buttress ensemble of %d outputs; it needs at least 1", outputs)
	}
	e := &Ensemble{widths: slices.Clone(widths), outputs: outputs, local: local, offsets: []int{0}}
	for i, m := range widths {
		if m < 1 {
			return nil, fmt.Errorf("input %d has %d nodes; it needs at least 1", i, m)
		}
	}
	row := 0
	for i := range widths {
		e.rows = append(e.rows, row)
		row += e.slot(i)
	}
	e.rows = append(e.rows, row)
	if outputs > 1 {
		e.rows = append(e.rows, row+outputs)
	}
	// Equal orderings share what they are made into.
	known := map[string]int{}
	var key []byte
	for k, ordering := range orderings {
		if err := checkOrdering(ordering, d); err != nil {
			return nil, fmt.Errorf("ordering %d: %w", k, err)
		}
		key = key[:0]
		for _, input := range ordering {
			key = binary.LittleEndian.AppendUint32(key, uint32(input))
		}
		if first, ok := known[string(key)]; ok {
			e.orderings, e.layers, e.inTurn = append(e.orderings, e.orderings[first]), append(e.layers, e.layers[first]), append(e.inTurn, e.inTurn[first])
		} else {
			known[string(key)] = k
			e.orderings, e.layers = append(e.orderings, slices.Clone(ordering)), append(e.layers, layersOf(widths, ordering, outputs))
			e.inTurn = append(e.inTurn, e.newChain(ordering, false))
		}
		e.offsets = append(e.offsets, e.offsets[k]+e.layers[k][e.depth()-1].end)
	}
	e.kept = sync.OnceValue(func() []*simd.Chain {
		chains := make([]*simd.Chain, r)
		for k, ordering := range e.orderings {
			chains[k] = e.newChain(ordering, true)
		}
		return chains
	})
	e.whole = sync.OnceValue(func() *Ensemble { return e.alike(nil, e.outputs) })
	e.single = sync.OnceValue(func() *Ensemble { return e.alike(e.local, 1) })
	return e, nil
}

// alike returns the ensemble of the same inputs and orderings with other local layers and
// outputs.
func (e *Ensemble) alike(local []int, outputs int) *Ensemble {
	other, err := newEnsemble(e.widths, local, e.orderings, outputs)
	if err != nil {
		panic(err) // the same shape was made before
	}
	return other
}

func layersOf(widths, ordering []int, outputs int) (layers []layer) {
	rows, at := 1, 0
	add := func(input, cols int) {
		end := at + rows*cols
		layers = append(layers, layer{input, rows, cols, at, end})
		rows, at = cols, end
	}
	for _, input := range ordering {
		add(input, widths[input])
	}
	if outputs > 1 {
		add(len(widths), outputs)
	}
	return layers
}

func checkOrdering(ordering []int, d int) error {
	if len(ordering) != d {
		return fmt.Errorf("it names %d of %d inputs", len(ordering), d)
	}
	seen := make([]bool, d)
	for g, input := range ordering {
		if input < 0 || input >= d || seen[input] {
			return fmt.Errorf("layer %d has input %d: it is no ordering of the inputs 0 to %d", g, input, d-1)
		}
		seen[input] = true
	}
	return nil
}

// Inputs returns d.
func (e *Ensemble) Inputs() int { return len(e.widths) }

// Buttresses returns r.
func (e *Ensemble) Buttresses() int { return len(e.orderings) }

// Widths returns the number of nodes of every input, length d. It must not be
// changed.
func (e *Ensemble) Widths() []int { return e.widths }

// Orderings returns the inputs layer by layer of every buttress, [r][d]. It must
// not be changed.
func (e *Ensemble) Orderings() [][]int { return e.orderings }

// Row returns the first row of an input's basis values in a [Tile], and for input d that of
// the ones of several outputs (there are none of one output).
func (e *Ensemble) Row(input int) int { return e.rows[input] }

// Rows returns the rows of all inputs' basis values in a [Tile], with the ones of several
// outputs.
func (e *Ensemble) Rows() int { return e.rows[len(e.rows)-1] }

// Local returns how many functions of an input do not vanish at a point where its layers
// are local, and 0 where they are not: how its values lie in a [Tile].
func (e *Ensemble) Local(input int) int {
	if e.local == nil {
		return 0
	}
	return e.local[input]
}

// HasLocal tells whether layers of any input are local.
func (e *Ensemble) HasLocal() bool { return e.local != nil }

// WholeRow is [Ensemble.Row] of a [Whole].
func (e *Ensemble) WholeRow(input int) int { return e.whole().rows[input] }

// WholeRows is [Ensemble.Rows] of a [Whole].
func (e *Ensemble) WholeRows() int { return e.whole().Rows() }

// slot returns the rows of an input's basis values.
func (e *Ensemble) slot(input int) int {
	if k := e.Local(input); k != 0 {
		return simd.Slot(k)
	}
	return e.widths[input]
}

// Size returns the number of weights of all buttresses.
func (e *Ensemble) Size() int { return e.offsets[len(e.orderings)] }

// Weights returns the part of w, of length Size, that belongs to buttress k:
// layer after layer, each [nodes of the layer before, nodes] by rows, and [nodes of the last
// layer, T] where there are several outputs.
func (e *Ensemble) Weights(w []float32, k int) []float32 {
	return w[e.offsets[k]:e.offsets[k+1]]
}

// End returns where the weights of buttress k end.
func (e *Ensemble) End(k int) int { return e.offsets[k+1] }

// LogPaths returns log τ, the logarithm of the number of control points of one
// buttress, which itself overflows when there are many inputs: every output has its own.
func (e *Ensemble) LogPaths() float64 {
	sum := math.Log(float64(e.outputs))
	for _, m := range e.widths {
		sum += math.Log(float64(m))
	}
	return sum
}

// widest returns the largest number of nodes of any layer.
func (e *Ensemble) widest() int { return max(slices.Max(e.widths), e.outputs) }

// widestSlot returns the largest number of rows of basis values of any input.
func (e *Ensemble) widestSlot() (rows int) {
	for i := range e.widths {
		rows = max(rows, e.slot(i))
	}
	return rows
}

// nodes returns the number of nodes of all layers of a buttress.
func (e *Ensemble) nodes() (sum int) {
	for _, l := range e.layers[0] {
		sum += l.cols
	}
	return sum
}

// enumerable is the largest d whose orderings are listed to be drawn from; d!
// grows past any r that anyone asks for beyond it.
const enumerable = 7

// RandomOrderings draws r orderings of d inputs, uniformly among all, none twice
// while there are others: after all d! have been drawn, the drawing starts anew.
func RandomOrderings(d, r int, rng *rand.Rand) [][]int {
	if d <= enumerable {
		all := permutations(d)
		drawn := make([][]int, 0, r)
		for len(drawn) < r {
			rng.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
			drawn = append(drawn, all[:min(r-len(drawn), len(all))]...)
		}
		return drawn
	}
	drawn := make([][]int, 0, r)
	seen, all := make(map[string]bool, r), math.Gamma(float64(d)+1)
	var key []byte
	for len(drawn) < r {
		if float64(len(seen)) == all {
			clear(seen)
		}
		ordering := rng.Perm(d)
		key = key[:0]
		for _, input := range ordering {
			key = binary.AppendUvarint(key, uint64(input))
		}
		if !seen[string(key)] {
			seen[string(key)] = true
			drawn = append(drawn, ordering)
		}
	}
	return drawn
}

// permutations lists the orderings of 0 … d−1 lexicographically.
func permutations(d int) [][]int {
	if d == 0 {
		return [][]int{{}}
	}
	var all [][]int
	for first := range d {
		for _, rest := range permutations(d - 1) {
			ordering := append(make([]int, 0, d), first)
			for _, i := range rest {
				if i >= first {
					i++
				}
				ordering = append(ordering, i)
			}
			all = append(all, ordering)
		}
	}
	return all
}
