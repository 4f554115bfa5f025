package beziergp

import (
	"context"
	"errors"
	"testing"

	"beziergp/box"
	"beziergp/dataset"
	"beziergp/table"
)

// A training set may have several targets; that Fit learns one is said as an option's fault.
func TestSeveralTargetsAreRefused(t *testing.T) {
	tab, err := NewTable(table.ColumnOf("x", []int{1, 2, 3}), table.ColumnOf("y", []int{2, 3, 1}), table.ColumnOf("z", []int{1, 3, 2}))
	if err != nil {
		t.Fatal(err)
	}
	s, err := dataset.FromTable(tab, dataset.Options{Targets: []box.Target{{Name: "y"}, {Name: "z"}}})
	if err != nil {
		t.Fatal(err)
	}
	o, err := Options{}.withDefaults()
	if err != nil {
		t.Fatal(err)
	}
	m, err := o.fit(context.Background(), s, nil)
	var option *OptionError
	if m != nil || !errors.As(err, &option) || option.Option != "target" {
		t.Errorf("model %v, error %v", m, err)
	}
}
