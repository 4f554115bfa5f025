package explain

import (
	"context"
	"math"

	"gonum.org/v1/gonum/integrate/quad"

	"beziergp/internal/process/surface"
	"beziergp/internal/simd"
)

// game computes Shapley values of E f on the unit box, in deviations of the target.
//
// The players are columns. With every column at the row with probability t, independently of
// the others, the expected value F(t) of E f is a polynomial in t, and the Shapley value of
// column j is the integral of its j-th part (Owen, Multilinear extensions of games, 1972)
//
//	φ_j = ∫₀¹ ∂F/∂t_j (t, …, t) dt
//
// E f is linear in the functions of one layer: a column of one layer has the functions
// (1 − t) φ(z) + t φ(x). A column of several layers has them all at x or all at z, and the
// sum goes over both. Of C columns the integrand has a degree of C − 1, so ⌈C/2⌉
// Gauss–Legendre nodes are exact.
type game struct {
	*columns
	d       int
	blender *surface.Blender
	mean    *surface.Evaluator
	f       []float64
	slopes  []float64
}

func newGame(q *surface.Posterior, c *columns, pool *simd.Pool) *game {
	return &game{columns: c, d: q.Inputs(), blender: surface.NewBlender(q, pool), mean: surface.NewEvaluator(q, pool)}
}

// exact is the number of nodes that leave no error.
func (g *game) exact() int { return (len(g.layers) + 1) / 2 }

// nodes returns Gauss–Legendre nodes and weights on [0, 1].
func nodes(n int) (at, weight []float64) {
	at, weight = make([]float64, n), make([]float64, n)
	quad.Legendre{}.FixedLocations(at, weight, 0, 1)
	return at, weight
}

// means writes E f at rows x, [n, d], to dst.
func (g *game) means(ctx context.Context, x []float32, dst []float64) error {
	return g.mean.Moments(ctx, x, dst, nil)
}

// values writes the Shapley values at the rows x, [n, d], against the rows z, or where z is
// nil against the averages, by so many nodes to phi, [n, columns].
func (g *game) values(ctx context.Context, x, z []float32, count int, phi []float64) error {
	n, width := len(x)/g.d, len(g.layers)
	settings, of := g.settings(count, -1)
	var f []float64
	if len(g.wide) > 0 {
		g.f = resize(g.f, n*len(settings))
		f = g.f
	}
	if err := g.blend(ctx, x, z, settings, f); err != nil {
		return err
	}
	at, weight := nodes(count)
	for k, layers := range g.layers {
		if g.nth[k] < 0 {
			for row := range n {
				phi[row*width+k] = g.slopes[row*g.d+layers[0]]
			}
			continue
		}
		for row := range n {
			var sum float64
			for s, m := range of {
				sum += weight[m.node] * g.sign(m.state, k) * g.share(m.state, at[m.node], k) * f[row*len(settings)+s]
			}
			phi[row*width+k] = sum
		}
	}
	return nil
}

// mark is what a setting is of.
type mark struct {
	node  int
	state state
}

// settings returns those of a rule of so many nodes. Where a column is given, they are those
// of the derivative by it: at the row with one sign, and at the background with the other.
func (g *game) settings(count, column int) (settings []surface.Setting, of []mark) {
	at, weight := nodes(count)
	add := func(m mark, share float64, on float32) {
		s := surface.Setting{At: make([]float32, g.d), Weight: weight[m.node] * share}
		for i, k := range g.of {
			switch {
			case g.nth[k] >= 0:
				s.At[i] = float32(m.state >> g.nth[k] & 1)
			case k == column:
				s.At[i] = on
			default:
				s.At[i] = float32(at[m.node])
			}
		}
		settings, of = append(settings, s), append(of, m)
	}
	for node, t := range at {
		for s := range g.states() {
			m := mark{node, s}
			switch {
			case column < 0:
				add(m, g.share(s, t), 0)
			case g.nth[column] >= 0:
				add(m, g.sign(s, column)*g.share(s, t, column), 0)
			default:
				add(m, g.share(s, t), 1)
				add(m, -g.share(s, t), 0)
			}
		}
	}
	return settings, of
}

func (g *game) blend(ctx context.Context, x, z []float32, settings []surface.Setting, f []float64) error {
	g.slopes = resize(g.slopes, len(x))
	return g.blender.Slopes(ctx, x, z, settings, f, g.slopes)
}

// interactions writes the Shapley interaction indices of all pairs of columns (Grabisch &
// Roubens 1999), the first column's first, to dst, [n, pairs]:
//
//	I_ij = ∫₀¹ ∂²F/∂t_i∂t_j (t, …, t) dt
func (g *game) interactions(ctx context.Context, x, z []float32, count int, dst []float64) error {
	n, width := len(x)/g.d, len(g.layers)
	pairs := pairsOf(width)
	for a := range width {
		settings, _ := g.settings(count, a)
		if err := g.blend(ctx, x, z, settings, nil); err != nil {
			return err
		}
		for b, layers := range g.layers {
			// Of a pair that is told from both sides the first one's is taken.
			if b == a || g.nth[b] >= 0 || b < a && g.nth[a] < 0 {
				continue
			}
			at := pairAt(min(a, b), max(a, b), width)
			for row := range n {
				dst[row*pairs+at] = g.slopes[row*g.d+layers[0]]
			}
		}
	}
	if len(g.wide) < 2 {
		return nil
	}
	settings, of := g.settings(count, -1)
	g.f = resize(g.f, n*len(settings))
	if err := g.blend(ctx, x, z, settings, g.f); err != nil {
		return err
	}
	at, weight := nodes(count)
	for i, a := range g.wide {
		for _, b := range g.wide[i+1:] {
			for row := range n {
				var sum float64
				for s, m := range of {
					sum += weight[m.node] * g.sign(m.state, a) * g.sign(m.state, b) * g.share(m.state, at[m.node], a, b) * g.f[row*len(settings)+s]
				}
				dst[row*pairs+pairAt(a, b, width)] = sum
			}
		}
	}
	return nil
}

// pairsOf is the number of pairs of n, and pairAt where that of a < b stands among them.
func pairsOf(n int) int { return n * (n - 1) / 2 }

func pairAt(a, b, n int) int { return a*(2*n-a-1)/2 + b - a - 1 }

func resize[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n)
	}
	return s[:n]
}

func isFinite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }
