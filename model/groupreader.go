package model

import (
	"errors"
	"fmt"

	"beziergp/internal/process/basis"
	"beziergp/internal/process/buttress"
	"beziergp/internal/process/surface"
	"beziergp/internal/safetensors"
	"beziergp/model/modelfile"
)

// groupReader makes groups of what a head and the tensors of a file say. Sizes that the
// head claims are held against the tensors, which were read, before anything of that
// size is made; what several groups have is made once.
type groupReader struct {
	lists     modelfile.Lists
	tensors   map[string]safetensors.Tensor
	used      int                    // of them
	weights   int                    // that no group has taken
	bare      map[string]basis.Basis // without averages, by its key
	bases     []basis.Basis          // by number
	inputs    map[modelfile.Place][]basis.Basis
	ensembles map[ensembleKey]*buttress.Ensemble
}

// ensembleKey is what ensembles that are the same have in common.
type ensembleKey struct {
	bases, order modelfile.Place
	outputs      int
}

func newGroupReader(h *head, tensors map[string]safetensors.Tensor, lists modelfile.Lists) (*groupReader, error) {
	r := &groupReader{
		lists: lists, tensors: tensors, bare: map[string]basis.Basis{},
		inputs: map[modelfile.Place][]basis.Basis{}, ensembles: map[ensembleKey]*buttress.Ensemble{},
	}
	if _, ok := tensors[modelfile.Tensor]; ok {
		r.used++
	}
	for _, t := range tensors {
		r.weights += len(t.Data)
	}
	if h.Bases == nil {
		return r, nil
	}
	kind, err := modelfile.WholeAt[int](lists, h.Bases.Kind, len(lists))
	if err != nil {
		return nil, err
	}
	nodes, err := modelfile.WholeAt[int](lists, h.Bases.Nodes, len(lists))
	if err != nil {
		return nil, err
	}
	averages, err := lists.At(h.Bases.Averages)
	if err != nil {
		return nil, err
	}
	var pools []int
	if h.Bases.Pools != nil {
		if pools, err = modelfile.WholeAt[int](lists, *h.Bases.Pools, len(lists)); err == nil && len(pools) != 2*len(nodes) {
			err = fmt.Errorf("%d ends of the pools of %d bases", len(pools), len(nodes))
		}
		if err != nil {
			return nil, err
		}
	}
	if len(kind) != len(nodes) {
		return nil, fmt.Errorf("%d kinds of %d bases", len(kind), len(nodes))
	}
	for i, k := range kind {
		if k >= len(h.Bases.Kinds) || nodes[i] > len(averages) {
			return nil, fmt.Errorf("basis %d has kind %d of %d, and %d functions with %d averages", i, k, len(h.Bases.Kinds), nodes[i], len(averages))
		}
		spec := basis.Spec{Kind: h.Bases.Kinds[k], Nodes: nodes[i], Average: averages[:nodes[i]]}
		if pools != nil {
			spec.Pool = basis.Pool{From: pools[2*i], To: pools[2*i+1]}
		}
		b, err := r.basis(spec)
		if err != nil {
			return nil, fmt.Errorf("basis %d: %w", i, err)
		}
		averages = averages[nodes[i]:]
		r.bases = append(r.bases, b)
	}
	if len(averages) > 0 {
		return nil, fmt.Errorf("%d averages are of no basis", len(averages))
	}
	return r, nil
}

// basis returns the basis of a spec; one without averages, in format 1, takes its means
// for them.
func (r *groupReader) basis(spec basis.Spec) (basis.Basis, error) {
	bare := spec
	bare.Average = nil
	key := bare.Key()
	b, ok := r.bare[key]
	if !ok {
		var err error
		if b, err = basis.New(bare); err != nil {
			return nil, err
		}
		r.bare[key] = b
	}
	if spec.Average == nil {
		return basis.NewAveraged(b, b.Mean())
	}
	return basis.NewAveraged(b, spec.Average)
}

// left tells whether there are tensors that no group has taken.
func (r *groupReader) left() bool { return r.used != len(r.tensors) }

// posterior returns the process of these groups.
func (r *groupReader) posterior(heads groupHeads, inputs int, prefix string) (*surface.Posterior, error) {
	if inputs == 0 {
		return nil, errors.New("there are no inputs")
	}
	var groups []surface.Group
	var weights [][]float32
	for g, own := range heads {
		group := surface.Group{Part: own.Part}
		read := r.group
		if own.BasisOf == nil {
			read = r.olderGroup
		}
		add, err := read(&group, own, inputs, prefix, g)
		if err != nil {
			return nil, fmt.Errorf("group %d: %w", g, err)
		}
		groups, weights = append(groups, group), append(weights, add...)
	}
	s, err := surface.New(groups...)
	if err != nil {
		return nil, err
	}
	return surface.NewPosterior(s, weights...)
}

