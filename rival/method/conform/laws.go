package conform

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"beziergp/rival/method"
)

// Law is one that a method is held to.
type Law struct {
	method.Law
	// Draw returns a target, given its natural parameters.
	Draw func(random *rand.Rand, f []float64) float64
	// Exposure has the rows exposures from ½ to 2.
	Exposure bool
}

// laws are the checks under a law, and of a method without any that it says so.
func (s *suite) laws(t *testing.T) {
	if len(s.traits.Laws) == 0 {
		t.Skip("not one of its traits")
	}
	for name, law := range s.traits.Laws {
		t.Run(name, func(t *testing.T) {
			if !s.traits.Lawful {
				if _, err := s.method.Fit(context.Background(), lawSet(law, 1, rows, 1), environment); !errors.Is(err, method.ErrLaw) {
					t.Errorf("error %v, want %v", err, method.ErrLaw)
				}
				return
			}
			s.lawForm(t, law)
			s.lawContent(t, law)
			s.lawStored(t, law)
		})
	}
}

// truth is f of the law's sets.
func truth(k int, a, b float64, f []float64) {
	f[0] = 0.7*a - 0.4*b + 0.3
	for c := 1; c < k; c++ {
		f[c] = 0.9*math.Cos(float64(c))*a + 0.9*math.Sin(float64(c))*b
	}
}

// lawSet draws n rows of two inputs in [−2, 2]² and targets of the law, f being so many times
// [truth].
func lawSet(law Law, seed uint64, n int, strength float64) method.Data {
	random := rand.New(rand.NewPCG(seed, 1))
	data := method.Data{Inputs: 2, Law: law.Law}
	f := make([]float64, law.Latents())
	for range n {
		a, b := 4*random.Float64()-2, 4*random.Float64()-2
		truth(len(f), strength*a, strength*b, f)
		if law.Exposure {
			data.Offset = append(data.Offset, math.Log(0.5*math.Pow(4, random.Float64())))
			f[0] += data.Offset[len(data.Offset)-1]
		}
		data.X, data.Y = append(data.X, a, b), append(data.Y, law.Draw(random, f))
	}
	return data
}

// natural returns the natural parameters that are predicted, offsets apart.
func natural(t *testing.T, r method.Regressor, x []float64) []float64 {
	t.Helper()
	n := len(x) / 2
	f, std := make([]float64, n*r.(method.Lawful).Law().Latents()), make([]float64, n)
	if err := r.Predict(context.Background(), x, f, std); err != nil {
		t.Fatalf("Predict: %v", err)
	}
	if slices.ContainsFunc(f, func(v float64) bool { return !sane(v) }) || slices.ContainsFunc(std, func(v float64) bool { return !(v >= 0) || !sane(v) }) {
		t.Fatalf("natural parameters %v, deviations %v", f, std)
	}
	return f
}

// meanLoss is −log p of data under natural parameters; nil for the true ones, as strong as 1.
func meanLoss(law method.Law, data method.Data, f []float64) (mean float64) {
	k := law.Latents()
	own, slope := make([]float64, k), make([]float64, k)
	for i, y := range data.Y {
		if f == nil {
			truth(k, data.X[2*i], data.X[2*i+1], own)
		} else {
			copy(own, f[i*k:(i+1)*k])
		}
		for c := range own {
			own[c] += data.OffsetOf(i)
		}
		mean += law.Loss(y, own, slope) / float64(len(data.Y))
	}
	return mean
}

func (s *suite) sameNatural(t *testing.T, what string, got, want []float64, shift float64) {
	t.Helper()
	for i := range want {
		if !(math.Abs(got[i]-want[i]-shift) <= s.traits.LawDrift) {
			t.Errorf("%s: natural parameter %d is %g, want %g", what, i, got[i], want[i]+shift)
			return
		}
	}
}

