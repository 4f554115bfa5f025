package shift

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"beziergp/internal/testkit"
)

// The figures are those of numpy for the definition of PSI, scipy.stats.ks_2samp for D and
// scipy.special.kolmogorov for its probability (SciPy 1.17.1).
func TestAgainstSciPy(t *testing.T) {
	even := slices.Repeat([]int{5}, 20)
	for _, c := range []struct {
		before, after   []int
		psi, ks, chance float64
	}{
		{[]int{50, 30, 20}, []int{40, 30, 30}, 0.0628608659422374, 0.1, 0.699374199131015},
		{[]int{100, 0, 25, 7}, []int{3, 4, 0, 90}, 5.58123940136112, 0.874804748516089, 1.36442704006379e-37},
		{even, []int{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1}, 0.345610207273083, 0.113636363636364, 0.50810189558595},
		{[]int{1000, 2000, 3000, 4000}, []int{11, 19, 32, 38}, 0.00378267105242119, 0.02, 0.999999999999627},
		{[]int{0, 10, 0}, []int{0, 0, 7}, 5.29649889451903, 1, 0.000530257968346004},
	} {
		testkit.Close(t, "PSI", PSI(c.before, c.after), c.psi, 1e-12, 0)
		d, p := KS(c.before, c.after)
		testkit.Close(t, "D", d, c.ks, 1e-12, 0)
		testkit.Close(t, "probability of D", p, c.chance, 1e-9, 0)
	}
	d, p := Uniform([]int{8, 12, 9, 11, 10, 30, 5, 5, 6, 4})
	testkit.Close(t, "D from the uniform", d, 0.2, 1e-12, 0)
	testkit.Close(t, "probability of it", p, 0.000670925255779695, 1e-9, 0)
}

// scipy.special.kolmogorov.
func TestKolmogorov(t *testing.T) {
	for at, want := range map[float64]float64{
		0: 1, 0.1: 1, 0.3: 0.999990694198665, 0.5: 0.963945243664875, 0.8: 0.544142411574198, 0.99: 0.280873839225549,
		1: 0.269999671677355, 1.2: 0.112249666670725, 1.36: 0.0494858767553779, 2: 0.000670925255779695, 5: 3.85749969592784e-22,
	} {
		testkit.Close(t, "probability", Kolmogorov(at), want, 1e-12, 1e-300)
	}
}

// scipy.stats.chi2_contingency without correction, sparse bins taken together beforehand.
func TestChiSquare(t *testing.T) {
	for _, c := range []struct {
		before, after []int
		want          float64
	}{
		{[]int{50, 30, 20}, []int{40, 30, 30}, 0.21107208779109},
		{[]int{1000, 2000, 3000, 4000}, []int{110, 190, 320, 380}, 0.323942733803039},
		{[]int{20, 30, 50, 60, 0}, []int{40, 45, 30, 40, 0}, 0.000331984437706174},
		{[]int{100, 4, 3, 2, 90}, []int{80, 3, 2, 4, 110}, 0.12110333239233},
		{[]int{3, 3}, []int{0, 2}, 1},
		{[]int{30, 3}, []int{0, 0}, 1},
	} {
		testkit.Close(t, "probability", ChiSquare(c.before, c.after), c.want, 1e-9, 0)
		testkit.Close(t, "probability of the exchanged", ChiSquare(c.after, c.before), c.want, 1e-9, 0)
		slices.Reverse(c.before)
		slices.Reverse(c.after)
		testkit.Close(t, "probability in another order", ChiSquare(c.before, c.after), c.want, 1e-9, 0)
	}
}