// group fills a group and returns its weights, those of the mean first.
func (r *groupReader) group(group *surface.Group, own groupHead, inputs int, prefix string, g int) (weights [][]float32, err error) {
	if own.Order == nil || own.Bases != nil || own.Orderings != nil {
		return nil, errors.New("its orderings are not those of its format")
	}
	if group.Bases, err = r.basesAt(*own.BasisOf, inputs); err != nil {
		return nil, err
	}
	for _, part := range parts(*group) {
		w, err := r.take(tensorName(prefix, g, part))
		if err != nil {
			return nil, err
		}
		weights = append(weights, w)
	}
	outputs := own.Outputs
	if outputs == 0 {
		outputs = 1
	} else if outputs < 2 || outputs > len(weights[0]) {
		return nil, fmt.Errorf("%d outputs of %d weights", outputs, len(weights[0]))
	}
	key := ensembleKey{*own.BasisOf, *own.Order, outputs}
	var known bool
	if group.Ensemble, known = r.ensembles[key]; !known {
		// A layer has at least one weight.
		order, err := modelfile.WholeAt[int](r.lists, *own.Order, len(weights[0]))
		if err != nil {
			return nil, err
		}
		if len(order)%inputs != 0 {
			return nil, fmt.Errorf("its orderings are %d numbers for %d inputs", len(order), inputs)
		}
		orderings := make([][]int, len(order)/inputs)
		for k := range orderings {
			orderings[k] = order[k*inputs : (k+1)*inputs]
		}
		if group.Ensemble, err = newEnsemble(group.Bases, orderings, outputs, len(weights[0])); err != nil {
			return nil, err
		}
		r.ensembles[key] = group.Ensemble
	}
	for i, w := range weights {
		if len(w) != group.Ensemble.Size() {
			return nil, fmt.Errorf("tensor %q has %d elements, want %d", tensorName(prefix, g, parts(*group)[i]), len(w), group.Ensemble.Size())
		}
	}
	return weights, nil
}

// basesAt returns the bases of the inputs of a group.
func (r *groupReader) basesAt(p modelfile.Place, inputs int) ([]basis.Basis, error) {
	bases, known := r.inputs[p]
	if known && len(bases) == inputs {
		return bases, nil
	}
	if p[1] != inputs {
		return nil, fmt.Errorf("it has %d bases for %d inputs", p[1], inputs)
	}
	of, err := modelfile.WholeAt[int](r.lists, p, inputs)
	if err != nil {
		return nil, err
	}
	for _, number := range of {
		if number >= len(r.bases) {
			return nil, fmt.Errorf("basis %d of %d", number, len(r.bases))
		}
		bases = append(bases, r.bases[number])
	}
	r.inputs[p] = bases
	return bases, nil
}

// take returns the numbers of a tensor of float32.
func (r *groupReader) take(name string) ([]float32, error) {
	t, ok := r.tensors[name]
	if !ok || t.Wide != nil {
		return nil, fmt.Errorf("there is no tensor %q of type F32", name)
	}
	r.used++
	r.weights -= len(t.Data)
	return t.Data, nil
}

// parts returns the names of the parts that a group has, the mean first.
func parts(g surface.Group) (names []string) {
	if g.HasMean() {
		names = append(names, mean)
	}
	if g.HasVariance() {
		names = append(names, logVariance)
	}
	return names
}

// newEnsemble returns the buttresses over inputs with these bases, unless they have
// other than so many weights: an ensemble takes more memory than its orderings do.
func newEnsemble(bases []basis.Basis, orderings [][]int, outputs, weights int) (*buttress.Ensemble, error) {
	widths := make([]int, len(bases))
	for i, b := range bases {
		widths[i] = b.Nodes()
	}
	need := 0
	for k, ordering := range orderings {
		rows := 1
		for _, input := range ordering {
			if input < 0 || input >= len(widths) {
				return nil, fmt.Errorf("ordering %d: there is no input %d", k, input)
			}
			need += rows * widths[input]
			rows = widths[input]
			if need > weights {
				return nil, fmt.Errorf("its buttresses have more than the %d weights of the file", weights)
			}
		}
		if outputs > 1 {
			need += rows * outputs
		}
	}
	if need != weights {
		return nil, fmt.Errorf("its buttresses have %d weights, the file holds %d", need, weights)
	}
	return buttress.NewOutputs(widths, surface.Supports(bases), orderings, outputs)
}
