package table_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"beziergp/table"
)

func fixture(t *testing.T) *table.Table {
	t.Helper()
	tab, err := table.FromRows([]string{"rooms", "area", "price"},
		[][]float64{{3, 70, 1.5}, {4, 90, 2.5}, {2, 50, 1}, {5, 120, 4}})
	if err != nil {
		t.Fatal(err)
	}
	return tab
}

// rows reads a table back, row by row, through its public face.
func rows(t *testing.T, tab *table.Table) [][]float64 {
	t.Helper()
	out := make([][]float64, tab.Rows())
	for _, name := range tab.Names() {
		values, ok := tab.Column(name)
		if !ok || len(values) != tab.Rows() {
			t.Fatalf("column %q: present %v, %d values in %d rows", name, ok, len(values), tab.Rows())
		}
		for i, v := range values {
			out[i] = append(out[i], v)
		}
	}
	return out
}

func checkRows(t *testing.T, what string, tab *table.Table, want [][]float64) {
	t.Helper()
	if got := rows(t, tab); !reflect.DeepEqual(got, want) {
		t.Errorf("%s: rows %v, want %v", what, got, want)
	}
}

func TestNewRefuses(t *testing.T) {
	one := []float64{1}
	for want, columns := range map[string][]table.Column{
		`at least one column`:                               nil,
		`column 2 has no name`:                              {{Name: "a", Values: one}, {Name: "", Values: one}},
		`columns 1 and 3 are both called "a"`:               {{Name: "a", Values: one}, {Name: "b", Values: one}, {Name: "a", Values: one}},
		`the name of column 1, "\xff", is not UTF-8`:        {{Name: "\xff", Values: one}},
		`column "b" has 2 rows, but column "a" has 1`:       {{Name: "a", Values: one}, {Name: "b", Values: []float64{1, 2}}},
		`row 1, column "b": 2 is neither 0 nor 1`:           {{Name: "b", Values: []float64{2}, Kind: table.Boolean}},
		`row 2, column "c": 3 is no level: there are 2`:     {{Name: "c", Values: []float64{2, 3}, Kind: table.Category, Levels: []string{"x", "y"}}},
		`row 1, column "c": 0.5 is no level: there are 2`:   {{Name: "c", Values: []float64{0.5}, Kind: table.Category, Levels: []string{"x", "y"}}},
		`row 1, column "a": +Inf is not a finite number`:    {{Name: "a", Values: []float64{math.Inf(1)}}},
		`row 1, column "long": -Inf is not a finite number`: {{Name: "long", Values: []float64{math.Inf(-1)}}},
	} {
		if _, err := table.New(columns...); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("New(%v): error %v, want %q", columns, err, want)
		}
	}
	_, err := table.FromRows([]string{"a", "b"}, [][]float64{{1, 2}, {3}})
	if err == nil || err.Error() != "row 2 has 1 values for 2 columns" {
		t.Errorf("FromRows of a ragged row: %v", err)
	}
}

func TestAccess(t *testing.T) {
	tab := fixture(t)
	if got := tab.Names(); !reflect.DeepEqual(got, []string{"rooms", "area", "price"}) {
		t.Errorf("Names: %v", got)
	}
	checkRows(t, "FromRows", tab, [][]float64{{3, 70, 1.5}, {4, 90, 2.5}, {2, 50, 1}, {5, 120, 4}})
	if values, ok := tab.Column("none"); ok || values != nil {
		t.Errorf("Column of no column: %v, %v", values, ok)
	}
	tab.Names()[0] = "changed"
	if tab.Names()[0] != "rooms" {
		t.Error("the slice of names is the table's own")
	}
}

func TestChoose(t *testing.T) {
	tab := fixture(t)
	got, err := tab.Select("price", "rooms")
	if err != nil {
		t.Fatal(err)
	}
	checkRows(t, "Select", got, [][]float64{{1.5, 3}, {2.5, 4}, {1, 2}, {4, 5}})
	if got, err = tab.Drop("area", "area"); err != nil {
		t.Fatal(err)
	}
	checkRows(t, "Drop", got, [][]float64{{3, 1.5}, {4, 2.5}, {2, 1}, {5, 4}})
	mask := []bool{false, true, false, true}
	checkRows(t, "Filter", tab.Filter(mask), [][]float64{{4, 90, 2.5}, {5, 120, 4}})
	train, test := tab.Split(mask)
	checkRows(t, "Split, train", train, [][]float64{{3, 70, 1.5}, {2, 50, 1}})
	checkRows(t, "Split, test", test, [][]float64{{4, 90, 2.5}, {5, 120, 4}})
	if none := tab.Filter(make([]bool, 4)); none.Rows() != 0 || len(none.Names()) != 3 {
		t.Errorf("Filter of nothing: %d rows, names %v", none.Rows(), none.Names())
	}
}

