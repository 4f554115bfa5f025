package main

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"os"

	"github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/file"
	"github.com/apache/arrow-go/v18/parquet/schema"
	"github.com/jackc/pgx/v5"
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

func writeParquet(path string, n int) error {
	out, err := os.Create(path)
	if err != nil {
		return err
	}
	defer out.Close()
	var fields schema.FieldList
	for _, name := range names() {
		fields = append(fields, schema.NewFloat64Node(name, parquet.Repetitions.Required, -1))
	}
	root, err := schema.NewGroupNode("table", parquet.Repetitions.Required, fields, -1)
	if err != nil {
		return err
	}
	w, err := file.NewParquetWriterWithError(out, root, file.WithWriterProps(parquet.NewWriterProperties(parquet.WithDictionaryDefault(false))))
	if err != nil {
		return err
	}
	source := newRows()
	const group = 1 << 19
	var x [inputs]float64
	var columns [inputs + 1][]float64
	for from := 0; from < n; from += group {
		for j := range columns {
			columns[j] = columns[j][:0]
		}
		for range min(group, n-from) {
			y := source.next(&x)
			for j, v := range x {
				columns[j] = append(columns[j], v)
			}
			columns[inputs] = append(columns[inputs], y)
		}
		rows := w.AppendRowGroup()
		for _, values := range columns {
			c, err := rows.NextColumn()
			if err != nil {
				return err
			}
			if _, err := c.(*file.Float64ColumnChunkWriter).WriteBatch(values, nil, nil); err != nil {
				return err
			}
			if err := c.Close(); err != nil {
				return err
			}
		}
		if err := rows.Close(); err != nil {
			return err
		}
	}
	return w.Close()
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
