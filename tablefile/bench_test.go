package tablefile_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/csv"
	"io"
	"math/rand/v2"
	"strconv"
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

// numbers is a table of 200,000 rows of ten numbers such as 1234.567, as text and compressed.
func numbers(b *testing.B) (text string, forms map[string][]byte) {
	b.Helper()
	rng := rand.New(rand.NewPCG(1, 1))
	columns := make([]*exact.Column, 10)
	for j := range columns {
		v := make([]float64, 200_000)
		for i := range v {
			v[i] = float64(rng.IntN(1e7)) / 1000
		}
		columns[j] = exact.Numbers(v)
	}
	var out bytes.Buffer
	if err := tablewriter.Write(&out, tablewriter.CSV, strings.Split("abcdefghij", ""), columns); err != nil {
		b.Fatal(err)
	}
	return out.String(), map[string][]byte{"plain": out.Bytes(), "gzip": []byte(zip(out.String()))}
}

// The speed is in bytes of text, compressed or not.
func BenchmarkReadAll(b *testing.B) {
	text, forms := numbers(b)
	for _, name := range []string{"plain", "gzip"} {
		data := forms[name]
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				if _, err := read(context.Background(), data); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// What the standard library takes for the same numbers, whose kind it is told: docs/reading.md
// compares the two.
func BenchmarkStandardLibrary(b *testing.B) {
	text, forms := numbers(b)
	for _, name := range []string{"plain", "gzip"} {
		data := forms[name]
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				if err := readByStandardLibrary(data, name == "gzip"); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func readByStandardLibrary(data []byte, zipped bool) error {
	var from io.Reader = bytes.NewReader(data)
	if zipped {
		var err error
		if from, err = gzip.NewReader(from); err != nil {
			return err
		}
	}
	r := csv.NewReader(from)
	r.ReuseRecord = true
	header, err := r.Read()
	if err != nil {
		return err
	}
	columns := make([][]float64, len(header))
	for {
		record, err := r.Read()
		switch {
		case err == io.EOF:
			return nil
		case err != nil:
			return err
		}
		for j, cell := range record {
			v, err := strconv.ParseFloat(cell, 64)
			if err != nil {
				return err
			}
			columns[j] = append(columns[j], v)
		}
	}
}
