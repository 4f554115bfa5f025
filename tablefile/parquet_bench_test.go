//go:build !lean

package tablefile

import (
	"context"
	"io"
	"math/rand/v2"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"
	"github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/compress"

	"beziergp/internal/format"
)

// Megabytes of decoded float64 a second: measured values without repetition, as
// Python's writers store them by default.
func BenchmarkParquet(b *testing.B) {
	const columns, rows = 20, 1 << 18
	for _, nullable := range []bool{false, true} {
		path := filepath.Join(b.TempDir(), "t.parquet")
		r := rand.New(rand.NewPCG(1, 2))
		var fields []arrow.Field
		var arrays []arrow.Array
		for j := range columns {
			builder := array.NewFloat64Builder(memory.DefaultAllocator)
			for i := range rows {
				if nullable && i%10 == j%10 {
					builder.AppendNull()
				} else {
					builder.Append(r.NormFloat64())
				}
			}
			fields = append(fields, arrow.Field{Name: "x" + strconv.Itoa(j), Type: arrow.PrimitiveTypes.Float64, Nullable: nullable})
			arrays = append(arrays, builder.NewArray())
		}
		batch := array.NewRecordBatch(arrow.NewSchema(fields, nil), arrays, rows)
		writeParquet(b, path, batch, rows/2, parquet.WithCompression(compress.Codecs.Snappy))
		name := "complete"
		if nullable {
			name = "missing"
		}
		b.Run(name, func(b *testing.B) {
			b.SetBytes(8 * columns * rows)
			for b.Loop() {
				s, err := openFormat(format.Parquet, path)
				if err != nil {
					b.Fatal(err)
				}
				for err == nil {
					_, _, err = s.Next(context.Background())
				}
				if err != io.EOF {
					b.Fatal(err)
				}
				s.Close()
			}
		})
	}
}
