package surface

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"beziergp/internal/process/basis"
	"beziergp/internal/process/buttress"
	"beziergp/internal/simd"
)

// sumsAt returns E f summed over the points with an input at each of the values.
func sumsAt(t *testing.T, q *Posterior, x []float32, input int, values []float32) []float64 {
	t.Helper()
	sums := make([]float64, len(values))
	for v, u := range values {
		mean, _ := moments(t, q, put(x, q.Inputs(), input, func(int) float32 { return u }), 1)
		for _, m := range mean {
			sums[v] += m
		}
	}
	return sums
}

// The sums are those of E f at the points with the value in the place of an input's own: of every
// kind of basis, where coordinates are missing, one of them or all, and after every block.
func TestDependenceIsTheSumOfMeans(t *testing.T) {
	const d = 7
	rng := rand.New(rand.NewPCG(10, 1))
	q := mixture(t, d, rng)
	x := mixedPoints(3*dependencePoints-1, d, 9, rng)
	for i := range d {
		x[(len(x)/d-3)*d+i] = float32(math.NaN())
	}
	blocks := [][]float32{slices.Clone(x[:(2*dependencePoints-1)*d]), slices.Clone(x[(2*dependencePoints-1)*d:])}
	var first []float64
	for _, workers := range []int{1, 3} {
		pool := simd.NewPool(workers)
		e, all, upTo := NewDependence(q, pool), []float64(nil), 0
		for _, block := range blocks {
			if err := e.Add(context.Background(), block); err != nil {
				t.Fatal(err)
			}
			upTo += len(block)
			for _, input := range []int{0, 1, 2, d - 1} {
				values := []float32{1, 0.3, 0}
				if input == 1 { // a category
					values = []float32{39, 3, 0}
				}
				got := e.At(input, values)
				if workers == 1 {
					closeAll(t, fmt.Sprintf("%d points, input %d: sum", upTo/d, input), got, sumsAt(t, q, x[:upTo], input, values))
				}
				all = append(all, got...)
			}
		}
		pool.Close()
		if first != nil && !slices.Equal(all, first) {
			t.Error("workers change the bits")
		}
		first = all
	}
}

// More rows than there are tiles of at a time are as good as few.
func TestDependenceOfManyRows(t *testing.T) {
	const d, n = 3, dependenceRows + dependencePoints + 1
	q, _ := members(t, d, 2, 1, 4)
	x := points(n, d, rand.New(rand.NewPCG(11, 1)))
	pool := simd.NewPool(1)
	defer pool.Close()
	e := NewDependence(q, pool)
	if err := e.Add(context.Background(), x); err != nil {
		t.Fatal(err)
	}
	values := []float32{0, 0.4, 1}
	for input := range d {
		closeAll(t, fmt.Sprintf("input %d: sum", input), e.At(input, values), sumsAt(t, q, x, input, values))
	}
}

// Sums of float32 are those of 1024 rows at most, whatever the number of weights. Here f is 2^14
// at all rows of a tile but one, where it is one more; nine such tiles are more than float32
// holds to the last digit, eight are not. Nine tiles of −2^14 leave nine.
func TestDependenceKeepsSumsShort(t *testing.T) {
	const levels, tiles = 400, 9
	category, err := basis.NewIndicator(levels)
	if err != nil {
		t.Fatal(err)
	}
	constant, err := basis.NewBernstein(0)
	if err != nil {
		t.Fatal(err)
	}
	line, err := basis.NewBernstein(1)
	if err != nil {
		t.Fatal(err)
	}
	// The constant's node makes one sum of all levels'.
	g := Group{Bases: []basis.Basis{category, constant, line}, Part: MeanOnly}
	if g.Ensemble, err = buttress.New([]int{levels, 1, 2}, nil, [][]int{{0, 1, 2}}); err != nil {
		t.Fatal(err)
	}
	s, err := New(g)
	if err != nil {
		t.Fatal(err)
	}
	params := slices.Repeat([]float32{1}, s.Size())
	copy(params, []float32{1 << 14, 1<<14 + 1, -1 << 14}) // of the category's levels
	var x []float32
	for tile := range 2 * tiles {
		for p := range dependencePoints {
			level := 0
			switch {
			case tile >= tiles:
				level = 2
			case p == 0:
				level = 1
			}
			x = append(x, float32(level), 0, 0)
		}
	}
	pool := simd.NewPool(1)
	defer pool.Close()
	e := NewDependence(posterior(t, s, params), pool)
	if err := e.Add(context.Background(), x); err != nil {
		t.Fatal(err)
	}
	if got := e.At(2, []float32{0})[0]; got != tiles {
		t.Errorf("the sum is %v, want %d", got, tiles)
	}
}

// As many whole tiles are made as fit, and as rows are wanted, but one in any case.
func TestDependenceMakesTilesThatFit(t *testing.T) {
	for nodes := 1; nodes < 1<<16; nodes += 1 + nodes/9 {
		want := dependencePoints
		for rows := want; rows <= dependenceRows && 4*2*nodes*rows <= dependenceBytes; rows += dependencePoints {
			want = rows
		}
		if got := rowsAtATime(nodes); got != want {
			t.Errorf("%d nodes: tiles of %d rows, want %d", nodes, got, want)
		}
	}
}

func TestDependenceStopsWhenTold(t *testing.T) {
	q, _ := members(t, 3, 2, 1, 4)
	pool := simd.NewPool(1)
	defer pool.Close()
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := NewDependence(q, pool).Add(ctx, []float32{0, 0, 0}); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}
