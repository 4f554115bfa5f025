package source

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"beziergp/cmd/beziergp/internal/console"
	"beziergp/cmd/beziergp/internal/option"
	"beziergp/cmd/beziergp/internal/streams"
	"beziergp/table"
	"beziergp/tablefile"
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

// Nothing can be learned of a level whose rows are all held out, so that it is none.
func TestReadAllTakesTheRowsAndTheirLevels(t *testing.T) {
	path := filepath.Join(t.TempDir(), "t.csv")
	const text = "c,n,test,id\nred,1,0,a\ngreen,,1,b\nblue,3,0,c\n,4,0,d\nred,5,0,e\n"
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	s := streams.Streams{Console: console.New(io.Discard)}
	red := table.Field{Name: "c", Kind: table.Category, Levels: []string{"red"}}
	for what, c := range map[string]struct {
		o      Options
		take   bool
		schema []table.Field
		levels []string
		codes  string
		n      string
	}{
		"all":      {Options{}, true, nil, []string{"blue", "green", "red"}, "[2 1 0 NaN 2]", "[1 NaN 3 4 5]"},
		"training": {Options{Mask: Mask{path, "test"}}, false, nil, []string{"blue", "red"}, "[1 0 NaN 1]", "[1 3 4 5]"},
		"test":     {Options{Mask: Mask{path, "test"}}, true, nil, []string{"green"}, "[0]", "[NaN]"},
		"first":    {Options{Rows: 2}, true, nil, []string{"green", "red"}, "[1 0]", "[1 NaN]"},
		"both":     {Options{Mask: Mask{path, "test"}, Rows: 2}, false, nil, []string{"blue", "red"}, "[1 0]", "[1 3]"},
		"schema":   {Options{Mask: Mask{path, "test"}}, false, []table.Field{red}, []string{"red"}, "[0 1 NaN 0]", "[1 3 4 5]"},
	} {
		c.o.Kinds = map[string]table.Kind{"id": option.Drop}
		opened, err := Open(t.Context(), path, c.o, c.take, s, "", c.schema)
		if err != nil {
			t.Fatal(err)
		}
		if names := opened.Names(); !slices.Equal(names, []string{"c", "n", "test"}) {
			t.Errorf("%s: columns %q", what, names)
		}
		rows, err := opened.ReadAll(t.Context())
		opened.Close()
		if err != nil {
			t.Errorf("%s: %v", what, err)
			continue
		}
		field, _ := rows.Field("c")
		codes, _ := rows.Column("c")
		n, _ := rows.Column("n")
		if !slices.Equal(field.Levels, c.levels) || fmt.Sprint(codes) != c.codes || fmt.Sprint(n) != c.n {
			t.Errorf("%s: levels %q, codes %v, numbers %v; want %+v", what, field.Levels, codes, n, c)
		}
	}
	var faulty *tablefile.Error
	if _, err := Open(t.Context(), path, Options{Kinds: map[string]table.Kind{"di": option.Drop}}, true, s, "", nil); !errors.As(err, &faulty) || faulty.Column != "di" {
		t.Errorf("dropping no column: %v", err)
	}
}
