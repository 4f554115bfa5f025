package box

import (
	"errors"
	"math"
	"strings"
	"testing"
)

// An offset is a column as it stands, and that of an exposure its logarithm: twice the exposure
// adds log 2, whatever the exposure. What has none is told by the name of what it is.
func TestOffsetOfAColumn(t *testing.T) {
	plain, exposure := OffsetColumn{Column: "c"}, OffsetColumn{Column: "c", Exposure: true}
	for _, v := range []float64{-2, 0, 1e-300, 3} {
		if got, err := plain.Of(v); got != v || err != nil {
			t.Errorf("offset of %g: %g, %v", v, got, err)
		}
	}
	for _, v := range []float64{1e-300, 1, 3} {
		once, err1 := exposure.Of(v)
		twice, err2 := exposure.Of(2 * v)
		if err := errors.Join(err1, err2); err != nil || math.Abs(math.Exp(once)-v) > 1e-12*v || math.Abs(twice-once-math.Ln2) > 1e-12 {
			t.Errorf("exposure %g: offset %g, of twice as much %g; %v", v, once, twice, err)
		}
	}
	for _, c := range []struct {
		of   OffsetColumn
		v    float64
		says string
	}{
		{plain, math.NaN(), "is missing, and it is the offset"}, {exposure, math.NaN(), "is missing, and it is the exposure"},
		{exposure, 0, "is no exposure"}, {exposure, -1, "is no exposure"},
	} {
		var problem *LawError
		if _, err := c.of.Of(c.v); !errors.As(err, &problem) || !strings.Contains(err.Error(), c.says) || problem.Column != "c" {
			t.Errorf("%+v of %g: error %v, want one that it %s", c.of, c.v, err, c.says)
		}
	}
}
