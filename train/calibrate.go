package train

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"

	"beziergp/model"
	"beziergp/predictive"
	"beziergp/surface"
)

// calibration turns the two variances into the squared scale of a prediction:
// Doubt · Var f + Noise · σ² · exp(max(Power · s(x), Floor)), either held by what is
// possible ([calibration.held]).
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
	held := c.held(noise)
	var sum, weights float64
	for _, j := range which {
		total := c.total(j, variance, noise, held)
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

// held is what the two variances are held in: the largest of Doubt · Var f, and the
// range of the logarithm of the factor by which the noise varies.
type held struct{ doubt, lo, hi float64 }

// possible is what variances can be: that of f as the range of the mean allows, and that
// of the noise as the smallest and the largest squared error out of fold do.
type possible struct{ doubt, least, most float64 }

func (r *run) possible(m *members, seen []int) possible {
	p := possible{doubt: r.limits.Variance, least: math.Inf(1)}
	for _, j := range seen {
		e := square(float64(m.data.Y[j]) - m.outside[j])
		p.least, p.most = min(p.least, e), max(p.most, e)
	}
	return p
}

// held returns what the variances of a prediction are held in. That of the noise is its
// squared scale times tails/(tails − 2); the typical noise, a factor of one, is always
// possible.
func (c calibration) held(noise noiseFit) held {
	typical := c.Noise * noise.constant
	if c.Tails != 0 {
		typical *= c.Tails / (c.Tails - 2)
	}
	return held{
		doubt: noise.possible.doubt,
		lo:    max(c.Floor, min(0, math.Log(noise.possible.least/typical))),
		hi:    min(noiseRange, max(0, math.Log(noise.possible.most/typical))),
	}
}

// total returns the squared scale of the prediction of row j.
func (c calibration) total(j int, variance []float64, noise noiseFit, h held) float64 {
	return min(c.Doubt*variance[j], h.doubt) + c.Noise*noise.constant*math.Exp(min(max(c.Power*noise.outside[j], h.lo), h.hi))
}

// predictions returns what members and calibration say of the rows that they have
// not seen.
func (c calibration) predictions(m *members, folds [][]int, variance []float64, noise noiseFit) (*outOfFold, error) {
	o := &outOfFold{members: m, folds: folds, scale: make([]float64, len(m.outside))}
	held := c.held(noise)
	for j := range o.scale {
		o.scale[j] = math.Sqrt(c.total(j, variance, noise, held))
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

// apply returns the noise with the power in the weights, and what it is held in.
func (c calibration) apply(fit noiseFit) (*model.Noise, error) {
	n, held := fit.noise, c.held(fit)
	s := n.Surface.Surface
	params := slices.Clone(n.Surface.Params())
	for g := range s.Groups() {
		scaleFirst(s.Group(g), s.Mean(params, g), float32(c.Power))
	}
	q, err := surface.NewPosterior(s, params)
	return &model.Noise{Surface: q, Predicted: n.Predicted, Lo: held.lo, Hi: held.hi}, err
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
