package buttress

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"beziergp/internal/testkit"
)

func TestRandomOrderingsRepeatNoneWhileThereAreOthers(t *testing.T) {
	for _, c := range []struct{ d, r, distinct int }{{1, 3, 1}, {2, 5, 2}, {3, 6, 6}, {4, 20, 20}, {4, 50, 24}, {9, 200, 200}} {
		orderings := RandomOrderings(c.d, c.r, rand.New(rand.NewPCG(1, 1)))
		count := map[string]int{}
		for _, o := range orderings {
			if err := checkOrdering(o, c.d); err != nil {
				t.Error(err)
			}
			count[fmt.Sprint(o)]++
		}
		if len(orderings) != c.r || len(count) != c.distinct {
			t.Errorf("d=%d r=%d: %d orderings, %d distinct, want %d", c.d, c.r, len(orderings), len(count), c.distinct)
		}
		for o, n := range count {
			if most := (c.r + c.distinct - 1) / c.distinct; n > most {
				t.Errorf("d=%d r=%d: %s %d times, want at most %d", c.d, c.r, o, n, most)
			}
		}
		again := RandomOrderings(c.d, c.r, rand.New(rand.NewPCG(1, 1)))
		if fmt.Sprint(again) != fmt.Sprint(orderings) {
			t.Errorf("d=%d r=%d: the same seed gives other orderings", c.d, c.r)
		}
	}
}

func TestNewRefuses(t *testing.T) {
	for _, c := range []struct {
		widths    []int
		orderings [][]int
	}{
		{nil, [][]int{{}}},
		{[]int{2}, nil},
		{[]int{2, 0}, [][]int{{0, 1}}},
		{[]int{2, 2}, [][]int{{0}}},
		{[]int{2, 2}, [][]int{{0, 0}}},
		{[]int{2, 2}, [][]int{{0, 2}}},
	} {
		if _, err := New(c.widths, nil, c.orderings); err == nil {
			t.Errorf("New(%v, %v) is accepted", c.widths, c.orderings)
		}
	}
}

// A chain of 2000 layers of 21 nodes neither overflows nor vanishes where the
// value itself does not, whatever its prefixes and suffixes do, and its gradient
// is right: with constant weights c_γ and bases that add up to one, f is Π c_γ.
func TestLongChainsStayFinite(t *testing.T) {
	const d, m = 2000, 21
	widths := make([]int, d)
	for i := range widths {
		widths[i] = m
	}
	rng := rand.New(rand.NewPCG(5, 1))
	e := ensemble(t, widths, 1, rng)
	x := &Tile{Stride: stride, Points: 2}
	for range d {
		phi := make([]float32, m*stride)
		for i := range m {
			phi[i*stride] = 1.0 / m
			phi[i*stride+1] = float32(i / (m - 1)) // all on the last node
		}
		x.Phi = append(x.Phi, phi...)
	}
	w := make([]float32, e.Size())
	for g, l := range e.layers[0] {
		c := float32(8) // first half: 2^3000
		if g >= d/2 {
			c = 0.125
		}
		for i := range l.weights(w) {
			l.weights(w)[i] = c
		}
	}
	s := e.NewKeptStates(stride)
	out := make([]float32, 2)
	e.Forward(0, w, x, s, out)
	dw := make([]float32, len(w))
	e.Backward(0, w, x, s, []float32{1, 0}, dw)
	for p, f := range out {
		testkit.Close(t, fmt.Sprintf("f at point %d", p), float64(f), 1, 1e-3, 0)
	}
	for _, g := range []int{0, 1, 15, 16, 17, 31, 32, 999, 1000, 1001, 1998, 1999} {
		l := e.layers[0][g]
		var sum float64
		for i, dwi := range l.weights(dw) {
			sum += float64(dwi) * float64(l.weights(w)[i])
		}
		testkit.Close(t, fmt.Sprintf("Σ w ∂f/∂w of layer %d", g), sum, 1, 1e-3, 0)
	}
	variances := make([][]float64, d)
	for i := range variances {
		variances[i] = make([]float64, m)
		for j := range m {
			variances[i][j] = 1
		}
	}
	prior, err := NewPrior(variances, 1)
	if err != nil {
		t.Fatal(err)
	}
	zero := make([]float32, len(w))
	ones := make([]float32, len(w))
	for i := range ones {
		ones[i] = 1
	}
	gradient := &KLGradient{Weight: 1, W: zero, V: make([]float32, len(w))}
	kl := divergence(e, 0, Posterior{W: w, V: make([]float32, len(w)), ExpV: ones}, prior, gradient)
	testkit.Close(t, "KL/τ", kl.PerPath(), 0.5, 1e-9, 0) // S₁ = S₂ = τ, S₃ = 0
	for i, g := range gradient.W {
		if math.IsNaN(float64(g)) || math.IsInf(float64(g), 0) || g == 0 {
			t.Fatalf("gradient of weight %d is %g", i, g)
		}
	}
}

// Mirroring every input and reversing its nodes is another name for the same f.
func TestMirroredNodesLeaveTheValue(t *testing.T) {
	rng := rand.New(rand.NewPCG(6, 1))
	widths := []int{3, 5, 2}
	e := ensemble(t, widths, 4, rng)
	w := normals(e.Size(), 0, 1, rng)
	x := tile(widths, 9, rng)
	mirrored := &Tile{Stride: stride, Points: 9}
	for i, m := range widths {
		phi := make([]float32, m*stride)
		for j := range m {
			copy(phi[(m-1-j)*stride:][:stride], x.Phi[(e.Row(i)+j)*stride:])
		}
		mirrored.Phi = append(mirrored.Phi, phi...)
	}
	turned := make([]float32, len(w))
	for k := range e.Buttresses() {
		for _, l := range e.layers[k] {
			from, to := l.weights(e.Weights(w, k)), l.weights(e.Weights(turned, k))
			for i := range from {
				to[len(from)-1-i] = from[i]
			}
		}
		s := NewStates(stride, e)
		want, got := make([]float32, 9), make([]float32, 9)
		e.Forward(k, e.Weights(w, k), x, s, want)
		e.Forward(k, e.Weights(turned, k), mirrored, s, got)
		for p := range got {
			testkit.Close(t, "f mirrored", float64(got[p]), float64(want[p]), 1e-5, 1e-6)
		}
	}
}

// More orderings than there are of eight inputs, 8! = 40320, are drawn in rounds, too.
func TestMoreOrderingsThanThereAre(t *testing.T) {
	const all = 40320
	seen := map[string]int{}
	for _, ordering := range RandomOrderings(8, all+100, rand.New(rand.NewPCG(1, 2))) {
		seen[fmt.Sprint(ordering)]++
	}
	again := 0
	for _, n := range seen {
		again += n - 1
	}
	if len(seen) != all || again != 100 {
		t.Errorf("%d orderings, %d of them again", len(seen), again)
	}
}
