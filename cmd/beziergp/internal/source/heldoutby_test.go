package source

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func written(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "t.csv")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// The value of a group alone decides, be it a number or a text and whatever else the file
// holds, so that files agree; the share is that of the groups.
func TestGroupsAreHeldOutByValue(t *testing.T) {
	o := Options{Holdout: 0.3, Group: "g"}
	held := map[string]bool{}
	number, text := "g,x\n", "x,g\n9,zz\n"
	for i := range 2000 {
		number += fmt.Sprintf("%d,1\n%d.0,2\n", i, i)
		text = text + fmt.Sprintf("3,%d\n", 1999-i)
	}
	mask, err := o.heldOutBy(t.Context(), written(t, number))
	if err != nil {
		t.Fatal(err)
	}
	count := 0
	for i := range 2000 {
		if mask[2*i] != mask[2*i+1] {
			t.Fatalf("%d and %d.0 are on two sides", i, i)
		}
		if held[fmt.Sprint(i)] = mask[2*i]; mask[2*i] {
			count++
		}
	}
	if math.Abs(float64(count)-600) > 5*math.Sqrt(2000*0.3*0.7) {
		t.Errorf("%d of 2000 groups are held out", count)
	}
	other, err := o.heldOutBy(t.Context(), written(t, text))
	if err != nil {
		t.Fatal(err)
	}
	for i, is := range other[1:] {
		if is != held[fmt.Sprint(1999-i)] {
			t.Fatalf("group %d is on the other side in a table with texts", 1999-i)
		}
	}
}

// Of n rows the last share in time is held out, rows of one time together.
func TestLastRowsAreHeldOut(t *testing.T) {
	for _, c := range []struct {
		times []float64
		share float64
		want  []bool
	}{
		{[]float64{3, 1, 2, 5, 4}, 0.4, []bool{false, false, false, true, true}},
		{[]float64{3, 1, 2, 3, 0}, 0.2, []bool{true, false, false, true, false}},
		{[]float64{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}, 0.01, []bool{false, false, false, false, false, false, false, false, false, true}},
		{[]float64{1, 1, 1, 2}, 0.5, nil},
	} {
		if mask, err := last(c.times, c.share); !slices.Equal(mask, c.want) || (err != nil) != (c.want == nil) {
			t.Errorf("%v of %v: %v, %v", c.share, c.times, mask, err)
		}
	}
}

func TestWhatHoldsNothingOut(t *testing.T) {
	for text, says := range map[string]string{
		"g,x\n1,2\n,3\n4,5\n":  `row 2 (line 3), column "g": the value is missing`,
		"g,x\na,2\nb,3\nc,5\n": `column "g": it holds texts, which have no order in time`,
		"g,x\n1,2\n1,3\n1,5\n": `leaves no row before it`,
		"h,x\n1,2\n":           `column "g": there is no such column`,
	} {
		if _, err := (Options{Holdout: 0.5, Time: "g"}).heldOutBy(t.Context(), written(t, text)); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%q: %v", text, err)
		}
	}
}
