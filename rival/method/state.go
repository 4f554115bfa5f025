package method

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
)

// A Storable regressor can be taken apart, to be kept in a file, and put together
// again by the function Restore of its package: the predictions are the same to the
// bit.
type Storable interface {
	Regressor
	State() (State, error)
}

// State is a regressor as plain data. Whoever has one must not change it.
type State struct {
	Method  string // the name of the package that restores it
	Scaling *Scaling
	Learned json.RawMessage // an object: the method's options, numbers and names
	Tensors map[string]Tensor
	// Law is that of the targets, nil for a function and Gaussian noise. Files keep it apart.
	Law Law
}

// Tensor is an array, the last index running fastest.
type Tensor struct {
	Shape []int
	Data  []float64
}

// NewState returns the state of a regressor of a method, with learned as JSON.
func NewState(method string, scaling *Scaling, learned any, tensors map[string]Tensor) (State, error) {
	text, err := json.Marshal(learned)
	if err != nil {
		return State{}, fmt.Errorf("%s: %w", method, err)
	}
	return State{Method: method, Scaling: scaling, Learned: text, Tensors: tensors}, nil
}

// Of returns the state as that of a law.
func (s State) Of(law Law) State {
	s.Law = law
	return s
}

// Open returns the number of inputs d of a state that may come from anywhere, and
// reads what was learned into learned. It fails if the state is of another method
// or has no scalings.
func (s State) Open(method string, learned any) (inputs int, err error) {
	switch {
	case s.Method != method:
		return 0, fmt.Errorf("%s: the state is of the method %.40q", method, s.Method)
	case s.Scaling == nil:
		return 0, errors.New(method + ": there is no scaling")
	}
	if err := s.Scaling.check(); err != nil {
		return 0, fmt.Errorf("%s: %w", method, err)
	}
	if err := json.Unmarshal(s.Learned, learned); err != nil {
		return 0, fmt.Errorf("%s: %w", method, err)
	}
	return len(s.Scaling.Inputs), nil
}

// Tensor returns the tensor of a name. It fails, naming the method, if there is none, if it has another
// shape, where a side below 0 stands for one of any length from 1 on, and if a value
// is not finite.
func (s State) Tensor(name string, shape ...int) (Tensor, error) {
	t, ok := s.Tensors[name]
	if !ok {
		return t, fmt.Errorf("%s: there is no tensor %q", s.Method, name)
	}
	size := 1
	fits := len(t.Shape) == len(shape)
	for i, side := range t.Shape {
		fits = fits && (side == shape[i] || shape[i] < 0 && side > 0)
		size *= side
	}
	if !fits || size != len(t.Data) {
		return t, fmt.Errorf("%s: tensor %q has shape %v and %d values, want shape %v", s.Method, name, t.Shape, len(t.Data), shape)
	}
	if i := slices.IndexFunc(t.Data, func(v float64) bool { return !finite(v) }); i >= 0 {
		return t, fmt.Errorf("%s: tensor %q: value %d is %g", s.Method, name, i+1, t.Data[i])
	}
	return t, nil
}

// Vector is a tensor of one side.
func Vector(v []float64) Tensor { return Tensor{[]int{len(v)}, v} }

// Rows is the tensor of rows of d values, of which there is at least one.
func Rows(v []float64, d int) Tensor { return Tensor{[]int{len(v) / d, d}, v} }
