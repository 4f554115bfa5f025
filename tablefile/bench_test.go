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

// ofNumbers measures a reader of a table of 200,000 rows of ten numbers such as 1234.567, plain and compressed. The
// speed is in bytes of text in either case.
func ofNumbers(b *testing.B, read func(data []byte, zipped bool) error) {
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
				if err := read(data, name == "gzip"); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkReadAll(b *testing.B) {
	ofNumbers(b, func(data []byte, _ bool) error {
		_, err := read(context.Background(), data)
		return err
	})
}

// What the standard library takes for the same numbers, whose kind it is told: docs/reading.md
// compares the two.
func BenchmarkStandardLibrary(b *testing.B) { ofNumbers(b, readByStandardLibrary) }

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
