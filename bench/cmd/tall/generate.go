package main

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"os"

	"github.com/jackc/pgx/v5"

	"beziergp/bench/data"
)

// rows draws the rows of the table: ten uniform inputs, of which five matter
// (Friedman, Multivariate adaptive regression splines, 1991), and the target.
type rows struct{ rng *rand.Rand }

func newRows() *rows { return &rows{rand.New(rand.NewPCG(1, 2))} }

func (r *rows) next(x *[inputs]float64) (y float64) {
	for j := range x {
		x[j] = r.rng.Float64()
	}
	return 10*math.Sin(math.Pi*x[0]*x[1]) + 20*(x[2]-0.5)*(x[2]-0.5) + 10*x[3] + 5*x[4] + r.rng.NormFloat64()
}

func names() []string {
	var all []string
	for j := range inputs {
		all = append(all, fmt.Sprintf("x%d", j+1))
	}
	return append(all, "y")
}

// writeParquet writes so many rows, the same as float32 and as float64 but for their digits.
func writeParquet[T float32 | float64](ctx context.Context, path string, n int) error {
	out, err := os.Create(path)
	if err != nil {
		return err
	}
	defer out.Close()
	source := newRows()
	const group = 1 << 19
	var x [inputs]float64
	return data.WriteParquet(out, names(), n, group, func(columns [][]T) error {
		for i := range columns[0] {
			columns[inputs][i] = T(source.next(&x))
			for j, v := range x {
				columns[j][i] = T(v)
			}
		}
		return ctx.Err()
	})
}

func writePostgres(ctx context.Context, url string, n int) error {
	c, err := pgx.Connect(ctx, url)
	if err != nil {
		return err
	}
	defer c.Close(ctx)
	columns := ""
	for j, name := range names() {
		if j > 0 {
			columns += ", "
		}
		columns += name + " double precision"
	}
	if _, err := c.Exec(ctx, "DROP TABLE IF EXISTS beziergp_tall; CREATE TABLE beziergp_tall ("+columns+")"); err != nil {
		return err
	}
	source, row := newRows(), make([]any, inputs+1)
	var x [inputs]float64
	left := n
	_, err = c.CopyFrom(ctx, pgx.Identifier{"beziergp_tall"}, names(), pgx.CopyFromFunc(func() ([]any, error) {
		if left == 0 {
			return nil, nil
		}
		left--
		row[inputs] = source.next(&x)
		for j, v := range x {
			row[j] = v
		}
		return row, nil
	}))
	return err
}
