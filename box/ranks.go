package box

import (
	"fmt"
	"math"
	"slices"
	"sort"
)

// MaxKnots is the largest number of knots of an input that maps by ranks: enough
// that a coordinate is off by 1/500 at most, few enough to be stored.
const MaxKnots = 512

// mostKnots allows for those that Widen adds.
const mostKnots = MaxKnots + 2

// RankInput returns the scaling of a column of training values by their empirical
// distribution function: the mid-ranks of the distinct values, stretched to
// [0, 1], and linear in between. Training rows then fill the unit interval evenly
// however skewed the column is. It holds [MaxKnots] knots at most.
func RankInput(name string, values []float64) (Input, error) {
	in, err := FitInput(name, values)
	if err != nil || in.Constant() {
		return in, err
	}
	sorted := slices.DeleteFunc(slices.Clone(values), math.IsNaN)
	slices.Sort(sorted)
	distinct, ranks := midRanks(sorted)
	in.Knots, in.Ranks = thin(distinct, ranks)
	return in, nil
}

// midRanks returns the distinct values of a sorted column and for each the mean
// rank of its rows, stretched so that the first is 0 and the last 1.
func midRanks(sorted []float64) (distinct, ranks []float64) {
	for from := 0; from < len(sorted); {
		to := from + 1
		for to < len(sorted) && sorted[to] == sorted[from] {
			to++
		}
		distinct, ranks = append(distinct, sorted[from]), append(ranks, float64(from+to))
		from = to
	}
	first, last := ranks[0], ranks[len(ranks)-1]
	for i := range ranks {
		ranks[i] = (ranks[i] - first) / (last - first)
	}
	return distinct, ranks
}

// thin keeps MaxKnots knots at most, the first and the last among them: those that
// are the first to reach the next of evenly spaced ranks.
func thin(values, ranks []float64) (keptValues, keptRanks []float64) {
	if len(values) <= MaxKnots {
		return values, ranks
	}
	for i, rank := range ranks {
		if i == len(ranks)-1 || rank*(MaxKnots-1) >= float64(len(keptRanks)) {
			keptValues, keptRanks = append(keptValues, values[i]), append(keptRanks, rank)
		}
	}
	return keptValues, keptRanks
}

// checkRanks returns an error unless knots and ranks ascend from the lower bound
// and 0 to the upper bound and 1.
func (in Input) checkRanks() error {
	n := len(in.Knots)
	if n == 0 && len(in.Ranks) == 0 {
		return nil
	}
	if n < 2 || n > mostKnots || len(in.Ranks) != n ||
		in.Knots[0] != in.Lo || in.Knots[n-1] != in.Hi || in.Ranks[0] != 0 || in.Ranks[n-1] != 1 {
		return fmt.Errorf("column %q: %d knots with %d ranks do not span its bounds", in.Name, n, len(in.Ranks))
	}
	for i := 1; i < n; i++ {
		if !(in.Knots[i-1] < in.Knots[i] && in.Ranks[i-1] < in.Ranks[i]) {
			return fmt.Errorf("column %q: knot %d does not ascend", in.Name, i)
		}
	}
	return nil
}

// A tail is what lies beyond all but tailShare of the rows. It is long where it is longer than longTail of the range of
// the others.
const (
	tailShare = 0.005
	longTail  = 0.25
	// fewValues have no tail: they are counts or codes, and each may tell something of its own.
	fewValues = 64
)

// Unranked returns the linear scaling of an input that maps by ranks.
func (in Input) Unranked() Input {
	in.Knots, in.Ranks = nil, nil
	return in
}

// ShortTailed returns the scaling of an input that maps by ranks which is linear but for long tails: these have the
// coordinates of tails that are just not long. A value far from all others then is not as far from them in what is
// learned, and leaves them room.
func (in Input) ShortTailed() Input {
	if len(in.Knots) <= fewValues {
		return in.Unranked()
	}
	from, to := in.tails()
	most := longTail * (to - from)
	below, above := min(from-in.Lo, most), min(in.Hi-to, most)
	if below == from-in.Lo && above == in.Hi-to {
		return in.Unranked()
	}
	knots, ranks := []float64{in.Lo}, []float64{0}
	whole := below + (to - from) + above
	for _, k := range [][2]float64{{from, below / whole}, {to, 1 - above/whole}, {in.Hi, 1}} {
		if k[0] > knots[len(knots)-1] {
			knots, ranks = append(knots, k[0]), append(ranks, k[1])
		}
	}
	in.Knots, in.Ranks = knots, ranks
	return in
}

// tails returns the knots between which all rows but those of the tails lie.
func (in Input) tails() (from, to float64) {
	first := sort.Search(len(in.Ranks), func(i int) bool { return in.Ranks[i] > tailShare })
	last := sort.SearchFloat64s(in.Ranks, 1-tailShare)
	return in.Knots[first-1], in.Knots[last]
}

// Value returns the value whose coordinate is t, clamped to [0, 1]: the inverse of
// the scaling.
func (in Input) Value(t float64) float64 {
	t = min(max(t, 0), 1)
	if in.Knots == nil {
		return between(t, 0, 1, in.Lo, in.Hi)
	}
	return interpolate(t, in.Ranks, in.Knots)
}

// interpolate returns the piecewise linear function through the points (from[i],
// to[i]), both ascending, at v in [from[0], from[last]].
//
// The search has no branch that depends on v, which no processor could foretell: the sign of
// a difference says which half it goes to.
func interpolate(v float64, from, to []float64) float64 {
	i := 0 // of the last that is at most v
	for n := len(from); n > 1; {
		half := n / 2
		below := int(math.Float64bits(v-from[i+half]) >> 63)
		i += half & (below - 1)
		n -= half
	}
	if from[i] == v {
		return to[i]
	}
	return between(v, from[i], from[i+1], to[i], to[i+1])
}

// between returns the linear function from (a, p) to (b, q) at v.
func between(v, a, b, p, q float64) float64 {
	share := (v - a) / (b - a)
	return p*(1-share) + q*share
}
