package model

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"beziergp/internal/process/basis"
	"beziergp/internal/process/surface"
	"beziergp/internal/safetensors"
	"beziergp/model/modelfile"
)

// groupHead describes a group: of what bases its inputs have, and of how they are
// ordered.
type groupHead struct {
	BasisOf *modelfile.Place `json:"basis_of_input,omitempty"` // [d] numbers of bases
	Order   *modelfile.Place `json:"order,omitempty"`          // [r, d]
	Part    surface.Part     `json:"part,omitempty"`
	Outputs int              `json:"outputs,omitempty"` // of several; absent where there is one
	// What formats before 4 have in the place of these.
	Bases     []basis.Spec `json:"bases,omitempty"`     // [d]
	Orderings [][]int      `json:"orderings,omitempty"` // [r][d]
}

type groupHeads []groupHead

// UnmarshalJSON reads them one after the other: a group has bases.
func (h *groupHeads) UnmarshalJSON(text []byte) error {
	return modelfile.Each(text, func(g groupHead) error {
		if g.BasisOf == nil && len(g.Bases) == 0 {
			return errors.New("a group has no bases")
		}
		*h = append(*h, g)
		return nil
	})
}

// basesHead describes all bases of a model, each once, by numbers in lists.
type basesHead struct {
	Kinds    []basis.Kind    `json:"kinds"`    // there are, in the order of this file
	Kind     modelfile.Place `json:"kind"`     // [bases] which of them
	Nodes    modelfile.Place `json:"nodes"`    // [bases]
	Averages modelfile.Place `json:"averages"` // of all bases, one after the other
	// Pools are both ends of the levels that share a function, of every basis; nil where no basis has a pool.
	Pools *modelfile.Place `json:"pools,omitempty"` // [bases, 2]
}

// groupWriter gathers what groups consist of.
type groupWriter struct {
	tensors  map[string]safetensors.Tensor
	numbers  modelfile.Numbers
	number   map[string]int // of a basis
	kind     []int
	nodes    []int
	averages []float64
	pools    []int // [bases, 2]
	pooled   bool  // whether one of them has a pool
}

func newGroupWriter() *groupWriter {
	return &groupWriter{tensors: map[string]safetensors.Tensor{}, number: map[string]int{}}
}

// describe returns the groups of a process and adds their weights to the tensors.
func (w *groupWriter) describe(q *surface.Posterior, prefix string) (heads groupHeads) {
	for g := range q.Groups() {
		group := q.Group(g)
		var of, order []int
		for _, b := range group.Bases {
			of = append(of, w.basis(b.Spec()))
		}
		for _, ordering := range group.Ensemble.Orderings() {
			order = append(order, ordering...)
		}
		own := groupHead{Part: group.Part}
		if t := group.Ensemble.Outputs(); t > 1 {
			own.Outputs = t
		}
		basisOf, orderings := modelfile.AddInts(&w.numbers, of), modelfile.AddInts(&w.numbers, order)
		own.BasisOf, own.Order = &basisOf, &orderings
		heads = append(heads, own)
		for name, weights := range map[string][]float32{mean: q.Mean(q.Params(), g), logVariance: q.Variance(q.Params(), g)} {
			if weights != nil {
				w.tensors[tensorName(prefix, g, name)] = safetensors.Tensor{Shape: []int{len(weights)}, Data: weights}
			}
		}
	}
	return heads
}

// Ends of the names of the tensors of a group. Each holds the weights of all buttresses
// one after the other, of each its layers, [nodes of the layer before, nodes] by rows,
// 1 before the first.
const (
	mean        = "mean"
	logVariance = "log_variance"
)

func tensorName(prefix string, g int, name string) string {
	return fmt.Sprintf("%sgroups.%d.%s", prefix, g, name)
}

// basis returns the number of a basis.
func (w *groupWriter) basis(spec basis.Spec) int {
	// A spec is numbers and one of few words.
	text, _ := json.Marshal(spec)
	number, ok := w.number[string(text)]
	if !ok {
		number = len(w.nodes)
		w.number[string(text)] = number
		w.kind = append(w.kind, slices.Index(basis.Kinds(), spec.Kind))
		w.nodes = append(w.nodes, spec.Nodes)
		w.pools, w.pooled = append(w.pools, spec.Pool.From, spec.Pool.To), w.pooled || spec.Kind == basis.KindPooled
		w.averages = append(w.averages, spec.Average...)
	}
	return number
}

// firstKinds are those that every file names. One that came later is named where it is used, so
// that programs before it read the other files.
const firstKinds = 3

func (w *groupWriter) bases() *basesHead {
	kinds := basis.Kinds()
	last := 0
	for _, k := range w.kind {
		last = max(last, k)
	}
	h := &basesHead{
		Kinds: kinds[:max(firstKinds, last+1)],
		Kind:  modelfile.AddInts(&w.numbers, w.kind), Nodes: modelfile.AddInts(&w.numbers, w.nodes), Averages: w.numbers.Add(w.averages),
	}
	if w.pooled {
		pools := modelfile.AddInts(&w.numbers, w.pools)
		h.Pools = &pools
	}
	return h
}
