package optim

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// A weight that has a gradient now and then, beside Adam in float64 of all steps: it is where that has it whenever a step reads it, and at
// the end, but for what rate and correction change while it waits.
func TestSparseFollowsAdam(t *testing.T) {
	const n, steps, beta2 = 40, 3000, 0.999
	rng := rand.New(rand.NewPCG(3, 1))
	params, gradient := make([]float32, n), make([]float32, n)
	want, m, v := make([]float64, n), make([]float64, n), make([]float64, n)
	var moved float64
	for i := range params {
		params[i] = rng.Float32()
		want[i] = float64(params[i])
	}
	r := NewGrouped(nil, beta2)
	s := r.NewSparse(n)
	far := func(i int) float64 { return math.Abs(float64(params[i]) - want[i]) }
	var most float64
	for step := 1; step <= steps; step++ {
		rate := 0.01 * math.Cos(math.Pi/2*float64(step)/(steps+1))
		var places []int32
		for i := range n {
			if rng.IntN(1+i*i) == 0 { // from every step to one in 1522
				places = append(places, int32(i))
			}
		}
		all := step%700 == 0
		r.Begin(rate)
		if all {
			s.CatchUpAll(params)
			places = nil
			for i := range n {
				places = append(places, int32(i))
			}
		} else {
			s.CatchUp(places, params)
		}
		exact := make([]float64, n)
		for _, i := range places {
			most = max(most, far(int(i)))
			exact[i] = (0.3 + rng.NormFloat64()) * math.Pow(10, float64(i%5-2))
			gradient[i] = float32(exact[i])
		}
		for i, g := range exact {
			m[i] = 0.9*m[i] + 0.1*g
			v[i] = beta2*v[i] + (1-beta2)*g*g
			move := rate * m[i] / (1 - math.Pow(0.9, float64(step))) / (math.Sqrt(v[i]/(1-math.Pow(beta2, float64(step)))) + 1e-8)
			want[i] -= move
			moved = max(moved, math.Abs(move))
		}
		if all {
			s.MoveAll(params, gradient)
		} else {
			s.Move(append(places, places...), params, gradient) // two rows of the same pair
		}
		if slices.ContainsFunc(gradient, func(g float32) bool { return g != 0 }) {
			t.Fatal("the gradient is not cleared")
		}
	}
	s.Finish(params)
	for i := range params {
		most = max(most, far(i))
	}
	if most > moved {
		t.Errorf("weights are up to %g from those of all steps, more than the largest step of %g", most, moved)
	}
	t.Logf("up to %g, of steps up to %g", most, moved)
}
