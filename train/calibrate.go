package train

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"

	"beziergp/internal/process/surface"
	"beziergp/model"
	"beziergp/predictive"
)

// calibration turns the two variances into the squared scale of a prediction:
// Doubt · Var f + Noise · σ² · exp(max(Power · s(x), Floor)).
type calibration struct {
	Doubt float64 `json:"doubt"`
	Noise float64 `json:"noise"`
	Power float64 `json:"power"`
	Floor float64 `json:"floor"`
	// Tails are the degrees of freedom of a Student's t; 0 for a Gaussian.
	Tails float64 `json:"degrees_of_freedom"`
}

// What calibrations are compared of. A power below one and a floor near zero guard
// against errors with heavy tails, which a small variance would pay for.
var (
	doubtScales = []float64{1, 0.3, 0.1, 0.03, 0.01, 3e-3, 1e-3, 3e-4, 1e-4}
	doubtShares = []float64{1, 0.9, 0.8, 0.7, 0.6, 0.5}
	powers      = []float64{1, 0.85, 0.7, 0.5, 0.3}
	floors      = []float64{-noiseRange, -5, -4, -3, -2.5, -2, -1.5, -1, -0.5}
	tails       = []float64{0, 30, 12, 7, 5, 4, 3}
)

const (
	// calibrationRows are enough for a few numbers.
	calibrationRows = 10000
	// doubtCost is what less doubt has to gain for a factor of e.
	doubtCost = 0.001
	// tailCost is what heavier tails have to gain a step, in sums over rows.
	tailCost = 1
)

// calibrate returns the numbers under which errors out of fold are likeliest: first
// those of the noise, a few at a time until none changes, as if there were no other
// variance; then the scale of Var f, and how much less noise that leaves.
func (r *run) calibrate(m *members, folds [][]int, variance []float64, noise noiseFit) calibration {
	all := someOf(folds)
	choices := tails
	if r.data.LightTails || r.lacks(HeavyTails) {
		choices = tails[:1]
	}
	best, least := calibration{Noise: 1, Power: 1, Floor: -noiseRange}, math.Inf(1)
	try := func(c calibration) {
		loss := c.loss(m, all, variance, noise) + tailCost*float64(slices.Index(tails, c.Tails))/float64(len(all))
		if loss < least {
			best, least = c, loss
		}
	}
	for before := math.Inf(1); least < before || math.IsInf(before, 1); {
		before = least
		from := best
		for _, from.Tails = range choices {
			// A Student's t has the variance tails/(tails−2) of its squared scale.
			for from.Noise = 0.5; from.Noise < 2; from.Noise *= 1.08 {
				c := from
				if c.Tails != 0 {
					c.Noise *= (c.Tails - 2) / c.Tails
				}
				try(c)
			}
		}
		if noise.noise == nil {
			continue
		}
		from = best
		for _, from.Power = range powers {
			for _, from.Floor = range floors {
				try(from)
			}
		}
	}
	withoutDoubt := best
	least = math.Inf(1)
	for _, doubt := range doubtScales {
		for _, share := range doubtShares {
			c := withoutDoubt
			c.Doubt, c.Noise = doubt, share*withoutDoubt.Noise
			if loss := c.loss(m, all, variance, noise) - doubtCost*math.Log(doubt); loss < least {
				best, least = c, loss
			}
		}
	}
	return best
}

// some returns rows of a fold, enough for a few numbers of all the folds.
func some(fold []int, folds int) []int {
	return fold[:min(len(fold), (calibrationRows+folds-1)/folds)]
}

// someOf returns rows of all folds, enough for a few numbers.
func someOf(folds [][]int) (rows []int) {
	for _, fold := range folds {
		rows = append(rows, some(fold, len(folds))...)
	}
	return rows
}