// lawForm: bits, order, units, arguments, cancellation.
func (s *suite) lawForm(t *testing.T, law Law) {
	data, x := lawSet(law, 1, 3*rows, 1), set(2, 50, 0).X
	kept := method.Data{X: slices.Clone(data.X), Y: slices.Clone(data.Y), Offset: slices.Clone(data.Offset)}
	want := natural(t, s.fit(t, data, environment), x)
	if !slices.Equal(kept.X, data.X) || !slices.Equal(kept.Y, data.Y) || !slices.Equal(kept.Offset, data.Offset) {
		t.Error("an argument is changed")
	}
	for _, workers := range []int{1, 5} {
		if got := natural(t, s.fit(t, data, method.Environment{Workers: workers, Seed: 7}), x); !slices.Equal(got, want) {
			t.Errorf("%d workers: predictions differ by %g", workers, rmse(got, want))
		}
	}
	shuffled, moved := data, data
	shuffled.X, shuffled.Y, shuffled.Offset = nil, nil, nil
	for _, i := range rand.New(rand.NewPCG(3, 0)).Perm(len(data.Y)) {
		shuffled.X, shuffled.Y = append(shuffled.X, data.X[2*i:2*i+2]...), append(shuffled.Y, data.Y[i])
		if data.Offset != nil {
			shuffled.Offset = append(shuffled.Offset, data.Offset[i])
		}
	}
	s.sameNatural(t, "another order", natural(t, s.fit(t, shuffled, environment), x), want, 0)
	moved.X = slices.Clone(data.X)
	at := slices.Clone(x)
	for _, v := range [][]float64{moved.X, at} {
		for i := range v {
			v[i] = []float64{1e4, 0.03}[i%2]*v[i] + []float64{3e4, -0.2}[i%2]
		}
	}
	s.sameNatural(t, "other units", natural(t, s.fit(t, moved, environment), at), want, 0)
	if law.Exposure {
		const times = 7
		moved := data
		moved.Offset = slices.Clone(data.Offset)
		shift(moved.Offset, math.Log(times))
		s.sameNatural(t, "exposures seven times as large", natural(t, s.fit(t, moved, environment), x), want, -math.Log(times))
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := s.method.Fit(ctx, data, environment); !errors.Is(err, context.Canceled) {
		t.Errorf("Fit, cancelled: %v", err)
	}
}

// lawContent: new rows are foretold better than by the share of what can be told, and rows
// that leave no doubt are no trouble.
func (s *suite) lawContent(t *testing.T, law Law) {
	data, test := lawSet(law, 4, 10*rows, 1), lawSet(law, 5, 20*rows, 1)
	r := s.fit(t, data, environment)
	fitted := r.(method.Lawful).Law()
	k := fitted.Latents()
	mean, constant := make([]float64, k), make([]float64, 0, k*len(test.Y))
	data.Mean(mean)
	fitted.Link(mean, mean)
	for range test.Y {
		constant = append(constant, mean...)
	}
	own, without, best := meanLoss(fitted, test, natural(t, r, test.X)), meanLoss(fitted, test, constant), meanLoss(law, test, nil)
	if told := (without - own) / (without - best); !(told > s.traits.Tells) {
		t.Errorf("loss %g, without inputs %g, of the truth %g: told %g of it, want more than %g", own, without, best, told, s.traits.Tells)
	}
	certain := lawSet(law, 6, rows, 30)
	if r, err := s.method.Fit(context.Background(), certain, environment); err != nil {
		t.Logf("refused: %v", err)
	} else {
		natural(t, r, certain.X)
	}
	for i := range data.Y {
		data.X[2*i], data.X[2*i+1] = 1, 1
	}
	natural(t, s.fit(t, data, environment), data.X)
}

// lawStored: predictions of what was stored are the same to the bit, and what is damaged is an
// error.
func (s *suite) lawStored(t *testing.T, law Law) {
	r := s.fit(t, lawSet(law, 1, rows, 1), environment)
	state := s.state(t, r)
	if state.Law == nil {
		t.Fatal("the state has no law")
	}
	back, err := s.traits.Restore(state)
	if err != nil {
		t.Fatal(err)
	}
	x := set(2, 60, 0).X
	if got, want := natural(t, back, x), natural(t, r, x); !slices.Equal(got, want) {
		t.Errorf("predictions differ by %g", rmse(got, want))
	}
	if again := s.state(t, back); string(again.Learned) != string(state.Learned) {
		t.Errorf("%s becomes %s", state.Learned, again.Learned)
	}
	for what, edit := range map[string]func(*method.State){
		"no object":               func(d *method.State) { d.Learned = json.RawMessage("3") },
		"no scaling":              func(d *method.State) { d.Scaling = nil },
		"more natural parameters": func(d *method.State) { d.Law = more{d.Law} },
	} {
		damaged := state
		edit(&damaged)
		if _, err := s.traits.Restore(damaged); err == nil && !(what == "more natural parameters" && s.traits.AnyLatents) {
			t.Errorf("%s: no error", what)
		}
	}
	for name, tensor := range state.Tensors {
		damaged := state
		damaged.Tensors = maps.Clone(state.Tensors)
		damaged.Tensors[name] = method.Tensor{Shape: tensor.Shape, Data: tensor.Data[1:]}
		if _, err := s.traits.Restore(damaged); err == nil {
			t.Errorf("tensor %q, a value too few: no error", name)
		}
	}
}

// more is a law of one natural parameter more.
type more struct{ method.Law }

func (l more) Latents() int { return l.Law.Latents() + 1 }