func TestFilteredRowsAreACopy(t *testing.T) {
	tab := fixture(t)
	values, _ := tab.Filter([]bool{true, true, true, true}).Column("rooms")
	values[0] = 99
	if own, _ := tab.Column("rooms"); own[0] != 3 {
		t.Error("Filter shares its rows with the table it comes from")
	}
}

func TestChooseRefuses(t *testing.T) {
	tab := fixture(t)
	for _, c := range []struct {
		what   string
		choose func() (*table.Table, error)
		want   string
	}{
		{"select", func() (*table.Table, error) { return tab.Select("aera") }, `no column "aera"; did you mean "area"?`},
		{"select near", func() (*table.Table, error) { return tab.Select("Prices") }, `no column "Prices"; did you mean "price"?`},
		{"select twice", func() (*table.Table, error) { return tab.Select("area", "area") }, `both called "area"`},
		{"select none", func() (*table.Table, error) { return tab.Select() }, `at least one column`},
		{"drop", func() (*table.Table, error) { return tab.Drop("room") }, `did you mean "rooms"?`},
		{"drop all", func() (*table.Table, error) { return tab.Drop("rooms", "area", "price") }, `at least one column`},
	} {
		if _, err := c.choose(); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want %q", c.what, err, c.want)
		}
	}
	var unknown *table.UnknownError
	if _, err := tab.Select("room"); !errors.As(err, &unknown) || unknown.Name != "room" || len(unknown.Have) != 3 {
		t.Errorf("Select of an unknown column is a %T", unknown)
	}
}

func TestUnknown(t *testing.T) {
	var many []string
	for j := range 25 {
		many = append(many, fmt.Sprintf("input_%02d", j))
	}
	for _, c := range []struct {
		name string
		have []string
		want string
	}{
		{"target", many, `"input_19" and 5 more`},
		{"TEMP", []string{"temp", "tempo", "tame", "pres"}, `did you mean "temp" or "tempo"?`},
		{"x", []string{"y", "z"}, `there are "y", "z"`}, // one edit is all of a one-letter name
		{"", []string{"y"}, `there are "y"`},
		{"y", nil, `there are no columns`},
		{"größe", []string{"grösse"}, `there are "grösse"`}, // two edits: more than a third of five letters
		{"größe", []string{"grosse", "große"}, `did you mean "große"?`},
	} {
		if got := table.Unknown(c.name, c.have).Error(); !strings.HasSuffix(got, c.want) {
			t.Errorf("Unknown(%q): %s, want …%s", c.name, got, c.want)
		}
	}
}

func TestMaskOfAnotherLengthPanics(t *testing.T) {
	defer func() {
		if got := recover(); got != "table: the mask's length is not the number of rows" {
			t.Errorf("panic %v", got)
		}
	}()
	fixture(t).Filter(make([]bool, 3))
}

func TestHoldout(t *testing.T) {
	for _, c := range []struct {
		rows     int
		fraction float64
		want     int
	}{{10, 0.25, 3}, {10, 0, 0}, {10, 1, 10}, {0, 0.5, 0}, {7, 0.1, 1}, {1000, 0.1, 100}} {
		mask := table.Holdout(c.rows, c.fraction, rand.New(rand.NewPCG(1, 2)))
		marked := 0
		for _, m := range mask {
			if m {
				marked++
			}
		}
		if len(mask) != c.rows || marked != c.want {
			t.Errorf("Holdout(%d, %v) marks %d of %d, want %d", c.rows, c.fraction, marked, len(mask), c.want)
		}
	}
	again := func() []bool { return table.Holdout(50, 0.3, rand.New(rand.NewPCG(7, 0))) }
	if !reflect.DeepEqual(again(), again()) {
		t.Error("the same seed gives another split")
	}
}

// Each of the C(5,2) = 10 sets is equally likely: 20000 draws give 2000 ± 42 of
// each, and the chi-squared statistic with 9 degrees of freedom stays below
// 27.88 in 999 cases of 1000 (any table of the distribution).
func TestHoldoutIsUniform(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	counts := map[string]float64{}
	const draws = 20000
	for range draws {
		counts[fmt.Sprint(table.Holdout(5, 0.4, rng))]++
	}
	if len(counts) != 10 {
		t.Fatalf("%d different sets, want 10", len(counts))
	}
	chi2 := 0.0
	for _, n := range counts {
		chi2 += (n - draws/10) * (n - draws/10) / (draws / 10)
	}
	if chi2 > 27.88 {
		t.Errorf("chi-squared %.1f over %v", chi2, counts)
	}
}
