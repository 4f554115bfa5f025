package surface

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"beziergp/internal/process/basis"
	"beziergp/internal/process/buttress"
	"beziergp/internal/simd"
	"beziergp/internal/testkit"
)

// mixed returns a group of splines, long and short, categories and a Bernstein basis,
// averages for unknown coordinates among them, d inputs in all, with layers that are local
// or none that is.
func mixed(t testing.TB, d int, local bool, part Part) Group {
	t.Helper()
	rng := rand.New(rand.NewPCG(3, 1))
	g := Group{Part: part}
	var widths []int
	for i := range d {
		var b basis.Basis
		var err error
		switch i % 6 {
		case 0:
			b, err = basis.NewSpline(61)
		case 1:
			b, err = basis.NewIndicator(40)
		case 2:
			b, err = basis.NewBernstein(5)
		case 3:
			b, err = basis.NewSpline(3)
		case 4:
			b, err = basis.NewSpline(33)
		default:
			b, err = basis.NewIndicator(2)
		}
		if err == nil {
			b, err = basis.NewAveraged(b, b.Mean())
		}
		if err != nil {
			t.Fatal(err)
		}
		g.Bases, widths = append(g.Bases, b), append(widths, b.Nodes())
	}
	supports := Supports(g.Bases)
	if !local {
		supports = nil
	}
	var err error
	if g.Ensemble, err = buttress.New(widths, supports, buttress.RandomOrderings(d, 5, rng)); err != nil {
		t.Fatal(err)
	}
	if g.Ensemble.HasLocal() != local {
		t.Fatalf("%d inputs: layers are local: %v", d, !local)
	}
	return g
}

// mixedPoints draws coordinates, one in so many of which is unknown; 0 for none.
func mixedPoints(n, d, unknown int, rng *rand.Rand) []float32 {
	x := make([]float32, n*d)
	for i := range x {
		switch i % d % 6 {
		case 1:
			x[i] = float32(rng.IntN(40))
		case 5:
			x[i] = float32(rng.IntN(2))
		default:
			x[i] = rng.Float32()
		}
		if unknown > 0 && rng.IntN(unknown) == 0 {
			x[i] = float32(math.NaN())
		}
	}
	return x
}

// Local layers give what layers of all nodes give: mean, variance and covariance, of rows
// of which all coordinates are known and of others, along chains that are rescaled.
func TestLocalLayersAgreeWithWholeOnes(t *testing.T) {
	for _, d := range []int{1, 2, 7, 60} {
		var surfaces []*Posterior
		rng := rand.New(rand.NewPCG(4, uint64(d)))
		var params []float32
		for _, local := range []bool{false, true} {
			s, err := New(mixed(t, d, local, Whole), mixed(t, d, local, MeanOnly))
			if err != nil {
				t.Fatal(err)
			}
			if params == nil {
				params = make([]float32, s.Size())
				for i := range params {
					params[i] = float32(0.7 + 0.5*rng.NormFloat64())
				}
			}
			surfaces = append(surfaces, posterior(t, s, params))
		}
		for _, unknown := range []int{0, 30, 2} {
			n := 2*surfaces[1].TilePoints() + 9
			x, z := mixedPoints(n, d, unknown, rng), mixedPoints(n, d, unknown, rng)
			copy(z[:d*(n/2)], x) // or else few share functions
			for i := range z {
				if k := i % d % 6; k != 1 && k != 5 {
					z[i] = min(1, z[i]+0.02*rng.Float32())
				}
			}
			var got [2][3][]float64
			for i, q := range surfaces {
				got[i][0], got[i][1] = moments(t, q, x, 1+i)
				pool := simd.NewPool(2)
				got[i][2] = make([]float64, n)
				if err := NewEvaluator(q, pool).Covariance(context.Background(), x, z, got[i][2]); err != nil {
					t.Fatal(err)
				}
				pool.Close()
			}
			for m, name := range []string{"mean", "variance", "covariance"} {
				var largest float64
				for _, v := range got[0][m] {
					largest = max(largest, math.Abs(v))
				}
				for p, want := range got[0][m] {
					testkit.Close(t, fmt.Sprintf("%d inputs, unknown 1 in %d: %s of point %d", d, unknown, name, p), got[1][m][p], want, 2e-4, 1e-5*largest)
				}
			}
		}
	}
}

// A tile holds nothing of the one before it: a row that follows others of which
// coordinates are unknown is what it is alone.
func TestKnownRowsAfterUnknownOnes(t *testing.T) {
	const d = 7
	s, err := New(mixed(t, d, true, Whole))
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(5, 1))
	params := make([]float32, s.Size())
	for i := range params {
		params[i] = float32(0.5 * rng.NormFloat64())
	}
	q := posterior(t, s, params)
	x := append(mixedPoints(q.TilePoints(), d, 3, rng), mixedPoints(40, d, 0, rng)...)
	mean, variance := moments(t, q, x, 1)
	for p := range mean {
		m, v := moments(t, q, x[p*d:(p+1)*d], 1)
		if m[0] != mean[p] || v[0] != variance[p] {
			t.Fatalf("row %d alone is %g ± %g, among others %g ± %g", p, m[0], v[0], mean[p], variance[p])
		}
	}
}
