package descent

import "fmt"

// DivergedError reports that weights left the range of numbers.
type DivergedError struct {
	Step int
	Rate float64
	// Tries is the number of learning rates that the recipe tried; 0 where the rate is
	// the user's.
	Tries int
}

func (e *DivergedError) Error() string {
	const alike = "inputs that say nearly the same as others"
	switch {
	case e.Tries > 0:
		return fmt.Sprintf("training diverged at each of %d learning rates, the last %g: leave out %s, or rows whose values lie far from all others", e.Tries, e.Rate, alike)
	case e.Step == 0:
		return "training cannot begin: the variance of f before the first step is beyond the range of numbers, as very many inputs that say nearly the same make it: leave out " + alike + ", or take the recipe auto"
	}
	return fmt.Sprintf("training diverged at step %d with learning rate %g: lower the learning rate or the order", e.Step, e.Rate)
}
