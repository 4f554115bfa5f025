package alike

import (
	"math"
	"math/rand/v2"
	"testing"

	"beziergp/table"
)

// made returns a table of a column and a target that is half of what the column's value
// tells and half noise, in shares of the variance.
func made(t *testing.T, kind table.Kind, n int, share float64, value func(i int) float64, tells func(v float64) float64) *table.Table {
	t.Helper()
	rng := rand.New(rand.NewPCG(1, 1))
	var levels []string
	values, y := make([]float64, n), make([]float64, n)
	for i := range values {
		values[i] = value(i)
		y[i] = math.Sqrt(share)*tells(values[i]) + math.Sqrt(1-share)*rng.NormFloat64()
	}
	if kind == table.Category {
		for i := range 100 {
			levels = append(levels, string([]rune{'a' + rune(i/10), 'a' + rune(i%10)}))
		}
	}
	out, err := table.New(table.Column{Name: "key", Kind: kind, Levels: levels, Values: values}, table.Column{Name: "y", Values: y})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// by draws a number of deviation 1 for every value.
func by(v float64) float64 { return rand.New(rand.NewPCG(uint64(v), 7)).NormFloat64() }

// slowly is a wave of deviation 1.
func slowly(v float64) float64 { return math.Sqrt2 * math.Sin(v/100) }

func TestFind(t *testing.T) {
	hundred := func(i int) float64 { return float64(i % 100) }
	for name, c := range map[string]struct {
		table *table.Table
		flag  string // empty for nothing
		share float64
	}{
		"a key of texts":              {made(t, table.Category, 5000, 0.8, hundred, by), "group", 0.8},
		"texts that tell little":      {made(t, table.Category, 5000, 0.3, hundred, by), "", 0},
		"few texts that tell much":    {made(t, table.Category, 5000, 0.8, func(i int) float64 { return float64(i % 5) }, by), "", 0},
		"a key of numbers":            {made(t, table.Numeric, 5000, 0.8, func(i int) float64 { return float64(7919 * (i % 100)) }, by), "group", 0.8},
		"a key that no row shares":    {made(t, table.Numeric, 5000, 0.8, func(i int) float64 { return float64(7919 * i) }, by), "", 0},
		"a number that tells much":    {made(t, table.Numeric, 5000, 0.8, func(i int) float64 { return float64(i%1000) + 0.5 }, slowly), "", 0},
		"a number of whole steps":     {made(t, table.Numeric, 5000, 0.8, func(i int) float64 { return float64(3 * (i % 1000)) }, slowly), "", 0},
		"a count":                     {made(t, table.Numeric, 5000, 0.8, func(i int) float64 { return float64(1 + i%1000) }, slowly), "time", 0.8},
		"a short count":               {made(t, table.Numeric, 5000, 0.8, func(i int) float64 { return float64(i % 60) }, slowly), "", 0},
		"dates":                       {made(t, table.DateTime, 5000, 0.8, func(i int) float64 { return float64(i * 86400) }, func(v float64) float64 { return slowly(v / 86400) }), "time", 0.8},
		"dates that tell little":      {made(t, table.DateTime, 5000, 0.3, func(i int) float64 { return float64(i * 86400) }, func(v float64) float64 { return slowly(v / 86400) }), "", 0},
		"truth values":                {made(t, table.Boolean, 5000, 0.9, func(i int) float64 { return float64(i % 2) }, by), "", 0},
		"values that are all missing": {made(t, table.Numeric, 500, 0, func(int) float64 { return math.NaN() }, func(float64) float64 { return 0 }), "", 0},
	} {
		found := Find(c.table, "y")
		switch {
		case c.flag == "" && len(found) > 0:
			t.Errorf("%s: %+v", name, found)
		case c.flag != "" && (len(found) != 1 || found[0].Flag != c.flag || math.Abs(found[0].Share-c.share) > 0.1):
			t.Errorf("%s: %+v, want --%s and a share of %g", name, found, c.flag, c.share)
		}
	}
}

// Rows stand side by side for other reasons, and one far target decides nothing.
func TestFindPassesOverOtherReasons(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 2))
	var rows, far []float64
	for i := range 5000 {
		rows = append(rows, slowly(float64(i)))
		far = append(far, rng.NormFloat64())
	}
	far[17] = 1e9
	key, count := make([]float64, 5000), make([]float64, 5000)
	for i := range key {
		key[i], count[i] = float64(7919*rng.IntN(100)), float64(i)
	}
	for name, y := range map[string][]float64{"key": rows, "count": far} {
		values := map[string][]float64{"key": key, "count": count}[name]
		tab, err := table.New(table.Column{Name: name, Values: values}, table.Column{Name: "y", Values: y})
		if err != nil {
			t.Fatal(err)
		}
		if found := Find(tab, "y"); len(found) > 0 {
			t.Errorf("%s: %+v", name, found)
		}
	}
}