// loss returns the weighted mean of minus the log-likelihood of some rows.
func (c calibration) loss(m *members, which []int, variance []float64, noise noiseFit) float64 {
	constant := math.Log(2*math.Pi) / 2
	if c.Tails != 0 {
		constant = -distuv.StudentsT{Sigma: 1, Nu: c.Tails}.LogProb(0)
	}
	var sum, weights float64
	for _, j := range which {
		total := c.total(j, variance, noise)
		w := m.data.weight(j)
		far := square(float64(m.data.Y[j])-m.outside[j]) / total
		if c.Tails != 0 {
			far = (c.Tails + 1) * math.Log1p(far/c.Tails)
		}
		sum += w * (math.Log(total) + far) / 2
		weights += w
	}
	return sum/weights + constant
}

// total returns the squared scale of the prediction of row j.
func (c calibration) total(j int, variance []float64, noise noiseFit) float64 {
	return c.Doubt*variance[j] + c.Noise*noise.constant*math.Exp(min(max(c.Power*noise.outside[j], c.Floor), noiseRange))
}

// predictions returns what members and calibration say of the rows that they have
// not seen.
func (c calibration) predictions(m *members, folds [][]int, variance []float64, noise noiseFit) (*outOfFold, error) {
	o := &outOfFold{members: m, folds: folds, scale: make([]float64, len(m.outside))}
	for j := range o.scale {
		o.scale[j] = math.Sqrt(c.total(j, variance, noise))
	}
	var err error
	o.family, err = predictive.NewFamily(c.Tails, false)
	return o, err
}

// conformal returns the multiple of the scale within which a new row's target lies
// with probability level, whatever the distribution of errors, if rows are
// exchangeable: the ⌈(n+1) level⌉-th smallest of the errors out of fold in units of
// their scales (Vovk, Gammerman & Shafer, Algorithmic Learning in a Random World,
// 2005; cross-conformal). It is 0 where n is too small for one.
func (o *outOfFold) conformal(level float64) float64 {
	var scores []float64
	for _, j := range o.rows() {
		scores = append(scores, math.Abs(float64(o.members.data.Y[j])-o.members.outside[j])/o.scale[j])
	}
	slices.Sort(scores)
	at := int(math.Ceil(float64(len(scores)+1) * level))
	if at > len(scores) {
		return 0
	}
	return scores[at-1]
}

// errorRange is the smallest and the largest squared error of some rows out of fold.
type errorRange struct{ least, most float64 }

func (m *members) errors(which []int) errorRange {
	e := errorRange{least: math.Inf(1)}
	for _, j := range which {
		own := square(float64(m.data.Y[j]) - m.outside[j])
		e.least, e.most = min(e.least, own), max(e.most, own)
	}
	return e
}

// within returns the range of the log of the factor by which the noise may vary: the
// variance of the noise, its squared scale times tails/(tails − 2), is none that no error
// had. The floor stays, and a factor of one, the typical noise, is always possible.
func (c calibration) within(constant float64, e errorRange) (lo, hi float64) {
	typical := c.Noise * constant
	if c.Tails != 0 {
		typical *= c.Tails / (c.Tails - 2)
	}
	return max(c.Floor, min(0, math.Log(e.least/typical))), min(noiseRange, max(0, math.Log(e.most/typical)))
}

// apply returns the noise with the power in the weights, held by the floor and the errors.
// Calibration itself looks at the noise as it comes, so that the few rows that are held
// have no say in the others.
func (c calibration) apply(fit noiseFit, e errorRange) (*model.Noise, error) {
	n := fit.noise
	lo, hi := c.within(fit.constant, e)
	s := n.Surface.Surface
	params := slices.Clone(n.Surface.Params())
	for g := range s.Groups() {
		scaleFirst(s.Group(g), s.Mean(params, g), float32(c.Power))
	}
	q, err := surface.NewPosterior(s, params)
	return &model.Noise{Surface: q, Predicted: n.Predicted, Lo: lo, Hi: hi}, err
}

// scaleFirst multiplies the first layers of a group, and so its sum.
func scaleFirst(g surface.Group, w []float32, by float32) {
	for k := range g.Ensemble.Buttresses() {
		own := g.Ensemble.Weights(w, k)
		first := g.Ensemble.Widths()[g.Ensemble.Orderings()[k][0]]
		for j := range own[:first] {
			own[j] *= by
		}
	}
}
