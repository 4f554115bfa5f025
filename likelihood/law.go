package likelihood

import (
	"fmt"
	"math"

	"beziergp/box"
	"beziergp/predictive"
)

// Law is the [Likelihood] of a [Scalar] law. The natural parameter of a row is
//
//	f = Base + g + offset
//
// of the process g and an offset that is known. Targets are [B, 1], or [B, 2] with the
// offset of every row after its target. The dispersion is 1: what a law has of the kind is
// a parameter of its own.
type Law struct {
	Scalar
	// Base is f where the process is zero: that of the average target. The process learns
	// what differs from it.
	Base float64

	family *predictive.Family
}

// NewLaw returns the law with a base.
func NewLaw(s Scalar, base float64) Law {
	return Law{s, base, predictive.NewLawFamily(s)}
}

// natural returns f of a row, given g.
func (l Law) natural(g float64, y []float32) float64 {
	if len(y) > 1 {
		g += float64(y[1])
	}
	return l.Base + g
}

// Offset writes what is added to g.
func (l Law) Offset(y []float32, f []float64) {
	columns := len(y) / max(1, len(f))
	for j := range f {
		f[j] = l.natural(0, y[j*columns:(j+1)*columns])
	}
}

// Expectation returns −Σ_j w_j E[log p(y_j | f_j)].
func (l Law) Expectation(y []float32, weights, mean, variance []float64) (sum float64) {
	columns := len(y) / max(1, len(mean))
	for j, m := range mean {
		v := 0.0
		if variance != nil {
			v = variance[j]
		}
		value, byMean, byVariance := l.Expected(float64(y[j*columns]), m, v)
		sum -= weights[j] * value
		mean[j] = -byMean
		if variance != nil {
			variance[j] = -byVariance
		}
	}
	return sum
}

// VarianceSlope tells that it is not the same everywhere.
func (Law) VarianceSlope() (slope float64, constant bool) { return 0, false }

// LogNormaliser is 0: ℓ is all of −log p.
func (Law) LogNormaliser([]float32, []float64, float64) float64 { return 0 }

// Loss returns −log p(y | f) at g, and its derivative.
func (l Law) Loss(g float64, y []float32) (value, slope float64) {
	value, slope, _ = l.Log(float64(y[0]), l.natural(g, y))
	return -value, -slope
}

// LossGiven returns −log p(y | f) of a row as a function of g, with its two derivatives: what the target alone tells of it is computed once.
func (l Law) LossGiven(y []float32) func(g float64) (value, slope, bend float64) {
	target, at := float64(y[0]), l.natural(0, y)
	log := func(f float64) (value, first, second float64) { return l.Log(target, f) }
	if given, ok := l.Scalar.(predictive.Given); ok {
		log, _ = given.Given(target)
	}
	return func(g float64) (value, slope, bend float64) {
		value, slope, bend = log(at + g)
		return -value, -slope, -bend
	}
}

// Response returns E[y | f] at g.
func (l Law) Response(g float64) float64 { return l.Mean(l.Base + g) }

// Predictive returns the mixture of the law over f ~ N(Base + mean, variance).
func (l Law) Predictive(mean, variance, _ float64) predictive.Distribution {
	return predictive.Distribution{Location: l.Base + mean, Scale: math.Sqrt(variance), Family: l.family}
}

// NewStatistics returns those of no row.
func (l Law) NewStatistics() Statistics { return &losses{law: l, every: 1} }

// losses are the statistics of a law without a dispersion, and some rows evenly among all, by
// which its parameters are learned again.
type losses struct {
	law   Law
	sum   float64
	seen  int
	every int // of the rows one is kept
	rows  []observed
}

// observed is a row as its law sees it, offset and base included.
type observed struct{ y, weight, mean, variance float64 }

// Add keeps every row while there are few, and then every other of those that are kept.
func (s *losses) Add(y []float32, weight, mean, variance float64) {
	value, _ := s.law.Loss(mean, y)
	s.sum += weight * value
	if s.seen%s.every == 0 {
		s.rows = append(s.rows, observed{float64(y[0]), weight, s.law.natural(mean, y), variance})
	}
	if s.seen++; len(s.rows) > startRows {
		for i := range s.rows[:(len(s.rows)+1)/2] {
			s.rows[i] = s.rows[2*i]
		}
		s.rows, s.every = s.rows[:(len(s.rows)+1)/2], 2*s.every
	}
}

