package tablefile_test

import (
	"bytes"
	"context"
	"math/rand/v2"
	"testing"

	"beziergp/table"
	"beziergp/tablefile"
)

func read(ctx context.Context, data []byte) (*table.Table, error) {
	r, err := tablefile.NewReader(bytes.NewReader(data), "t.csv", tablefile.Options{})
	if err != nil {
		return nil, err
	}
	return r.ReadAll(ctx)
}

// The speed is in bytes of text, compressed or not.
func BenchmarkReadAll(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 1))
	columns := make([]tablefile.Values, 10)
	for j := range columns {
		v := make(tablefile.Floats, 200_000)
		for i := range v {
			v[i] = float64(rng.IntN(1e7)) / 1000
		}
		columns[j] = v
	}
	var text bytes.Buffer
	w, err := tablefile.NewWriter(&text, "a", "b", "c", "d", "e", "f", "g", "h", "i", "j")
	if err != nil {
		b.Fatal(err)
	}
	w.Write(columns...)
	w.Flush()
	for name, data := range map[string][]byte{"plain": text.Bytes(), "gzip": []byte(zip(text.String()))} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(text.Len()))
			for b.Loop() {
				if _, err := read(context.Background(), data); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
