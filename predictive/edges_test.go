package predictive

import (
	"math"
	"math/rand/v2"
	"testing"

	"beziergp/internal/testkit"
)

// Where numbers are large and the distribution is narrow, moments keep their digits: the
// integral is that of distances from the location.
func TestMomentsFarFromZero(t *testing.T) {
	for name, d := range distributions(t) {
		if d.Family.Transformed() {
			continue
		}
		mean, std := d.Moments()
		const far = 1e9
		d.Location += far
		farMean, farStd := d.Moments()
		testkit.Close(t, name+", mean", farMean-far, mean, 0, 1e-6)
		testkit.Close(t, name+", deviation", farStd, std, 1e-7, 0)
	}
}

// Far beyond all quantiles the score is the distance from the mean, less what spread the
// distribution has on its own: it grows by one a unit.
func TestCRPSFarOut(t *testing.T) {
	for name, d := range distributions(t) {
		if d.Family.Transformed() {
			continue
		}
		mean, std := d.Moments()
		for _, side := range []float64{-1, 1} {
			const far, step = 1e7, 1e6
			near := d.CRPS(mean + side*far)
			if !(near < far && near > far-std) {
				t.Errorf("%s: a score of %g at %g from the mean", name, near, side*far)
			}
			testkit.Close(t, name+", growth", d.CRPS(mean+side*(far+step))-near, step, 1e-9, 0)
		}
	}
}

// Quantiles in tails that no table of nodes reaches are those of the tails.
func TestQuantilesOfRareProbabilities(t *testing.T) {
	for _, tails := range []float64{3, 30} {
		f, err := NewFamily(tails, false)
		if err != nil {
			t.Fatal(err)
		}
		for _, q := range []float64{1e-14, 1e-12, 1e-10} {
			testkit.Close(t, "F(Q(q))", f.cdf(f.quantile(q)), q, 1e-6, 0)
			testkit.Close(t, "Q(1−q)", f.quantile(1-q), -f.quantile(q), 1e-2, 0) // 1 − q is rounded
		}
		if lo, hi := f.quantile(0), f.quantile(1); !math.IsInf(lo, -1) || !math.IsInf(hi, 1) {
			t.Errorf("quantiles at 0 and 1 are %g and %g", lo, hi)
		}
	}
}

// A scale of 0 puts all on the location, whatever the family.
func TestCertainOfAnyFamily(t *testing.T) {
	for name, d := range distributions(t) {
		d.Scale = 0
		at := d.Back(d.Location)
		if below, here, above := d.CDF(at-0.1), d.CDF(at), d.CDF(at+0.1); below != 0 || here != 0.5 || above != 1 {
			t.Errorf("%s: F is %g, %g, %g below, at and above the location", name, below, here, above)
		}
		if here, there := d.LogDensity(at), d.LogDensity(at+0.1); !math.IsInf(here, 1) || !math.IsInf(there, -1) {
			t.Errorf("%s: log density %g at the location, %g beside it", name, here, there)
		}
	}
	if got := log1pCRPS(3, math.Log(2), 0); math.Abs(got-2) > 1e-12 {
		t.Errorf("the score of 3 where 1 is certain is %g", got)
	}
}

// The whole mass of a shape lies below 1, whichever way it was rounded.
func TestInverseOfTheWholeMass(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 1))
	for range 100 {
		w := make([]float64, Nodes)
		for i := range w {
			w[i] = random.Float64()
		}
		Normalize(w)
		testkit.Close(t, "inverse of 1", inverseMass(w, 1), 1, 1e-6, 0)
		testkit.Close(t, "inverse of more than 1", inverseMass(w, 1+1e-12), 1, 1e-6, 0)
	}
}

// The ends belong to a range.
func TestEndsOfARange(t *testing.T) {
	r := Range{-1, 2}
	for v, want := range map[float64]bool{-1: true, 0: true, 2: true, -1.1: false, 2.1: false} {
		if r.Contains(v) != want {
			t.Errorf("%v holds %g: %v", r, v, r.Contains(v))
		}
	}
	inf := math.Inf(1)
	for r, want := range map[Range]bool{{-inf, inf}: true, {-inf, 1}: false, {0, inf}: false, {0, 1}: false} {
		if r.Open() != want {
			t.Errorf("%v is open: %v", r, r.Open())
		}
	}
	d := Distribution{Scale: 1, Range: &r}
	for _, v := range []float64{r.Lo, r.Hi} {
		if math.IsInf(d.LogDensity(v), 0) {
			t.Errorf("log density %g at the end %g", d.LogDensity(v), v)
		}
	}
	for from, want := range map[float64]float64{-3: -1, -1: -1, 0.5: 0.5, 2: 2, 7: 2} {
		d.Location = from
		if moved := d.Clamp(); moved != (from != want) || d.Location != want {
			t.Errorf("a location of %g is moved to %g; told: %v", from, d.Location, moved)
		}
	}
	d.Location = math.NaN()
	if d.Clamp() {
		t.Error("NaN is moved")
	}
	free := Distribution{Location: 9}
	if free.Clamp() || free.Location != 9 {
		t.Error("a location without a range is moved")
	}
}
