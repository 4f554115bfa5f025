package buttress

import (
	"math"
	"testing"
)

// The product with a power of two is what math.Ldexp returns, to the bit, where it is an
// ordinary number, where it is below the normal numbers and where it is too large.
func TestTimesPower(t *testing.T) {
	values := []float64{0, math.Copysign(0, -1), 1, -1.5, math.Pi, math.MaxFloat32, math.SmallestNonzeroFloat32, math.SmallestNonzeroFloat64,
		math.Nextafter(1, 2), -math.MaxFloat64, math.Inf(1), math.Inf(-1)}
	for power := -2200; power <= 2200; power++ {
		for _, v := range values {
			if got, want := timesPower(v, power), math.Ldexp(v, power); math.Float64bits(got) != math.Float64bits(want) {
				t.Fatalf("%g times 2^%d is %g, want %g", v, power, got, want)
			}
		}
	}
}
