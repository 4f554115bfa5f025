package table

import (
	"fmt"
	"slices"
	"testing"
)

func TestFingerprints(t *testing.T) {
	var persons []string
	for i := range 300 {
		persons = append(persons, fmt.Sprint("person ", i))
	}
	f := NewFingerprints("name", []string{"many"}, persons)
	if err := f.Check(); err != nil || f.Len() != 300 {
		t.Fatalf("%d fingerprints: %v", f.Len(), err)
	}
	for _, person := range persons {
		if !f.Has(person) {
			t.Errorf("%s is not known", person)
		}
	}
	for _, other := range []string{"many", "", "person 300", "person 1 ", "Person 1"} {
		if f.Has(other) {
			t.Errorf("%q is known", other)
		}
	}
	// Equal columns have equal ones, in whatever order; others have others.
	if !f.equal(NewFingerprints("name", []string{"many"}, persons)) {
		t.Error("they are different the second time")
	}
	for _, other := range []*Fingerprints{
		NewFingerprints("names", []string{"many"}, persons), NewFingerprints("name", []string{"man", "y"}, persons),
		NewFingerprints("name", nil, persons), NewFingerprints("name", []string{"many"}, persons[1:]),
	} {
		if other.Key == f.Key || slices.Contains(f.Sums, other.Sums[17]) {
			t.Error("another column has these fingerprints")
		}
	}
	var none *Fingerprints
	if none.Has("") || none.Len() != 0 {
		t.Error("nothing knows something")
	}
	for name, bad := range map[string]*Fingerprints{
		"none": {}, "twice": {Sums: []uint64{1, 1}}, "out of order": {Sums: []uint64{2, 1}}, "too long": {Sums: []uint64{1 << FingerprintBits}},
	} {
		if bad.Check() == nil {
			t.Errorf("%s: accepted", name)
		}
	}
}

// Levels that are known by their fingerprints have one number together, whatever the
// column holds.
func TestPooledLevels(t *testing.T) {
	to := Field{Name: "c", Kind: Category, Levels: []string{"a", "7", "true"}, Pooled: NewFingerprints("c", nil, []string{"x", "8", "false"})}
	for name, c := range map[string]struct {
		column Column
		want   []float64
	}{
		"texts":    {Column{Kind: Category, Levels: []string{"x", "a", "new"}, Values: []float64{0, 1, 2, 3}}, []float64{3, 0, 4, 4}},
		"numbers":  {Column{Values: []float64{7, 8, 9, 8}}, []float64{1, 3, 4, 3}},
		"booleans": {Column{Kind: Boolean, Values: []float64{1, 0}}, []float64{2, 3}},
		"the same": {NewColumn(to, []float64{0, 3, 4, 2}), []float64{0, 3, 4, 2}},
		// Nobody knows which of their levels are the same.
		"others": {Column{Kind: Category, Levels: []string{"a"}, Pooled: NewFingerprints("d", nil, []string{"x"}), Values: []float64{0, 1, 2}}, []float64{0, 4, 4}},
	} {
		got, err := c.column.As(to)
		if err != nil || !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, %v, want %v", name, got, err, c.want)
		}
	}
	if to.Problem(4) != "" || to.Problem(5) == "" {
		t.Error("a category has the numbers 0 to 4")
	}
	truths := Column{Kind: Category, Levels: []string{"true"}, Pooled: NewFingerprints("c", nil, []string{"false"}), Values: []float64{0, 1}}
	if _, err := truths.As(Field{Kind: Boolean}); err == nil {
		t.Error("a level without a name is a truth")
	}
}
