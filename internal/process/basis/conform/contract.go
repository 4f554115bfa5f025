package conform

import (
	"encoding/json"
	"math"
	"reflect"
	"slices"
	"testing"

	"beziergp/internal/process/basis"
)

// functions are Values and Derivatives by their names.
func (s *suite) functions() map[string]func(dst, t []float32, n, ld int) {
	return map[string]func(dst, t []float32, n, ld int){"Values": s.Basis.Values, "Derivatives": s.Basis.Derivatives}
}

// unknown: NaN has the values of the traits and no slope, wherever it stands among more
// points than one block, and the others have what they have alone. A basis that does not
// take NaN, and is not constant, says NaN, or panics, but gives no number that looks right.
func (s *suite) unknown(t *testing.T) {
	nan := float32(math.NaN())
	if s.Traits.Unknown == nil && s.m == 1 && s.Levels == 0 {
		t.Skip("it is constant")
	}
	if s.Traits.Unknown == nil {
		defer func() { _ = recover() }()
		if values, _ := s.at(nan); !slices.ContainsFunc(values, func(v float32) bool { return v != v }) {
			t.Errorf("values at NaN: %v", values)
		}
		return
	}
	known := s.coordinates()
	const n = 700
	at := make([]float32, n)
	for p := range at {
		if at[p] = known[p%len(known)]; p%3 == 1 {
			at[p] = nan
		}
	}
	given := slices.Clone(at)
	for name, f := range s.functions() {
		all, alone := make([]float32, s.m*n), make([]float32, s.m)
		f(all, at, n, n)
		for p, v := range given {
			if v == v {
				f(alone, []float32{v}, 1, 1)
			}
			for i := range s.m {
				want := float64(alone[i])
				if v != v {
					want = map[string]float64{"Values": s.Traits.Unknown[i]}[name]
				}
				if got := float64(all[i*n+p]); math.Abs(got-want) > 1e-6*math.Abs(want)+1e-9 {
					t.Fatalf("%s of function %d at point %d, %g: %g, want %g", name, i, p, v, got, want)
				}
			}
		}
		for p, v := range given {
			if (at[p] != v && v == v) || (at[p] == at[p]) != (v == v) {
				t.Fatalf("%s changes coordinate %d from %g to %g", name, p, v, at[p])
			}
		}
	}
}

// layout: φ_i at point p lies at [i*ld+p], the same to the bit whatever n and ld are, and
// what lies between the rows is left alone.
func (s *suite) layout(t *testing.T) {
	at := s.coordinates()
	for name, f := range s.functions() {
		for _, n := range []int{0, 1, 2, min(7, len(at)), len(at)} {
			if n > len(at) {
				continue
			}
			ld := n + 3
			all, alone := make([]float32, s.m*ld), make([]float32, s.m)
			for i := range all {
				all[i] = -7
			}
			f(all, at, n, ld)
			for p := range ld {
				for i := range alone {
					alone[i] = -7
				}
				if p < n {
					f(alone, at[p:], 1, 1)
				}
				for i, want := range alone {
					if got := all[i*ld+p]; got != want {
						t.Fatalf("%s of %d points: [%d, %d] is %g, want %g", name, n, i, p, got, want)
					}
				}
			}
		}
	}
}

// misuse: slices that are too short.
func (s *suite) misuse(t *testing.T) {
	at := s.coordinates()[:1]
	for name, call := range map[string]func(){
		"Values, dst":      func() { s.Basis.Values(make([]float32, s.m-1), at, 1, 1) },
		"Values, t":        func() { s.Basis.Values(make([]float32, 2*s.m), at[:1:1], 2, 2) },
		"Derivatives, dst": func() { s.Basis.Derivatives(make([]float32, s.m-1), at, 1, 1) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s too short: no panic", name)
				}
			}()
			call()
		}()
	}
}

// spec: the description, as JSON in a file, makes the same basis again.
func (s *suite) spec(t *testing.T) {
	text, err := json.Marshal(s.Basis.Spec())
	if err != nil {
		t.Fatal(err)
	}
	var read basis.Spec
	if err := json.Unmarshal(text, &read); err != nil {
		t.Fatal(err)
	}
	again, err := basis.New(read)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	if !reflect.DeepEqual(again.Spec(), s.Basis.Spec()) || again.Nodes() != s.m || reflect.TypeOf(again) != reflect.TypeOf(s.Basis) {
		t.Errorf("%T %s comes back as %T %+v", s.Basis, text, again, again.Spec())
	}
	other := &suite{Basis: again, Traits: s.Traits, m: s.m}
	for _, at := range s.coordinates() {
		values, slopes := s.at(at)
		if v, d := other.at(at); !slices.Equal(v, values) || !slices.Equal(d, slopes) {
			t.Errorf("made again from %s it differs at %g", text, at)
		}
	}
	if basis.Ordered(s.Basis) == (s.Levels > 0) {
		t.Errorf("Ordered is %v", basis.Ordered(s.Basis))
	}
	if bare := basis.Bare(s.Basis); bare.Spec().Average != nil || bare.Nodes() != s.m {
		t.Errorf("bare it is %+v", bare.Spec())
	}
	if averaged := s.Basis.Spec().Average != nil; averaged == reflect.TypeOf(s.Basis).Comparable() {
		t.Errorf("it can be the key of a map: %v; it has averages: %v", !averaged, averaged)
	}
}
