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
// Where there is no second member it is the deviance of the first.
func (e *ensemble) averageDeviance(j, members int) float64 {
	if e.twins == nil {
		return e.deviance(j)
	}
	f, g := e.outOfFold[j], e.twins[j]
	loss, _ := e.data.law.Loss((f+g)/2, e.data.Targets(j, j+1))
	return 2*loss - (0.25-0.5/float64(max(1, members)))*square(f-g)
}

// meanAverageDeviance returns its weighted mean over some rows.
func (e *ensemble) meanAverageDeviance(numbers []int, members int) float64 {
	return e.weightedMean(numbers, func(j int) float64 { return e.averageDeviance(j, members) })
}
