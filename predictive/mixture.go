package predictive

import (
	"math"
	"slices"
	"sync"

	"gonum.org/v1/gonum/integrate/quad"
)

// mixture is y of a law given f ~ N(mean, std²).
type mixture struct {
	law       Law
	mean, std float64
}

// reach is how many deviations from its mean a Gaussian is followed: it has 1e-16 beyond.
const reach = 8.3

// window returns where f lies.
func (m mixture) window() (lo, hi float64) { return m.mean - reach*m.std, m.mean + reach*m.std }

// unknown reports whether there is no number to answer with.
func (m mixture) unknown(y float64) bool { return y != y || m.mean != m.mean || m.std != m.std }

// cdf is ∫ F(y | f) N(f) df, to 1e-8.
func (m mixture) cdf(y float64) float64 {
	switch lo, hi := m.law.Support(); {
	case m.unknown(y):
		return math.NaN()
	case y < lo:
		return 0
	case y >= hi:
		return 1
	case m.std == 0:
		return m.law.CDF(y, m.mean)
	}
	lo, hi, width := m.law.Place(y)
	sum, ok := m.smooth(width, func(f float64) float64 { return m.law.CDF(y, f) })
	if !ok {
		sum = m.cdfByPanels(y, lo, hi, width)
	}
	return min(max(sum, 0), 1)
}

// smooth is E g(f) of a g that changes over a width at least as large as the deviation of f; not ok for others.
func (m mixture) smooth(width float64, g func(f float64) float64) (sum float64, ok bool) {
	ratio := m.std / width
	if ratio <= 0.2 {
		for _, node := range fewNodes() {
			sum += node.weight * g(m.mean+m.std*node.at)
		}
		return sum, true
	}
	if !(ratio <= 1) {
		return 0, false
	}
	step := min(0.75, 0.4/ratio)
	total := 1.0
	sum = g(m.mean)
	for k := 1.0; k*step <= reach; k++ {
		z := k * step
		w := math.Exp(-z * z / 2)
		sum += w * (g(m.mean+m.std*z) + g(m.mean-m.std*z))
		total += 2 * w
	}
	return sum / total, true
}

// cdfByPanels is the integral where F(y | f) falls from 1 to 0 in a part of the window: below that
// part the share of the Gaussian is all of it.
func (m mixture) cdfByPanels(y, lo, hi, width float64) float64 {
	const nothing = 1e-12
	from, to := m.window()
	start, end := max(from, lo), min(to, hi)
	for u := 1.5 * width; start > from; u *= 2 {
		start = max(from, lo-u)
		if 1-m.law.CDF(y, start) < nothing {
			break
		}
	}
	for u := 1.5 * width; end < to; u *= 2 {
		end = min(to, hi+u)
		if m.law.CDF(y, end) < nothing {
			break
		}
	}
	if !(start < end) { // all of the window lies on one side
		return m.law.CDF(y, min(max(m.mean, start), end))
	}
	sum := normal((start - m.mean) / m.std)
	scale := 1 / (sqrt2Pi * m.std)
	panels(edges(start, end, [2]float64{m.mean, 1.5 * m.std}, [2]float64{lo, 1.5 * width}, [2]float64{hi, 1.5 * width}), func(f, weight float64) {
		z := (f - m.mean) / m.std
		sum += weight * scale * math.Exp(-z*z/2) * m.law.CDF(y, f)
	})
	return sum
}

// below is the probability of a target below y, at being that of one of at most y.
func (m mixture) below(y, at float64) float64 {
	if m.law.Discrete() {
		return m.cdf(math.Ceil(y) - 1)
	}
	if lo, _ := m.law.Support(); y == lo {
		return 0
	}
	return at
}

// node is one of a quadrature under a standard Gaussian.
type node struct{ at, weight float64 }

// fewNodes are those of Gauss and Hermite.
var fewNodes = sync.OnceValue(func() (nodes []node) {
	const n = 8
	x, w := make([]float64, n), make([]float64, n)
	quad.Hermite{}.FixedLocations(x, w, math.Inf(-1), math.Inf(1))
	for i := range x {
		nodes = append(nodes, node{x[i] * math.Sqrt2, w[i] / math.SqrtPi})
	}
	return nodes
})

// edges are the ends of panels between from and to, in each of which a function is smooth that
// changes about centres c, over units u: they lie at c ± u, c ± 2u, c ± 4u, …
func edges(from, to float64, centres ...[2]float64) []float64 {
	at := make([]float64, 0, 64)
	at = append(at, from, to)
	add := func(v float64) {
		if v > from && v < to {
			at = append(at, v)
		}
	}
	for i, c := range centres {
		if i > 0 && c == centres[i-1] {
			continue
		}
		add(c[0])
		for u := c[1]; u > 0 && (c[0]-u > from || c[0]+u < to); u *= 2 {
			add(c[0] - u)
			add(c[0] + u)
		}
	}
	slices.Sort(at)
	return at
}

// legendre are the nodes and weights of Gauss and Legendre on [−1, 1].
var legendre = [...]node{
	{-0.9602898564975362, 0.10122853629037626}, {-0.7966664774136267, 0.22238103445337448},
	{-0.5255324099163290, 0.31370664587788727}, {-0.1834346424956498, 0.36268378337836198},
	{0.1834346424956498, 0.36268378337836198}, {0.5255324099163290, 0.31370664587788727},
	{0.7966664774136267, 0.22238103445337448}, {0.9602898564975362, 0.10122853629037626},
}

// panels visits the nodes of all panels between neighbouring edges, with their weights.
func panels(edges []float64, visit func(at, weight float64)) {
	for i := range len(edges) - 1 {
		half := (edges[i+1] - edges[i]) / 2
		if !(half > 0) {
			continue
		}
		centre := edges[i] + half
		for _, p := range legendre {
			visit(centre+half*p.at, half*p.weight)
		}
	}
}
