package source

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"strings"
	"testing"

	"beziergp/internal/cli/console"
	"beziergp/internal/cli/streams"
)

// open returns a table of one column that counts its rows from 1.
func open(t *testing.T, rows int, mask []bool, take bool, limit int) *Table {
	var b bytes.Buffer
	b.WriteString("x\n")
	for i := range rows {
		fmt.Fprintln(&b, i+1)
	}
	s := streams.Streams{In: &b, Console: console.New(io.Discard)}
	table, err := Open(t.Context(), "-", Options{Rows: limit}, take, s, "", nil)
	if err != nil {
		t.Fatal(err)
	}
	table.mask = mask
	return table
}

// However the blocks fall, the rows are those marked, in order, and each knows
// where it stood.
func TestRowsTaken(t *testing.T) {
	const rows = 23
	mask := make([]bool, rows)
	for i := range mask {
		mask[i] = i%3 == 1 || i > 15
	}
	for _, take := range []bool{false, true} {
		var want []float64
		for i, mark := range mask {
			if mark == take {
				want = append(want, float64(i+1))
			}
		}
		for block := 1; block <= rows+1; block++ {
			for limit := range len(want) + 1 {
				table := open(t, rows, mask, take, limit)
				wanted := want
				if limit > 0 {
					wanted = want[:limit]
				}
				var got []float64
				dst := [][]float64{make([]float64, block)}
				for {
					n, err := table.Next(t.Context(), dst)
					if err == io.EOF {
						break
					}
					if err != nil || n == 0 {
						t.Fatalf("%d rows, error %v", n, err)
					}
					got = append(got, dst[0][:n]...)
				}
				if fmt.Sprint(got) != fmt.Sprint(wanted) {
					t.Fatalf("blocks of %d, limit %d: %v, want %v", block, limit, got, wanted)
				}
				for k, row := range got {
					if table.FileRow(k+1) != int(row) {
						t.Errorf("row %g stood at %d", row, table.FileRow(k+1))
					}
				}
			}
		}
	}
}

func TestInterruptibleEndsAReadThatWaits(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	waiting, writer := io.Pipe()
	defer writer.Close()
	cancel()
	if _, err := io.ReadAll(interruptible(ctx, waiting)); err != context.Canceled {
		t.Errorf("error %v", err)
	}
	if got, err := io.ReadAll(interruptible(t.Context(), strings.NewReader("a,b"))); string(got) != "a,b" || err != nil {
		t.Errorf("%q, %v", got, err)
	}
}
