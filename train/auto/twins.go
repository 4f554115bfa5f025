package auto

// The model is the average of members, and rough members, which err more than smooth ones
// each for itself, may err less on average, because their errors differ. So the last round of
// the selection trains two members of every candidate on the same rows, and judges the
// candidate by what their difference tells of an average of as many as the model has.

// averageDeviance returns the deviance that an average of M members has at row j, out of
// fold, as far as two members f and g tell it: by the ambiguity decomposition (Krogh &
// Vedelsby 1995)
//
//	E[(y − f̄_M)²] = E[(y − (f + g)/2)² − (1/4 − 1/(2M)) (f − g)²]
//
// with the second derivative of the loss as a factor of (f − g)² where it is not 1, of a law
// other than a Gaussian. Where there is no second member it is the deviance of the first.
func (e *ensemble) averageDeviance(j, members int) float64 {
	if e.twins == nil {
		return e.deviance(j)
	}
	t := e.data.latents()
	f, g := e.outOfFold[j*t:(j+1)*t], e.twins[j*t:(j+1)*t]
	mean, apart := make([]float64, t), make([]float64, t)
	for k := range mean {
		mean[k], apart[k] = (f[k]+g[k])/2, f[k]-g[k]
	}
	return 2*e.data.loss(j, mean) - (0.25-0.5/float64(max(1, members)))*e.data.bend(j, mean, apart)
}

// meanAverageDeviance returns its weighted mean over some rows.
func (e *ensemble) meanAverageDeviance(numbers []int, members int) float64 {
	return e.weightedMean(numbers, func(j int) float64 { return e.averageDeviance(j, members) })
}
