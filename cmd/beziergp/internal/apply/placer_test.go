package apply

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"beziergp/table/exact"
)

// placed returns how many cells each group has, as the groups are ordered.
func placed(p *placer, c *exact.Column) []string {
	p.take(c)
	p.look()
	p.settle()
	counts := map[group]int{}
	var order []group
	for i := range c.Len() {
		where := p.of(i)
		if counts[where]++; counts[where] == 1 {
			order = append(order, where)
		}
	}
	slices.SortFunc(order, func(a, b group) int { return a.at - b.at })
	var out []string
	for _, where := range order {
		out = append(out, fmt.Sprintf("%s: %d", where.name, counts[where]))
	}
	return out
}

func TestGroupsOfNumbers(t *testing.T) {
	few := exact.Integers([]int64{10, 2, 2, -1, 10})
	if got := placed(&placer{}, few); !slices.Equal(got, []string{"-1: 1", "2: 2", "10: 2"}) {
		t.Errorf("few numbers: %q", got)
	}
	if got := placed(&placer{levels: true}, few); len(got) != 3 || !slices.Contains(got, "10: 2") {
		t.Errorf("levels that are numbers: %q", got)
	}
	// Fifths of many, be they in whatever order; an edge begins a part.
	values := make([]float64, 1000)
	for i := range values {
		values[i] = float64(i)
	}
	rand.New(rand.NewPCG(1, 1)).Shuffle(len(values), func(i, j int) { values[i], values[j] = values[j], values[i] })
	want := []string{"below 200: 200", "200 to 400: 200", "400 to 600: 200", "600 to 800: 200", "from 800: 200"}
	if got := placed(&placer{}, exact.Numbers(values)); !slices.Equal(got, want) {
		t.Errorf("many numbers: %q", got)
	}
	// A value that most rows have is in one part.
	for i := range 700 {
		values[i] = 0
	}
	if got := placed(&placer{}, exact.Numbers(values)); len(got) != 2 || got[0] == "" || got[0][:2] != "0 " {
		t.Errorf("mostly zeros: %q", got)
	}
}

// Days, months or years, by the time that there is between the first and the last.
func TestGroupsOfTimes(t *testing.T) {
	for days, want := range map[int]string{40: "2024-01-31", 400: "2024-01", 4000: "2024"} {
		c := &exact.Column{Kind: exact.Kind{Type: exact.Date}}
		first := time.Date(2024, 1, 31, 0, 0, 0, 0, time.UTC).Unix() / 86400
		c.AddInteger(first, false)
		c.AddInteger(0, true)
		c.AddInteger(first+int64(days), false)
		got := placed(&placer{}, c)
		if len(got) != 3 || got[0] != want+": 1" || got[2] != "(missing): 1" {
			t.Errorf("over %d days: %q", days, got)
		}
	}
}
