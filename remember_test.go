package beziergp_test

import (
	"bytes"
	"context"
	"reflect"
	"testing"

	"beziergp"
	"beziergp/rival"
	"beziergp/rival/method/linear"
	"beziergp/train/paper"
)

// Whatever learns, from memory or from disk, remembers the same rows, and so does its
// file.
func TestModelsRememberTheirRows(t *testing.T) {
	tab := people(t, 300)
	y, _ := tab.Column("y")
	known := 0
	for _, v := range y {
		if v == v {
			known++
		}
	}
	ctx, o := context.Background(), beziergp.Options{Recipe: paper.Recipe{Order: 2, Steps: 3, Orderings: 1}, Split: "holdout 0.1"}
	m, err := beziergp.Fit(ctx, tab, "y", o)
	if err != nil {
		t.Fatal(err)
	}
	want := m.Seen()
	if want.Trained != known || known == 300 || want.Split != o.Split || len(want.Sums) != known {
		t.Errorf("%d hashes of %d rows, split %q; %d of 300 rows have a target", len(want.Sums), want.Trained, want.Split, known)
	}
	fromDisk, err := beziergp.FitCache(ctx, cacheOf(t, tab, "y"), "y", o)
	if err != nil {
		t.Fatal(err)
	}
	other, err := beziergp.FitRival(ctx, tab, "y", linear.Method{}, beziergp.RivalOptions{Split: o.Split})
	if err != nil {
		t.Fatal(err)
	}
	var rivals bytes.Buffer
	if err := other.Write(&rivals); err != nil {
		t.Fatal(err)
	}
	read := reread(t, m)
	readRival, err := rival.Read(&rivals)
	if err != nil {
		t.Fatal(err)
	}
	for what, got := range map[string]any{"a cache": fromDisk.Seen(), "a rival": other.Seen(), "a file": read.Seen(), "a rival's file": readRival.Seen()} {
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s remembers other rows", what)
		}
	}
	looks := m.Profile()
	if looks.Rows() != known || looks.Check(m.Inputs(), 1) != nil {
		t.Errorf("a profile of %d rows", looks.Rows())
	}
	for what, got := range map[string]any{"a cache": fromDisk.Profile(), "a rival": other.Profile(), "a file": read.Profile(), "a rival's file": readRival.Profile()} {
		if !reflect.DeepEqual(got, looks) {
			t.Errorf("%s has another profile", what)
		}
	}
}
