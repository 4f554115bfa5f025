package describe

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"beziergp/table"
)

var nan = math.NaN()

// What numpy's percentile, and pandas' mean, std and skew, say of these values.
func TestNumbersOfAColumn(t *testing.T) {
	c, sorted := newColumn(table.Field{Name: "x"}, []float64{10, nan, 1, 2, 3, 0, 2, nan})
	if c.Missing != 2 || c.Distinct != 5 || *c.Zeros != 1 || !slices.Equal(sorted, []float64{0, 1, 2, 2, 3, 10}) {
		t.Errorf("%+v, %v", c, sorted)
	}
	// G₁ by its definition, another way than the library's.
	n, mean, m2, m3 := 6.0, 3.0, 0.0, 0.0
	for _, v := range sorted {
		m2, m3 = m2+(v-mean)*(v-mean)/n, m3+math.Pow(v-mean, 3)/n
	}
	skew := math.Sqrt(n*(n-1)) / (n - 2) * m3 / math.Pow(m2, 1.5)
	for what, pair := range map[string][2]float64{
		"mean": {*c.Mean, 3}, "std": {*c.Std, math.Sqrt(64.0 / 5)}, "skew": {*c.Skew, skew}, "min": {*c.Min, 0}, "max": {*c.Max, 10},
		"5 %": {c.Quantiles.P05, 0.25}, "25 %": {c.Quantiles.P25, 1.25}, "50 %": {c.Quantiles.P50, 2}, "75 %": {c.Quantiles.P75, 2.75}, "95 %": {c.Quantiles.P95, 8.25},
	} {
		if math.Abs(pair[0]-pair[1]) > 1e-12 {
			t.Errorf("%s is %v, want %v", what, pair[0], pair[1])
		}
	}
	for _, few := range [][]float64{{}, {nan}, {5}, {5, 5, 5}, {1e308, -1e308, 1e308}} {
		c, _ := newColumn(table.Field{Name: "x"}, few)
		for _, v := range []*float64{c.Mean, c.Std, c.Skew} {
			if v != nil && (math.IsNaN(*v) || math.IsInf(*v, 0)) {
				t.Errorf("%v: %+v", few, c)
			}
		}
		c.cells() // takes what there is
	}
}

// Spearman's ρ and η are what their definitions say, gaps and ties included.
func TestAssociation(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	var x, y, k []float64
	for range 60 {
		v := rng.NormFloat64()
		x, y, k = append(x, math.Round(3*v)), append(y, v+rng.NormFloat64()), append(k, float64(rng.IntN(4)))
		if rng.IntN(6) == 0 {
			x[len(x)-1] = nan
		}
	}
	// The rank is one more than the values below, and half of the others that are equal.
	rank := func(values []float64, of float64) (r float64) {
		for _, v := range values {
			if v < of {
				r++
			} else if v == of {
				r += 0.5
			}
		}
		return r
	}
	a, b := both(x, y)
	var sxy, sxx, syy float64
	for i := range a {
		dx, dy := rank(a, a[i])-float64(len(a))/2, rank(b, b[i])-float64(len(b))/2
		sxy, sxx, syy = sxy+dx*dy, sxx+dx*dx, syy+dy*dy
	}
	sx, sy := newSeries(table.Field{Name: "x"}, x), newSeries(table.Field{Name: "y"}, y)
	if got, by := associate(sx, sy); math.Abs(got-sxy/math.Sqrt(sxx*syy)) > 1e-12 || by != spearman {
		t.Errorf("ρ = %v, want %v", got, sxy/math.Sqrt(sxx*syy))
	}
	// ε² = 1 − (mean square within levels) / (mean square about the mean).
	within, about, mean := 0.0, 0.0, 0.0
	for _, v := range y {
		mean += v / 60
	}
	for level := range 4 {
		sum, n := 0.0, 0.0
		for i, v := range y {
			if k[i] == float64(level) {
				sum, n = sum+v, n+1
			}
		}
		for i, v := range y {
			if k[i] == float64(level) {
				within += (v - sum/n) * (v - sum/n)
			}
		}
	}
	for _, v := range y {
		about += (v - mean) * (v - mean)
	}
	want := math.Sqrt(max(0, 1-within/56/(about/59)))
	sk := newSeries(table.Field{Name: "k", Kind: table.Category, Levels: []string{"a", "b", "c", "d"}}, k)
	for _, got := range [][]series{{sk, sy}, {sy, sk}} {
		if v, by := associate(got[0], got[1]); math.Abs(v-want) > 1e-12 || by != ratio {
			t.Errorf("η = %v, want %v", v, want)
		}
	}
	if v, _ := associate(sk, sk); v == v {
		t.Errorf("two categories have %v", v)
	}
}