func (s *losses) Loss() float64 { return s.sum }

func (*losses) Dispersion(float64) float64 { return 1 }

func (*losses) Slope(float64, float64) float64 { return 0 }

// Learned returns the law with the parameters that are likeliest given f at the rows.
func (s *losses) Learned() Likelihood {
	if s.law.Parameters() == nil {
		return s.law
	}
	return NewLaw(Refit(s.law.Scalar, len(s.rows), func(i int) (y, weight, mean, variance float64) {
		r := s.rows[i]
		return r.y, r.weight, r.mean, r.variance
	}), s.law.Base)
}

// Learner are statistics of which a law with parameters of its own learns them.
type Learner interface {
	Statistics
	// Learned returns the law with the parameters that are likeliest given f at the rows.
	Learned() Likelihood
}

// Sizer is a law whose number of levels is that of its targets.
type Sizer interface {
	Likelihood
	// Sized returns the law with the levels that the values have.
	Sized(values Values) (Likelihood, error)
}

// Sized returns the law of as many levels as there are; a law without levels is as it was.
func (l Law) Sized(values Values) (Likelihood, error) {
	levels, ok := l.Scalar.(Ordinal)
	if !ok {
		return l, nil
	}
	levels, err := levels.sized(values)
	if err != nil {
		return nil, err
	}
	return NewLaw(levels, l.Base), nil
}

// Scale leaves the target as it is. It fails where a value is none that the law gives.
func (l Law) Scale(t box.Target, _ int, values Values) (box.Target, error) {
	t.Mean, t.SD = 0, 1
	row := 0
	low, high := math.Inf(1), math.Inf(-1)
	err := values(func(part []float64) error {
		for _, v := range part {
			row++
			if err := l.Check(v); err != nil {
				return &box.LawError{
					Place: box.Place{Row: row, Column: t.Name}, Value: v,
					Problem: fmt.Sprintf("is no value that the likelihood %s gives: %v", l.Name(), err), Remedy: "choose another likelihood or remove the row",
				}
			}
			if t.Range != nil && !t.Range.Contains(v) {
				return &box.RangeError{Place: box.Place{Row: row, Column: t.Name}, Target: t, Value: v}
			}
			low, high = min(low, v), max(high, v)
		}
		return nil
	})
	if err == nil && low == high {
		err = fmt.Errorf("target %q is %g in every training row: there is nothing to learn; choose another target", t.Name, low)
	}
	return t, err
}

// startRows are enough to start the parameters of a law.
const startRows = 2000

// Started returns the law as training begins with it: its base is that of the average of n
// targets, its parameters are the likeliest if all rows had the same f but for the offsets,
// which are nil where there are none.
func (l Law) Started(n int, values, offsets Values) (Likelihood, error) {
	var y, o []float64
	every, row := max(1, n/startRows), 0
	var sum, exposure float64
	if err := values(func(part []float64) error {
		for _, v := range part {
			if sum += v; row%every == 0 {
				y = append(y, v)
			}
			row++
		}
		return nil
	}); err != nil {
		return nil, err
	}
	if offsets != nil {
		row = 0
		if err := offsets(func(part []float64) error {
			for _, v := range part {
				if exposure += math.Exp(v); row%every == 0 {
					o = append(o, v)
				}
				row++
			}
			return nil
		}); err != nil {
			return nil, err
		}
	}
	offset := func(i int) float64 {
		if o == nil {
			return 0
		}
		return o[i]
	}
	base := l.Link(sum / float64(n))
	if o != nil {
		base -= math.Log(exposure / float64(n))
	}
	if math.IsNaN(base) || math.IsInf(base, 0) {
		return nil, fmt.Errorf("the average of the targets is %g, at which the law %s has no natural parameter; choose another likelihood", sum/float64(n), l.Name())
	}
	s := l.Scalar
	if s.Parameters() != nil {
		s = Refit(s, len(y), func(i int) (float64, float64, float64, float64) { return y[i], 1, base + offset(i), 0 })
	}
	return NewLaw(s, base), nil
}
