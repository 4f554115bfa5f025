package tablefile_test

import (
	"context"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"beziergp/table"
	"beziergp/tablefile"
)

// wide returns a table of so many columns, a third of them categories and a cell with
// a line break in every hundredth.
func wide(columns, rows int) (text string, names []string) {
	var b strings.Builder
	for j := range columns {
		names = append(names, fmt.Sprintf("column %d", j))
	}
	b.WriteString(strings.Join(names, ",") + "\n")
	for i := range rows {
		for j := range columns {
			if j > 0 {
				b.WriteByte(',')
			}
			switch {
			case j%100 == 99:
				b.WriteString("\"a\nb\"")
			case j%3 == 2:
				b.WriteString("level")
			default:
				fmt.Fprintf(&b, "%d.5", i)
			}
		}
		b.WriteByte('\n')
	}
	return b.String(), names
}

// Rows come whole whether the header fills the first chunk or not: of a header that
// did, the rows of the first batch once were lost without a word.
func TestRowsUnderALongHeader(t *testing.T) {
	const rows = 7
	for _, columns := range []int{2, 20_000} { // headers of 17 B and 249 kB
		text, names := wide(columns, rows)
		got := readNamed(t, text, tablefile.Options{}, names...)
		if got.Rows() != rows {
			t.Errorf("%d columns: %d of %d rows", columns, got.Rows(), rows)
			continue
		}
		for i, v := range column(got, names[0]) {
			if v != float64(i)+0.5 {
				t.Errorf("%d columns: row %d holds %g", columns, i+1, v)
			}
		}
	}
	for _, long := range []int{200_000, 300_000} {
		text := strings.Repeat("a", long) + ",b\n" + strings.Repeat(strings.Repeat("0", long)+"1,2\n", rows)
		if got := readNamed(t, text, tablefile.Options{}); got.Rows() != rows {
			t.Errorf("a name of %d bytes: %d of %d rows", long, got.Rows(), rows)
		}
		if got := readNamed(t, text, tablefile.Options{Rows: 2}); got.Rows() != 2 {
			t.Errorf("a name of %d bytes: %d rows instead of 2", long, got.Rows())
		}
	}
}

func column(t *table.Table, name string) []float64 {
	values, _ := t.Column(name)
	return values
}

func readNamed(t *testing.T, text string, o tablefile.Options, names ...string) *table.Table {
	t.Helper()
	r, err := tablefile.NewReader(strings.NewReader(text), "t.csv", o)
	if err != nil {
		t.Fatal(err)
	}
	if len(names) > 0 {
		if err := r.Select(names...); err != nil {
			t.Fatal(err)
		}
	}
	got, err := r.ReadAll(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return got
}

// Reading takes time in proportion to the columns, by inferred kinds, by given ones and
// by a schema.
func TestTimeIsLinearInColumns(t *testing.T) {
	const few, times = 1500, 8
	took := func(columns int) time.Duration {
		text, names := wide(columns, 2)
		kinds := map[string]table.Kind{}
		var schema []table.Field
		for j := len(names) - 1; j >= 0; j-- {
			if j%3 != 2 && j%100 != 99 {
				kinds[names[j]] = table.Numeric
			}
			schema = append(schema, table.Field{Name: names[j], Kind: table.Category, Levels: []string{"level"}})
		}
		least := time.Hour
		for range 3 { // the machine may have other work
			began := time.Now()
			readNamed(t, text, tablefile.Options{Kinds: kinds}, names...)
			readNamed(t, text, tablefile.Options{Schema: schema})
			r, err := tablefile.NewReader(strings.NewReader(text), "t.csv", tablefile.Options{Schema: schema})
			if err != nil {
				t.Fatal(err)
			}
			block := make([][]float64, columns)
			for k := range block {
				block[k] = make([]float64, 2)
			}
			if n, err := r.Next(block); n != 2 || err != nil && err != io.EOF {
				t.Fatalf("%d rows, %v", n, err)
			}
			least = min(least, time.Since(began))
		}
		return least
	}
	if a, b := took(few), took(times*few); b > 3*times*a {
		t.Errorf("%d columns take %v, %d take %v", few, a, times*few, b)
	} else {
		t.Logf("%d columns take %v, %d take %v", few, a, times*few, b)
	}
}
