package predictive

// Outcome is what a distribution tells of a target that is known. It takes most of the time
// of scoring a row, and rows do not depend on each other.
type Outcome struct {
	LogDensity float64 // log p(y)
	CRPS       float64 // in the target's unit
	Transform  float64 // F(y), the probability integral transform
}

// Outcome returns what the distribution tells of y, the target of the k-th row
// ([Distribution.Transform]).
func (d Distribution) Outcome(y float64, k int) Outcome {
	return Outcome{d.LogDensity(y), d.CRPS(y), d.Transform(y, k)}
}
