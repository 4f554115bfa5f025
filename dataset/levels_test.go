package dataset_test

import (
	"context"
	"fmt"
	"math"
	"slices"
	"testing"

	"beziergp/box"
	"beziergp/dataset"
	"beziergp/table"
)

// A set tells the levels of categories of which many share a node, with the coordinates of its rows by them, and what it says of
// its rows with those in the place of the others. It is the same in memory and out of core.
func TestLevelsThatShareANode(t *testing.T) {
	const names = 300
	levels, at := make([]string, names), map[string]float64{}
	var name, few, y []float64
	for v := range names {
		levels[v] = fmt.Sprintf("n%d", v*7%names)
		for range 3 + v%3 {
			name, few, y = append(name, float64(v)), append(few, float64(len(y)%2)), append(y, float64(len(y)))
		}
	}
	name[0] = math.NaN()
	tab, err := table.New(
		table.Column{Name: "few", Values: few, Kind: table.Category, Levels: []string{"a", "b"}},
		table.Column{Name: "name", Values: name, Kind: table.Category, Levels: levels}, table.Column{Name: "y", Values: y},
	)
	if err != nil {
		t.Fatal(err)
	}
	o := dataset.Options{Targets: []box.Target{{Name: "y"}}, Inputs: []string{"few", "name"}}
	memory, err := dataset.FromTable(tab, o)
	if err != nil {
		t.Fatal(err)
	}
	disk, err := dataset.FromCache(context.Background(), cache(t, tab, "", "y"), o)
	if err != nil {
		t.Fatal(err)
	}
	if all, err := memory.Levels(201); err != nil || all != nil {
		t.Errorf("levels of which 201 share a node: %+v, %v", all, err)
	}
	for where, s := range map[string]*dataset.Set{"memory": memory, "cache": disk} {
		all, err := s.Levels(20)
		if err != nil || len(all) != 1 || all[0].Input != 1 || len(s.Inputs[1].Levels) != 100 {
			t.Fatalf("%s: %+v, %v", where, all, err)
		}
		of := all[0].All.Field()
		for node, level := range of.Levels {
			at[level] = float64(node)
		}
		codes, err := s.Codes(all, 2)
		if err != nil || len(codes) != len(name) || len(at) != 100 || all[0].All.Nodes() != names {
			t.Fatalf("%s: %d coordinates by %d levels, %v", where, len(codes), len(at), err)
		}
		for row, code := range codes[1:] {
			want, known := at[levels[int(name[row+1])]]
			if !known {
				want = float64(of.Further(levels[int(name[row+1])]))
			}
			if float64(code) != want || want == names {
				t.Fatalf("%s: row %d has level %g, want %g", where, row+1, code, want)
			}
		}
		if codes[0] == codes[0] {
			t.Errorf("%s: a row without a level has %g", where, codes[0])
		}
		with := s.With(all)
		if d, err := s.Only(context.Background(), with, ""); err != nil || d.Inputs[1].Nodes() != names || d.LeftOut != 0 || d.Profile.Check(with, 1) != nil {
			t.Errorf("%s: %v: %d levels, %v", where, err, d.Inputs[1].Nodes(), d.Profile.Check(with, 1))
		}
		if len(s.Inputs[1].Levels) != 100 || !slices.Equal(with[1].Levels[:100], s.Inputs[1].Levels) {
			t.Errorf("%s: the set has other levels than before", where)
		}
	}
}