// mixedTable has a column of every kind and fault.
func mixedTable(t *testing.T, rows int) *table.Table {
	rng := rand.New(rand.NewPCG(1, 2))
	columns := map[string][]float64{}
	add := func(name string, v float64) { columns[name] = append(columns[name], v) }
	for i := range rows {
		v := rng.NormFloat64()
		add("y", math.Exp(v))
		add("x", v+rng.NormFloat64())
		add("twin", columns["x"][i])
		add("leak", 3-2*v)
		add("noise", rng.NormFloat64())
		add("one", 7)
		add("none", nan)
		add("growing", float64(i*i))
		code := math.Trunc(4 / (1 + math.Exp(-v)))
		add("level", code)
		add("also", []float64{2, 0, 3, 1}[int(code)])
	}
	var all []table.Column
	for _, name := range []string{"y", "x", "twin", "leak", "noise", "one", "none", "growing", "level", "also"} {
		c := table.Column{Name: name, Values: columns[name]}
		if name == "level" || name == "also" {
			c.Kind, c.Levels = table.Category, []string{"a", "b", "c", "d"}
		}
		all = append(all, c)
	}
	tab, err := table.New(all...)
	if err != nil {
		t.Fatal(err)
	}
	return tab
}

func TestWarnings(t *testing.T) {
	// More rows than are compared: the sample tells the same.
	for _, rows := range []int{400, 3 * comparedRows} {
		d, err := describe(context.Background(), mixedTable(t, rows), "y", nil)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, w := range d.Warnings {
			got = append(got, w.Column+" "+w.About)
		}
		slices.Sort(got)
		want := []string{"also repeated", "growing identifier", "leak leak", "none empty", "one constant", "twin repeated", "y target"}
		if !slices.Equal(got, want) {
			t.Errorf("%d rows: %q, want %q", rows, got, want)
		}
		if l := d.Correlations.Target[0]; l.Column != "leak" || l.Measure != spearman || l.Value > -0.999 {
			t.Errorf("closest with the target: %+v", l)
		}
		if l := d.Correlations.Pairs[0]; l.Column+l.With != "xtwin" || math.Abs(l.Value-1) > 1e-12 {
			t.Errorf("closest pair: %+v", l)
		}
	}
}

func TestRepeatedRows(t *testing.T) {
	tab, err := table.New(table.Column{Name: "a", Values: []float64{1, 1, 2, 1, nan, nan, math.Copysign(0, -1), 0}},
		table.Column{Name: "b", Values: []float64{5, 5, 5, 6, 1, 1, 3, 3}})
	if err != nil {
		t.Fatal(err)
	}
	if got := repeatedRows(tab); got != 3 {
		t.Errorf("%d rows repeat one", got)
	}
}

// What is said of a target that is no plain number.
func TestTargets(t *testing.T) {
	levels := []string{"no", "yes"}
	var code, count, plain []float64
	for i := range 400 {
		code, count, plain = append(code, float64(i%2)), append(count, float64(i%5)), append(plain, float64(i%100))
	}
	for says, c := range map[string]table.Column{
		"has 2 classes":       {Values: code, Kind: table.Category, Levels: levels},
		"is true or false":    {Values: code, Kind: table.Boolean},
		"is 0 or 1":           {Values: code},
		"is a date-time":      {Values: plain, Kind: table.DateTime},
		"has 5 whole numbers": {Values: count},
		"try --likelihood tweedie, or --target-transform log1p": {Values: mapped(plain, func(v float64) float64 { return math.Expm1(v / 10) })},
		"": {Values: plain},
	} {
		c.Name = "y"
		d, err := describe(context.Background(), must(t, c), "y", nil)
		if err != nil {
			t.Fatal(err)
		}
		if says == "" && len(d.Warnings) > 0 || says != "" && (len(d.Warnings) != 1 || !strings.Contains(d.Warnings[0].Text, says)) {
			t.Errorf("%q: %+v", says, d.Warnings)
		}
	}
}

func must(t *testing.T, c table.Column) *table.Table {
	tab, err := table.New(c)
	if err != nil {
		t.Fatal(err)
	}
	return tab
}

func mapped(values []float64, f func(float64) float64) (out []float64) {
	for _, v := range values {
		out = append(out, f(v))
	}
	return out
}

// A wide table is told of in some lines, all of it on request, and within the width of a terminal.
func TestLayout(t *testing.T) {
	var columns []table.Column
	for j := range 2000 {
		c := table.Column{Name: fmt.Sprintf("a column with quite a long name, %d", j)}
		for i := range 30 {
			c.Values = append(c.Values, float64((i*i*(j+3))%31)*1000.5)
		}
		columns = append(columns, c)
	}
	tab, err := table.New(columns...)
	if err != nil {
		t.Fatal(err)
	}
	d, err := describe(context.Background(), tab, columns[0].Name, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, width := range []int{0, 80, 120} {
		var b strings.Builder
		if err := d.print(&b, width, false); err != nil {
			t.Fatal(err)
		}
		lines := strings.Split(b.String(), "\n")
		if len(lines) > 130 || !strings.Contains(b.String(), "and 1960 more; --all shows them") {
			t.Errorf("width %d: %d lines", width, len(lines))
		}
		for _, line := range lines {
			if n := utf8.RuneCountInString(line); width > 0 && n > width && strings.Contains(line, "5002") {
				t.Errorf("width %d: %d characters: %s", width, n, line)
			}
		}
	}
	var b strings.Builder
	if err := d.print(&b, 80, true); err != nil || strings.Count(b.String(), "quite a long") < 2000 || strings.Contains(b.String(), "--all") {
		t.Errorf("all: %d lines, %v", strings.Count(b.String(), "\n"), err)
	}
}
