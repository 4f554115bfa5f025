package dataset_test

import (
	"context"
	"math"
	"reflect"
	"slices"
	"testing"

	"beziergp/box"
	"beziergp/dataset"
	"beziergp/table"
)

// An input tells where a column lacks a value, if that is asked for, but where an earlier column lacks its own in the same rows. In
// memory and out of core it is the same one.
func TestAbsentInputs(t *testing.T) {
	tab := mixed(t)
	var columns []table.Column
	for _, name := range tab.Names() {
		f, _ := tab.Field(name)
		values, _ := tab.Column(name)
		columns = append(columns, table.NewColumn(f, values))
	}
	alike := column("alike", slices.Clone(columns[0].Values)...)
	for i, v := range alike.Values {
		if !math.IsNaN(v) {
			alike.Values[i] = float64(i % 7)
		}
	}
	tab = mustTable(t, append(columns, alike)...)
	for _, absent := range []bool{false, true} {
		o := dataset.Options{Targets: targets("y"), Exclude: []string{"z", "w"}, Absent: absent}
		memory, err := dataset.FromTable(tab, o)
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, in := range memory.Inputs {
			if in.Part == box.Absent {
				names = append(names, in.Name)
			}
		}
		want := []string{"x.missing", "at.missing"}
		if !absent {
			want = nil
		}
		if !slices.Equal(names, want) {
			t.Errorf("absent %t: inputs %q, want %q", absent, names, want)
		}
		disk, err := dataset.FromCache(context.Background(), cache(t, tab, "", "y"), o)
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(memory.Inputs, disk.Inputs) {
			t.Errorf("absent %t: in memory %+v, out of core %+v", absent, memory.Inputs, disk.Inputs)
		}
		if !absent {
			continue
		}
		values := slices.DeleteFunc(slices.Clone(memory.Inputs), func(in box.Input) bool { return in.Part == box.Absent })
		if d, err := memory.Only(context.Background(), values[1:], ""); err != nil || d.LeftOut != 1 || len(d.Inputs) != len(values)-1 {
			t.Errorf("%v: of %d inputs %d are left out of a set without one of them", err, len(d.Inputs), d.LeftOut)
		}
	}
}
