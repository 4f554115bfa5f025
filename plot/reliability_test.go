package plot

import "testing"

// There is a picture of any rows, and none of no rows.
func TestReliabilityOfFewAndMany(t *testing.T) {
	r := Reliability{Event: "y"}
	if _, err := r.Draw(); err == nil {
		t.Error("a picture of no rows")
	}
	for i := range 1000 {
		r.Add(float64(i%101)/100, i%3 == 0)
		if i > 1 && i < 999 {
			continue
		}
		if _, err := r.Draw(); err != nil {
			t.Errorf("%d rows: %v", i+1, err)
		}
	}
}
