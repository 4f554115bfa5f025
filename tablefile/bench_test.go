package tablefile_test

import (
	"bytes"
	"context"
	"math/rand/v2"
	"strings"
	"testing"

	"beziergp/table"
	"beziergp/table/exact"
	"beziergp/tablefile"
	"beziergp/tablewriter"
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
	columns := make([]*exact.Column, 10)
	for j := range columns {
		v := make([]float64, 200_000)
		for i := range v {
			v[i] = float64(rng.IntN(1e7)) / 1000
		}
		columns[j] = exact.Numbers(v)
	}
	var text bytes.Buffer
	if err := tablewriter.Write(&text, tablewriter.CSV, strings.Split("abcdefghij", ""), columns); err != nil {
		b.Fatal(err)
	}
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
