package auto

import "math"

// The model is the average of members, and rough members, which err more than smooth ones
// each for itself, may err less on average, because their errors differ. So the last round of
// the selection trains two members of every candidate on the same rows, and judges the
// candidate by what their difference tells of an average of as many as the model has.

// averageDeviances returns the deviances that an average of M members has at rows, out of
// fold, as far as two members f and g tell them: by the ambiguity decomposition (Krogh &
// Vedelsby 1995)
//
//	E[(y − f̄_M)²] = E[(y − (f + g)/2)² − (1/4 − 1/(2M)) (f − g)²]
//
// Where there is no second member they are the deviances of the first. Those of a law other
// than a Gaussian are tempered.
func (e *ensemble) averageDeviances(members int) func(j int) float64 {
	if !e.data.gaussian() {
		return e.temperedDeviances(members)
	}
	if e.twins == nil {
		return e.deviance
	}
	t := e.data.latents()
	mean, apart := make([]float64, t), make([]float64, t)
	return func(j int) float64 {
		f, g := e.outOfFold[j*t:(j+1)*t], e.twins[j*t:(j+1)*t]
		for k := range mean {
			mean[k], apart[k] = (f[k]+g[k])/2, f[k]-g[k]
		}
		return 2*e.data.loss(j, mean) - (0.25-0.5/float64(max(1, members)))*e.data.bend(j, mean, apart)
	}
}

// meanAverageDeviance returns their weighted mean over some rows.
func (e *ensemble) meanAverageDeviance(numbers []int, members int) float64 {
	return e.weightedMean(numbers, e.averageDeviances(members))
}

// temperedDeviances returns the deviances that an average of M members has with the slope
// that calibration will give it, of a law whose loss ℓ is no square. A loss has no upper
// bound where a member is sure of what is not so, and a member that is rough is too sure: by
// its loss as it is the smoothest would be chosen. With L₁ the mean deviance of a member, L₂
// that of the average of two, each at its likeliest slope, the mean of M is
//
//	L = L₂ (L₂/L₁)^(1 − 2/M)
//
// which to first order in L₁ − L₂ is the ambiguity decomposition, exact where ℓ is a square:
// L₂ − L_M = (1 − 2/M) (L₁ − L₂). Unlike it, it is above 0 however far members lie apart. Where
// classes are so sure that L₂ vanishes, so does L. A density has no least loss, and its L is that
// decomposition itself. The deviance of a row is its part in L: that of L's first order in those of rows.
func (e *ensemble) temperedDeviances(members int) func(j int) float64 {
	rows := e.rows()
	one, pair := e.tempered(rows, e.pairs())
	if e.twins == nil {
		return pair
	}
	power := 1 - 2/float64(max(1, members))
	if e.data.density() {
		return func(j int) float64 { return (1+power)*pair(j) - power*one(j) }
	}
	l1, l2 := e.weightedMean(rows, one), e.weightedMean(rows, pair)
	if l1 == 0 || l2 == 0 {
		return pair
	}
	whole := l2 * math.Pow(l2/l1, power)
	return func(j int) float64 { return whole * ((1+power)*pair(j)/l2 - power*one(j)/l1) }
}

// pairs returns the average of the two members, [n, T], or the first where there is no second.
func (e *ensemble) pairs() []float64 {
	if e.twins == nil {
		return e.outOfFold
	}
	mean := make([]float64, len(e.outOfFold))
	for i, f := range e.outOfFold {
		mean[i] = (f + e.twins[i]) / 2
	}
	return mean
}

// tempered returns the deviances of one member, the mean of both's, and of the pairs, each at the slope that is likeliest by some rows.
func (e *ensemble) tempered(rows []int, pairs []float64) (one, pair func(j int) float64) {
	pair = e.temperedBy(rows, pairs)
	if e.twins == nil {
		return pair, pair
	}
	first, second := e.temperedBy(rows, e.outOfFold), e.temperedBy(rows, e.twins)
	return func(j int) float64 { return (first(j) + second(j)) / 2 }, pair
}

// temperedBy returns the deviances of f at the slope that is likeliest by some rows.
func (e *ensemble) temperedBy(rows []int, f []float64) func(j int) float64 {
	deviance := e.data.devianceOf(f, 1)
	slope := e.likeliestSlope(rows, deviance, 1)
	return func(j int) float64 { return deviance(j, slope) }
}

// devianceOf returns that of row j by the average of n members, whose sum is given, at a slope.
func (d *dataset) devianceOf(sum []float64, n float64) func(j int, slope float64) float64 {
	t := d.latents()
	at := make([]float64, t)
	return func(j int, slope float64) float64 {
		for k := range at {
			at[k] = sum[j*t+k] * (slope / n)
		}
		return 2 * d.loss(j, at)
	}
}

// likeliestSlope returns that of least mean deviance of some rows, by a search from one.
func (e *ensemble) likeliestSlope(rows []int, deviance func(j int, slope float64) float64, from float64) float64 {
	return from * math.Pow(temperStep, climb(func(step float64) float64 {
		slope := from * math.Pow(temperStep, step)
		return -e.weightedMean(rows, func(j int) float64 { return deviance(j, slope) })
	}))
}

// temperStep is that of the search for the slope of a candidate, which may be far from 1.
const temperStep = 1.3
