package likelihood

import (
	"fmt"
	"math"
	"slices"
)

// Ordinal is one of K ordered levels, coded 0 … K − 1, by the ordered logit model of cut points c:
//
//	P(y ≤ k | f) = 1/(1 + e^(f − c_k)), k = 0 … K − 2
//
// Its parameters are the first cut point and the distances between neighbours, so that any within
// their bounds are in order.
type Ordinal struct{ cuts []float64 }

var _ Scalar = Ordinal{}

// MostLevels is how many an [Ordinal] can have.
const MostLevels = 1000

// NewOrdinal returns the law of that many levels, all as probable at f = 0. It fails for
// fewer than 2.
func NewOrdinal(levels int) (Ordinal, error) {
	if levels < 2 || levels > MostLevels {
		return Ordinal{}, fmt.Errorf("%d levels: an ordinal target has from 2 to %d", levels, MostLevels)
	}
	return equalLevels(levels), nil
}

func equalLevels(levels int) (l Ordinal) {
	for k := 1; k < levels; k++ {
		l.cuts = append(l.cuts, logit(float64(k)/float64(levels)))
	}
	return l
}

// sized returns the law with as many levels as the largest of the values asks for.
func (Ordinal) sized(values Values) (Ordinal, error) {
	levels := 2.0
	err := values(func(part []float64) error {
		for _, v := range part {
			levels = max(levels, v+1) // what is no level is refused afterwards, with its row
		}
		return nil
	})
	if err == nil && !(levels <= MostLevels) {
		err = fmt.Errorf("the largest level is %g: an ordinal target has levels from 0 to at most %d; choose another likelihood", levels-1, MostLevels-1)
	}
	if err != nil {
		return Ordinal{}, err
	}
	return NewOrdinal(int(levels))
}

// Name returns "ordinal".
func (Ordinal) Name() string { return "ordinal" }

// Cuts returns the cut points in order.
func (l Ordinal) Cuts() []float64 { return slices.Clone(l.cuts) }

// Parameters returns the first cut point and the distances of the others from those before.
func (l Ordinal) Parameters() []Parameter {
	p := []Parameter{{"cut-1", l.cuts[0], -50, 50, false}}
	for k, c := range l.cuts[1:] {
		p = append(p, Parameter{fmt.Sprintf("gap-%d", k+2), c - l.cuts[k], 1e-6, 100, true})
	}
	return p
}

// With returns the law with other cut points: of as many levels as there are values, and
// one more.
func (l Ordinal) With(values []float64) (Scalar, error) {
	if len(values) != len(l.cuts) {
		other, err := NewOrdinal(len(values) + 1)
		if err != nil {
			return l, err
		}
		return other.With(values)
	}
	if err := checkValues(l, values); err != nil {
		return l, err
	}
	cuts := slices.Clone(values)
	for k := range cuts[1:] {
		cuts[k+1] += cuts[k]
	}
	return Ordinal{cuts}, nil
}

// Check wants the number of a level.
func (l Ordinal) Check(y float64) error {
	if !(y >= 0 && y <= float64(len(l.cuts))) || y != math.Floor(y) {
		return fmt.Errorf("%g: levels are the whole numbers from 0 to %d", y, len(l.cuts))
	}
	return nil
}

// Link is the f whose mean level this is, from −50 to 50.
func (l Ordinal) Link(mean float64) float64 {
	if math.IsNaN(mean) {
		return mean
	}
	lo, hi := -50.0, 50.0
	for range 60 {
		if mid := (lo + hi) / 2; l.Mean(mid) < mean {
			lo = mid
		} else {
			hi = mid
		}
	}
	return (lo + hi) / 2
}

// between returns the cut points around a level, infinite at the ends.
func (l Ordinal) between(y float64) (below, above float64) {
	below, above = math.Inf(-1), math.Inf(1)
	k := int(y)
	if k > 0 {
		below = l.cuts[k-1]
	}
	if k < len(l.cuts) {
		above = l.cuts[k]
	}
	return below, above
}

// Log is the logarithm of the probability,
//
//	log (σ(c_k − f) − σ(c_k−1 − f)) = log σ(c_k − f) + log σ(f − c_k−1) + log(1 − e^(c_k−1 − c_k))
func (l Ordinal) Log(y, f float64) (value, first, second float64) {
	below, above := l.between(y)
	over, under := sigmoid(f-above), sigmoid(below-f)
	value = -softplus(f-above) - softplus(below-f) + math.Log(-math.Expm1(below-above))
	return value, under - over, -over*sigmoid(above-f) - under*sigmoid(f-below)
}

// Expected is by quadrature: the logarithm is singular at Im f = ±π.
func (l Ordinal) Expected(y, mean, variance float64) (value, byMean, byVariance float64) {
	return quadrature(mean, variance, math.Pi, sliced(l, y))
}

// LogDensity is the logarithm of the probability.
func (l Ordinal) LogDensity(y, f float64) float64 { return logDensity(l, y, f) }

// Given returns Log at y.
func (l Ordinal) Given(y float64) (log func(f float64) (value, first, second float64), concave bool) {
	return sliced(l, y), true
}

// CDF is 1/(1 + e^(f − c_k)).
func (l Ordinal) CDF(y, f float64) float64 {
	switch {
	case y < 0:
		return 0
	case y >= float64(len(l.cuts)):
		return 1
	}
	return sigmoid(l.cuts[int(y)] - f)
}

// Mean is the mean of the level's number, Σ_k P(y > k).
func (l Ordinal) Mean(f float64) (mean float64) {
	for _, c := range l.cuts {
		mean += sigmoid(f - c)
	}
	return mean
}

// Variance is that of the level's number.
func (l Ordinal) Variance(f float64) float64 {
	mean, variance := l.Mean(f), 0.0
	before := 0.0
	for k := range len(l.cuts) + 1 {
		at := l.CDF(float64(k), f)
		d := float64(k) - mean
		variance += (at - before) * d * d
		before = at
	}
	return variance
}

// Discrete is true.
func (Ordinal) Discrete() bool { return true }

// Support is 0 to K − 1.
func (l Ordinal) Support() (lo, hi float64) { return 0, float64(len(l.cuts)) }

// Place is where the cut points around a level are.
func (l Ordinal) Place(y float64) (lo, hi, width float64) {
	last := float64(len(l.cuts))
	lo, hi = l.between(math.Floor(min(max(y, 0), last)))
	if math.IsInf(lo, 0) {
		lo = hi
	}
	if math.IsInf(hi, 0) {
		hi = lo
	}
	return lo, hi, 1
}
