package predictive

import (
	"encoding/json"
	"math"
	"testing"

	"beziergp/internal/testkit"
)

var ranges = []Range{{0, math.Inf(1)}, {math.Inf(-1), 0.5}, {0.1, 0.2}, {-0.5, 2}, {1.5, 6}, {math.Inf(-1), math.Inf(1)}}

// A distribution in a range is the free one under the condition that the target lies
// there: quantiles, moments and CRPS are those of the free one's quantiles within.
func TestARangeIsACondition(t *testing.T) {
	for name, free := range distributions(t) {
		for _, r := range ranges {
			t.Run(name+" in "+r.String(), func(t *testing.T) {
				d := free
				d.Range = &r
				lo, hi := free.CDF(r.Lo), free.CDF(r.Hi)
				const n = 5000
				var first, second, score float64
				y := r.Clamp(0.3)
				for i := range n {
					q := (float64(i) + 0.5) / n
					x := free.Quantile(lo + q*(hi-lo))
					first, second = first+x/n, second+x*x/n
					if y <= x {
						score += 2 * (1 - q) * (x - y) / n
					} else {
						score += 2 * q * (y - x) / n
					}
					if i%250 == 0 {
						own := d.Quantile(q)
						testkit.Close(t, "quantile", own, x, 1e-9, 1e-9)
						testkit.Close(t, "F(Q(q))", d.CDF(own), q, 1e-7, 1e-7)
						testkit.Close(t, "density", d.LogDensity(own), free.LogDensity(own)-math.Log(hi-lo), 1e-12, 1e-12)
					}
				}
				mean, std := d.Moments()
				testkit.Close(t, "mean", mean, first, 5e-3, 5e-3)
				if d.Family.Tails() != 3 || !math.IsInf(r.Hi-r.Lo, 1) {
					testkit.Close(t, "deviation", std, math.Sqrt(second-first*first), 3e-2, 1e-3)
				}
				testkit.Close(t, "CRPS", d.CRPS(y), score, 3e-2, 1e-3)
				if !r.Contains(mean) || !r.Contains(d.Quantile(1e-9)) || !r.Contains(d.Quantile(1-1e-9)) {
					t.Errorf("mean %g, quantiles %g and %g", mean, d.Quantile(1e-9), d.Quantile(1-1e-9))
				}
				if v := r.Lo - 0.1; !math.IsInf(v, 0) && (d.CDF(v) != 0 || !math.IsInf(d.LogDensity(v), -1)) {
					t.Errorf("F(%g) is %g", v, d.CDF(v))
				}
				if v := r.Hi + 0.1; !math.IsInf(v, 0) && (d.CDF(v) != 1 || !math.IsInf(d.LogDensity(v), -1)) {
					t.Errorf("F(%g) is %g", v, d.CDF(v))
				}
			})
		}
	}
}

// A normal distribution restricted to the numbers above its mean is half normal.
func TestHalfNormal(t *testing.T) {
	d := Distribution{Location: 0, Scale: 2, Range: &Range{0, math.Inf(1)}}
	mean, std := d.Moments()
	testkit.Close(t, "mean", mean, 2*math.Sqrt(2/math.Pi), 1e-3, 0)
	testkit.Close(t, "deviation", std, 2*math.Sqrt(1-2/math.Pi), 2e-3, 0)
	testkit.Close(t, "median", d.Quantile(0.5), 2*0.6744897501960817, 1e-9, 0)
	testkit.Close(t, "log density", d.LogDensity(1), -0.125+math.Log(2/2.0)-0.9189385332046727, 1e-9, 0)
}

// Where the range is out of a distribution's reach, its nearer end is certain.
func TestARangeOutOfReach(t *testing.T) {
	for name, d := range distributions(t) {
		d.Location, d.Scale, d.Range = 2, 1e-9, &Range{10, 11}
		mean, std := d.Moments()
		testkit.Close(t, name+", mean", mean, 10, 1e-12, 0)
		testkit.Close(t, name+", quantile", d.Quantile(0.9), 10, 1e-12, 0)
		testkit.Close(t, name+", CRPS", d.CRPS(10.5), 0.5, 1e-9, 0)
		if std != 0 {
			t.Errorf("%s: deviation %g", name, std)
		}
	}
}

func TestRangesAsText(t *testing.T) {
	for text, want := range map[string]Range{
		"0:": {0, math.Inf(1)}, ":5": {math.Inf(-1), 5}, "-1.5:2e3": {-1.5, 2000}, ":": {math.Inf(-1), math.Inf(1)}, " 0 : 1 ": {0, 1},
	} {
		r, err := ParseRange(text)
		if err != nil || r != want {
			t.Errorf("%q is %+v, %v", text, r, err)
		}
		var again Range
		written, err := json.Marshal(r)
		if err == nil {
			err = json.Unmarshal(written, &again)
		}
		if err != nil || again != r {
			t.Errorf("%s read as %+v, %v", written, again, err)
		}
	}
	for _, text := range []string{"", "3", "1:0", "0:0", "a:1", "0:NaN", "0:Inf", "1:2:3"} {
		if r, err := ParseRange(text); err == nil {
			t.Errorf("%q read as %v", text, r)
		}
	}
}
