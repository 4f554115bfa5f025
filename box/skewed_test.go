package box

import (
	"math"
	"math/rand/v2"
	"reflect"
	"testing"
)

// A skewed input has a logarithmic scaling from the side of the many, and others are linear but for long tails.
func TestUnskewed(t *testing.T) {
	drawn := func(draw func(rng *rand.Rand) float64) Input {
		rng, rows := rand.New(rand.NewPCG(1, 2)), make([]float64, 4000)
		for i := range rows {
			rows[i] = draw(rng)
		}
		in, err := RankInput("x", rows)
		if err != nil {
			t.Fatal(err)
		}
		return in
	}
	logNormal := func(rng *rand.Rand) float64 { return math.Exp(1.5 * rng.NormFloat64()) }
	for name, c := range map[string]struct {
		in     Input
		skewed bool
	}{
		"even":         {drawn((*rand.Rand).Float64), false},
		"normal":       {drawn((*rand.Rand).NormFloat64), false},
		"Cauchy":       {drawn(func(rng *rand.Rand) float64 { return rng.NormFloat64() / rng.NormFloat64() }), false},
		"log-normal":   {drawn(logNormal), true},
		"mostly zeros": {drawn(func(rng *rand.Rand) float64 { return max(0, logNormal(rng)-2) }), true},
		"below":        {drawn(func(rng *rand.Rand) float64 { return -logNormal(rng) }), true},
		"some below":   {drawn(func(rng *rand.Rand) float64 { return max(logNormal(rng), 0.05) - 0.06*float64(rng.IntN(50)/49) }), true},
		"both signs":   {drawn(func(rng *rand.Rand) float64 { return logNormal(rng) - 0.5 }), false},
		"from above":   {drawn(func(rng *rand.Rand) float64 { return 1000 - logNormal(rng) }), false},
		"close":        {drawn(func(rng *rand.Rand) float64 { return 1e15 + math.Floor(logNormal(rng)) }), false},
		"few values":   {drawn(func(rng *rand.Rand) float64 { return math.Floor(min(logNormal(rng), 50)) }), false},
	} {
		in := c.in.Unskewed()
		if err := in.Check(); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if !c.skewed {
			if !reflect.DeepEqual(in, c.in.ShortTailed()) {
				t.Errorf("%s: %+v", name, in)
			}
			continue
		}
		if in.Lo != c.in.Lo || in.Hi != c.in.Hi {
			t.Errorf("%s: from %g to %g", name, in.Lo, in.Hi)
		}
		// Twice as far from the many is as much further on, wherever that is far from them.
		o, end := in.Lo, in.Hi
		if name == "below" {
			o, end = in.Hi, in.Lo
		}
		at := func(times float64) float64 { return float64(in.Coordinate(o + (end-o)*times)) }
		if a, b := at(1)-at(0.5), at(0.5)-at(0.25); math.Abs(a-b) > 0.1*math.Abs(a) || math.Abs(a) < 0.03 {
			t.Errorf("%s: half of the range is %g of the coordinate, half of that %g", name, a, b)
		}
	}
}
