package conform

import (
	"encoding/json"
	"maps"
	"math"
	"slices"
	"testing"

	"beziergp/rival/method"
)

// noise: what is told of it is no more than the deviation of any prediction.
func (s *suite) noise(t *testing.T) {
	r, ok := s.usual(t).(method.Latent)
	if !ok {
		t.Skip("not one of its traits")
	}
	noise := r.Noise()
	for i, std := range predict(t, r, set(2, 50, 0).X, 2).std {
		if !(noise >= 0) || !(noise <= std*(1+1e-9)) {
			t.Fatalf("row %d: noise %g, deviation %g", i+1, noise, std)
		}
	}
}

// needsStore skips what a method that is not stored need not do.
func (s *suite) needsStore(t *testing.T) {
	t.Helper()
	if s.traits.Restore == nil {
		t.Skip("not one of its traits")
	}
}

// state returns that of a regressor as a file would give it back.
func (s *suite) state(t *testing.T, r method.Regressor) method.State {
	t.Helper()
	s.needsStore(t)
	state, err := r.(method.Storable).State()
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(state.Scaling)
	if err != nil {
		t.Fatal(err)
	}
	state.Scaling = nil
	if err := json.Unmarshal(text, &state.Scaling); err != nil {
		t.Fatal(err)
	}
	tensors := map[string]method.Tensor{}
	for name, tensor := range state.Tensors {
		tensors[name] = method.Tensor{Shape: slices.Clone(tensor.Shape), Data: slices.Clone(tensor.Data)}
	}
	state.Tensors = tensors
	return state
}

// stored: a regressor that was taken apart predicts the same, to the bit, and has the
// same state.
func (s *suite) stored(t *testing.T) {
	s.needsStore(t) // before anything is fitted: such a method may refuse constant inputs
	constant := set(1, rows, 0.1)
	for i := range constant.Y {
		constant.X[2*i], constant.X[2*i+1] = 3, 4
	}
	for name, data := range map[string]method.Data{"usual": set(1, rows, 0.1), "constant inputs": constant} {
		r := s.fit(t, data, environment)
		state := s.state(t, r)
		back, err := s.traits.Restore(state)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		x := set(2, 300, 0).X
		want, got := predict(t, r, x, 2), predict(t, back, x, 2)
		if !slices.Equal(got.mean, want.mean) || !slices.Equal(got.std, want.std) {
			t.Errorf("%s: predictions differ by %g", name, rmse(got.mean, want.mean))
		}
		again := s.state(t, back)
		if again.Method != state.Method || string(again.Learned) != string(state.Learned) || len(again.Tensors) != len(state.Tensors) {
			t.Errorf("%s: %s becomes %s", name, state.Learned, again.Learned)
		}
		for key, tensor := range state.Tensors {
			if other := again.Tensors[key]; !slices.Equal(other.Shape, tensor.Shape) || !slices.Equal(other.Data, tensor.Data) {
				t.Errorf("%s: tensor %q differs", name, key)
			}
		}
	}
}

// damaged: a state with something missing or out of order is an error, not a panic and
// not a regressor.
func (s *suite) damaged(t *testing.T) {
	whole := s.state(t, s.usual(t))
	for what, edit := range map[string]func(*method.State){
		"another method": func(d *method.State) { d.Method = "another" },
		"no scaling":     func(d *method.State) { d.Scaling = nil },
		"no inputs":      func(d *method.State) { d.Scaling = &method.Scaling{Target: method.Affine{Scale: 1}} },
		"no deviation":   func(d *method.State) { d.Scaling = &method.Scaling{Inputs: d.Scaling.Inputs} },
		"nothing":        func(d *method.State) { d.Learned = nil },
		"no object":      func(d *method.State) { d.Learned = json.RawMessage("3") },
		"no numbers":     func(d *method.State) { d.Learned = json.RawMessage("{}") },
	} {
		state := whole
		edit(&state)
		if _, err := s.traits.Restore(state); err == nil {
			t.Errorf("%s: no error", what)
		}
	}
	for name, tensor := range whole.Tensors {
		for what, edited := range map[string]method.Tensor{
			"shape and values of nothing": {},
			"a value too few":             {Shape: tensor.Shape, Data: tensor.Data[1:]},
			"another shape":               {Shape: append([]int{1}, tensor.Shape...), Data: tensor.Data},
			"a value that is none":        {Shape: tensor.Shape, Data: append([]float64{math.NaN()}, tensor.Data[1:]...)},
			"no rows":                     {Shape: append([]int{0}, tensor.Shape[1:]...), Data: []float64{}},
		} {
			state := whole
			state.Tensors = maps.Clone(whole.Tensors)
			state.Tensors[name] = edited
			if _, err := s.traits.Restore(state); err == nil {
				t.Errorf("tensor %q, %s: no error", name, what)
			}
		}
	}
}
