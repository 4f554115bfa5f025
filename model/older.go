package model

import (
	"errors"
	"fmt"

	"beziergp/internal/process/surface"
)

// olderGroup is [groupReader.group] for formats before 4: bases and orderings are in the
// head, and every buttress has tensors of its own.
func (r *groupReader) olderGroup(group *surface.Group, own groupHead, inputs int, prefix string, g int) ([][]float32, error) {
	if own.Order != nil || r.bases != nil {
		return nil, errors.New("its orderings are not those of its format")
	}
	if len(own.Bases) != inputs {
		return nil, fmt.Errorf("it has %d bases for %d inputs", len(own.Bases), inputs)
	}
	if len(own.Orderings) > len(r.tensors) {
		return nil, fmt.Errorf("it has %d orderings, more than the %d tensors of the file", len(own.Orderings), len(r.tensors))
	}
	nodes := 0
	for i, spec := range own.Bases {
		// A layer has as many weights as nodes at least.
		if nodes += max(0, spec.Nodes); spec.Nodes > r.weights || nodes > r.weights {
			return nil, fmt.Errorf("its bases have more functions than the file has weights, %d", r.weights)
		}
		b, err := r.basis(spec)
		if err != nil {
			return nil, fmt.Errorf("input %d: %w", i, err)
		}
		group.Bases = append(group.Bases, b)
	}
	names := parts(*group)
	weights := make([][]float32, len(names))
	for i, part := range names {
		for k := range own.Orderings {
			w, err := r.take(olderTensor(prefix, g, k, part))
			if err != nil {
				return nil, err
			}
			weights[i] = append(weights[i], w...)
		}
	}
	var err error
	if group.Ensemble, err = newEnsemble(group.Bases, own.Orderings, 1, len(weights[0])); err != nil {
		return nil, err
	}
	for _, part := range names {
		for k := range own.Orderings {
			name := olderTensor(prefix, g, k, part)
			have, want := len(r.tensors[name].Data), len(group.Ensemble.Weights(weights[0], k))
			if have != want {
				return nil, fmt.Errorf("tensor %q has %d elements, want %d", name, have, want)
			}
		}
	}
	return weights, nil
}

func olderTensor(prefix string, g, k int, part string) string {
	return fmt.Sprintf("%sgroups.%d.buttresses.%d.%s", prefix, g, k, part)
}
