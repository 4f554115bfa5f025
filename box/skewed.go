package box

import (
	"math"
	"slices"
)

// An input is skewed where the values of the upper half, but for a fortieth of the rows, lie so many times as far from the median
// as those of the lower half: exponential and log-normal ones are, of a deviation of the logarithm from 0.7 on. But for a fortieth
// none may be below zero, for a power or a logarithm is one of an amount, and what has both signs, as a standardised column or a debt, is none. Of
// values below zero it is the other way round.
const (
	timesSkewed = 4
	skewShare   = 0.025
)

// Unskewed returns the scaling of an input that maps by ranks which is linear, but for long tails ([Input.ShortTailed]), or logarithmic where
// the input is skewed: with o the bound on the side of the many and s where a quarter of the rows ends,
//
//	t = log(1 + (x − o)/s) / log(1 + (Hi − o)/s)
//
// as points that are joined by lines.
func (in Input) Unskewed() Input {
	if len(in.Knots) <= fewValues {
		return in.Unranked()
	}
	lower, median, upper := in.Value(skewShare), in.Value(0.5), in.Value(1-skewShare)
	switch {
	case lower >= 0 && upper-median > timesSkewed*(median-lower):
		return in.logarithmic(func(t float64) float64 { return t })
	case upper <= 0 && median-lower > timesSkewed*(upper-median):
		return in.logarithmic(func(t float64) float64 { return 1 - t })
	}
	return in.ShortTailed()
}

// logarithmic returns the logarithmic scaling by ranks from the side on which most rows are.
func (in Input) logarithmic(rank func(share float64) float64) Input {
	const points = 64
	o, end, s := in.Value(rank(0)), in.Value(rank(1)), 0.0
	for _, share := range []float64{0.25, 0.5, 0.75, 0.9, 1 - skewShare, 1} { // half of the rows may lie at the bound
		if s = math.Abs(in.Value(rank(share)) - o); s > 0 {
			break
		}
	}
	length := math.Log1p(math.Abs(end-o) / s)
	knots, ranks := []float64{}, []float64{}
	for k := range points {
		share := float64(k) / (points - 1)
		v := o + math.Copysign(s*math.Expm1(share*length), end-o)
		if k == points-1 {
			v = end
		}
		if k > 0 && v == knots[k-1] {
			return in.ShortTailed() // the values lie closer than numbers do
		}
		knots, ranks = append(knots, v), append(ranks, rank(share))
	}
	if end < o {
		slices.Reverse(knots)
		slices.Reverse(ranks)
	}
	in.Knots, in.Ranks = knots, ranks
	if in.Check() != nil {
		return in.ShortTailed()
	}
	return in
}
