package data

import (
	"context"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
)

// Generated is a table of a shape. Its inputs lie in [0, 1] and neighbours among them
// are correlated; the target is a smooth function of some of them, of deviation about
// 1, plus noise. It is a function of the shape alone.
type Generated struct{ Rows, Inputs int }

// Noise is the deviation of the noise of generated tables: no RMSE is below it, but
// by chance.
const Noise = 0.25

// Splits returns the number of splits that are drawn.
func (Generated) Splits(Places) (int, error) { return drawnSplits, nil }

// Ready writes the table and its mask.
func (g Generated) Ready(ctx context.Context, p Places) (Table, error) {
	t, err := drawn(ctx, p, fmt.Sprintf("generated-%dx%d", g.Rows, g.Inputs), g.Rows, g.Inputs, func() func([]float64) float64 {
		s := g.source()
		return func(x []float64) float64 {
			f, noise := s.next(x)
			return f + noise
		}
	})
	t.Floor = Noise
	return t, err
}

// drawn writes a table and its mask where they are missing. begin returns what draws the
// inputs of the next row and returns its target.
func drawn(ctx context.Context, p Places, name string, rows, inputs int, begin func() (next func(x []float64) float64)) (Table, error) {
	path, err := made(p, name, "data.parquet", func(w io.Writer) error {
		var names []string
		for j := range inputs {
			names = append(names, fmt.Sprintf("x%d", j+1))
		}
		next, x := begin(), make([]float64, inputs)
		return WriteParquet(w, append(names, target), rows, groupRows, func(columns [][]float32) error {
			for i := range columns[0] {
				columns[inputs][i] = float32(next(x))
				for j, v := range x {
					columns[j][i] = float32(v)
				}
			}
			return ctx.Err()
		})
	})
	if err != nil {
		return Table{}, err
	}
	mask, err := drawnMask(p, name, func() (int, error) { return rows, nil })
	return Table{Path: path, Mask: mask, Target: target}, err
}

// source draws rows.
type source struct {
	rng   *rand.Rand
	waves []wave
	pairs []pair
}

// wave is a term of one input, amplitude·sin(2π·turns·x + phase).
type wave struct {
	input        int
	turns, phase float64
}

// pair is an interaction of two inputs, a saddle.
type pair struct{ a, b int }

// terms is the number of terms of each kind. Each has a variance of about a half of
// the number's inverse, so that f has about one.
const terms = 8

func (g Generated) source() *source {
	s := &source{rng: rand.New(rand.NewPCG(uint64(g.Rows), uint64(g.Inputs)))}
	for range terms {
		s.waves = append(s.waves, wave{s.rng.IntN(g.Inputs), 0.5 + 0.5*float64(s.rng.IntN(3)), 2 * math.Pi * s.rng.Float64()})
		a := s.rng.IntN(g.Inputs)
		s.pairs = append(s.pairs, pair{a, (a + 1 + s.rng.IntN(max(1, g.Inputs-1))) % g.Inputs})
	}
	return s
}

// next draws a row into x and returns f(x) and the noise. Inputs are uniform, ranks of
// Gaussians of which each is correlated with the one before it.
func (s *source) next(x []float64) (f, noise float64) {
	const correlation = 0.5
	fresh := math.Sqrt(1 - correlation*correlation)
	z := s.rng.NormFloat64()
	for j := range x {
		if j > 0 {
			z = correlation*z + fresh*s.rng.NormFloat64()
		}
		x[j] = 0.5 * math.Erfc(-z/math.Sqrt2)
	}
	// A sine has a variance of 1/2, the saddle of two uniform inputs one of 1/9.
	wave, saddle := math.Sqrt(2/(2.0*terms)), math.Sqrt(9/(2.0*terms))
	for _, t := range s.waves {
		f += wave * math.Sin(2*math.Pi*t.turns*x[t.input]+t.phase)
	}
	for _, t := range s.pairs {
		f += saddle * (2*x[t.a] - 1) * (2*x[t.b] - 1)
	}
	return f, Noise * s.rng.NormFloat64()
}