// scipy.stats.fisher_exact where a cell is expected to have fewer than five rows, and
// chi2_contingency elsewhere.
func TestShare(t *testing.T) {
	for _, c := range []struct {
		with, without, withAfter, withoutAfter int
		want                                   float64
	}{
		{0, 1000, 3, 27, 2.23579288539865e-05},
		{5, 995, 9, 91, 4.09973429167904e-07},
		{900, 1, 5, 4, 2.20969188067513e-08},
		{1000000, 0, 3, 2, 1.99998200005451e-11},
		{2, 8, 9, 3, 0.0101978767762403}, // five rows expected at least
		{30, 70, 40, 60, 0.138207666974022},
		{7, 0, 9, 0, 1}, {0, 7, 0, 9, 1}, {3, 4, 0, 0, 1},
	} {
		testkit.Close(t, "probability", Share(c.with, c.without, c.withAfter, c.withoutAfter), c.want, 1e-7, 0)
		testkit.Close(t, "probability of those without", Share(c.without, c.with, c.withoutAfter, c.withAfter), c.want, 1e-7, 0)
	}
}

// By hand: 0.005·6, 0.01·5, 0.03·4, and what follows is no smaller.
func TestHolm(t *testing.T) {
	want := []float64{0.05, 0.12, 0.12, 0.03, 0.5, 0.12}
	for i, p := range Holm([]float64{0.01, 0.04, 0.03, 0.005, 0.5, 0.03}) {
		testkit.Close(t, "adjusted", p, want[i], 1e-12, 0)
	}
	if p := Holm([]float64{0.7, 0.6}); p[0] != 1 || p[1] != 1 {
		t.Errorf("%v, want no more than 1", p)
	}
}

// A sample has not moved from itself, nor from a multiple of it; which of two is the first
// makes no difference; and coarser bins tell no more.
func TestRelations(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for range 100 {
		before, after := make([]int, 12), make([]int, 12)
		for b := range before {
			before[b], after[b] = 1+rng.IntN(50), 1+rng.IntN(20)
		}
		thrice, coarse, coarseAfter := make([]int, 12), make([]int, 6), make([]int, 6)
		for b := range before {
			thrice[b] = 3 * before[b]
			coarse[b/2] += before[b]
			coarseAfter[b/2] += after[b]
		}
		d, p := KS(before, thrice)
		if psi := PSI(before, thrice); psi > 1e-12 || d > 1e-12 || p < 1-1e-12 || ChiSquare(before, thrice) < 1-1e-9 {
			t.Fatalf("three times the sample: PSI %g, D %g with probability %g", psi, d, p)
		}
		psi, back := PSI(before, after), PSI(after, before)
		d, _ = KS(before, after)
		dBack, _ := KS(after, before)
		if math.Abs(psi-back) > 1e-12 || math.Abs(d-dBack) > 1e-12 {
			t.Fatalf("PSI %g and %g, D %g and %g", psi, back, d, dBack)
		}
		dCoarse, _ := KS(coarse, coarseAfter)
		if PSI(coarse, coarseAfter) > psi+1e-12 || dCoarse > d+1e-12 {
			t.Fatalf("coarser bins tell more: PSI %g of %g, D %g of %g", PSI(coarse, coarseAfter), psi, dCoarse, d)
		}
	}
}

// Of samples of one law, a test gives a probability below α as often as α says, or less
// where it bounds it.
func TestFalseAlarms(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 2))
	draw := func(rows int) []int {
		counts := make([]int, 20)
		for range rows {
			counts[int(20*rng.Float64()*rng.Float64())]++
		}
		return counts
	}
	const draws, level = 2000, 0.05
	var chi, ks, share int
	for range draws {
		before, after := draw(1000), draw(400)
		if ChiSquare(before, after) < level {
			chi++
		}
		if _, p := KS(before, after); p < level {
			ks++
		}
		if Share(before[0], 1000-before[0], after[0], 400-after[0]) < level {
			share++
		}
	}
	deviation := math.Sqrt(draws * level * (1 - level))
	for what, n := range map[string]int{"chi-square": chi, "share": share} {
		if math.Abs(float64(n)-draws*level) > 4*deviation {
			t.Errorf("%s: %d alarms of %d draws, want %g", what, n, draws, draws*level)
		}
	}
	if float64(ks) > draws*level+4*deviation || ks < draws*level/10 {
		t.Errorf("Kolmogorov–Smirnov: %d alarms of %d draws, want no more than %g and not too few", ks, draws, draws*level)
	}
	t.Logf("alarms of %d draws: chi-square %d, share %d, Kolmogorov–Smirnov %d", draws, chi, share, ks)
}
