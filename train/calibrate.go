package train

import (
	"context"
	"math"
	"slices"

	"beziergp/model"
	"beziergp/surface"
)

// calibration turns the two variances into that of a prediction:
// Doubt · Var f + Noise · σ² · exp(max(Power · s(x), Floor)).
type calibration struct {
	Doubt float64 `json:"doubt"`
	Noise float64 `json:"noise"`
	Power float64 `json:"power"`
	Floor float64 `json:"floor"`
	// Conformal is the multiple of the deviation that holds all but a twentieth of the
	// errors out of fold; 0 where there are too few rows to tell.
	Conformal float64 `json:"conformal,omitempty"`
}

// What calibrations are compared of. A power below one and a floor near zero guard
// against errors with heavy tails, which a small variance would pay for.
var (
	doubtScales = []float64{1, 0.3, 0.1, 0.03, 0.01}
	powers      = []float64{1, 0.85, 0.7, 0.5, 0.3}
	floors      = []float64{-noiseRange, -5, -4, -3, -2.5, -2, -1.5, -1, -0.5}
)

const (
	// calibrationRows are enough for a few numbers.
	calibrationRows = 20000
	// doubtCost is what less doubt has to gain for a factor of e.
	doubtCost = 0.001
)

// calibrate returns the numbers under which errors out of fold are likeliest: first
// those of the noise, by all folds, then the scale of Var f, by the first, whose rows
// variance has not seen.
func calibrate(m *members, folds [][]int, variance []float64, noise noiseFit) calibration {
	var all []int
	for _, fold := range folds {
		all = append(all, fold...)
	}
	all = all[:min(len(all), calibrationRows)]
	best, least := calibration{Doubt: 1, Noise: 1, Power: 1, Floor: -noiseRange}, math.Inf(1)
	try := func(which []int, c calibration, cost float64) {
		if loss := c.loss(m, which, variance, noise) + cost; loss < least {
			best, least = c, loss
		}
	}
	for _, power := range powers {
		for _, floor := range floors {
			for scale := 0.7; scale < 1.7; scale *= 1.1 {
				try(all, calibration{Noise: scale, Power: power, Floor: floor}, 0)
			}
			if noise.noise == nil {
				break
			}
		}
		if noise.noise == nil {
			break
		}
	}
	first, withoutDoubt := folds[0][:min(len(folds[0]), calibrationRows)], best
	least = math.Inf(1)
	for _, doubt := range doubtScales {
		for _, share := range []float64{1, 0.9, 0.8, 0.7, 0.6, 0.5} {
			c := withoutDoubt
			c.Doubt, c.Noise = doubt, share*withoutDoubt.Noise
			try(first, c, -doubtCost*math.Log(doubt))
		}
	}
	return best
}

// loss returns the weighted mean of minus the log-likelihood of some rows, up to a
// constant.
func (c calibration) loss(m *members, which []int, variance []float64, noise noiseFit) float64 {
	var sum, weights float64
	for _, j := range which {
		total := c.total(j, variance, noise)
		w := m.data.weight(j)
		sum += w * (math.Log(total) + square(float64(m.data.Y[j])-m.outside[j])/total)
		weights += w
	}
	return 0.5 * sum / weights
}

// total returns the variance of the prediction of row j.
func (c calibration) total(j int, variance []float64, noise noiseFit) float64 {
	return c.Doubt*variance[j] + c.Noise*noise.constant*math.Exp(min(max(c.Power*noise.outside[j], c.Floor), noiseRange))
}

// conformal returns the multiple of the deviation within which a new row's target
// lies with probability level, whatever the distribution of errors, if rows are
// exchangeable: the ⌈(n+1) level⌉-th smallest of the errors out of fold in units of
// their deviations (Vovk, Gammerman & Shafer, Algorithmic Learning in a Random
// World, 2005; cross-conformal). It is 0 where n is too small for one.
func (c calibration) conformal(m *members, variance []float64, noise noiseFit, level float64) float64 {
	scores := make([]float64, len(m.outside))
	for j, f := range m.outside {
		scores[j] = math.Abs(float64(m.data.Y[j])-f) / math.Sqrt(c.total(j, variance, noise))
	}
	slices.Sort(scores)
	at := int(math.Ceil(float64(len(scores)+1) * level))
	if at > len(scores) {
		return 0
	}
	return scores[at-1]
}

// apply returns the noise with the power in the weights, and the floor.
func (c calibration) apply(n *model.Noise) (*model.Noise, error) {
	s := n.Surface.Surface
	params := slices.Clone(n.Surface.Params())
	for g := range s.Groups() {
		scaleFirst(s.Group(g), s.Mean(params, g), float32(c.Power))
	}
	q, err := surface.NewPosterior(s, params)
	return &model.Noise{Surface: q, Predicted: n.Predicted, Lo: c.Floor, Hi: n.Hi}, err
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

// agreement returns by how much the squared error of an average of k members is
// below that of one: two members of the same rows, which differ in nothing but
// their random start, tell how alike errors are.
func (r *run) agreement(ctx context.Context, folds [][]int, chosen shape, m *members) (float64, error) {
	k := float64(len(m.params))
	if k < 2 {
		return 1, nil
	}
	s, params, err := r.train(ctx, chosen, r.without(folds, 0), r.steps, twin)
	if diverged(err) {
		return 1, nil
	}
	if err != nil {
		return 0, err
	}
	held := make([]float64, len(folds[0]))
	if err := means(ctx, s, params, rows{r.data, folds[0]}, held, r.pool); err != nil {
		return 0, err
	}
	r.limits.Hold(held)
	var own, both float64
	for i, j := range folds[0] {
		a, b := float64(m.data.Y[j])-m.outside[j], float64(m.data.Y[j])-held[i]
		own += 0.5 * (a*a + b*b)
		both += a * b
	}
	alike := max(0, min(1, both/max(own, smallestNoise)))
	return alike + (1-alike)/k, nil
}

// twin is the number of a member that is trained for comparison alone.
const twin = 1000
