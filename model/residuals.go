package model

import (
	"fmt"
	"math"
)

// Residuals are moments of y − E f over training rows, E f by members that were trained
// without them, in the units of the (transformed) target. They tell the error that E f has in
// common at many rows, of which the covariances of f know nothing where Var f was learned row
// by row: an average of f over rows like these errs by Mean, which is known up to
// Std/√Effective.
type Residuals struct {
	Rows int     `json:"rows"`
	Mean float64 `json:"mean"`
	Std  float64 `json:"std"`
	// Effective is the number of independent rows of one weight whose mean is as certain, at
	// most Rows: fewer where weights differ, or rows of a group have errors in common.
	Effective float64 `json:"effective"`
}

// check returns an error unless the moments can be some rows'. Nil are none.
func (r *Residuals) check() error {
	switch {
	case r == nil:
		return nil
	case r.Rows < 1 || !(r.Effective > 0 && r.Effective <= float64(r.Rows)*(1+1e-9)):
		return fmt.Errorf("residuals of %d rows, %g effective ones: these must be above 0, and no more than there are", r.Rows, r.Effective)
	case math.IsNaN(r.Mean) || math.IsInf(r.Mean, 0) || !(r.Std >= 0) || math.IsInf(r.Std, 0):
		return fmt.Errorf("residuals of mean %g and deviation %g: these must be finite", r.Mean, r.Std)
	}
	return nil
}

// Scaled returns them in other units: a deviation of the target is so many. Nil are none.
func (r *Residuals) Scaled(sd float64) *Residuals {
	if r == nil {
		return nil
	}
	return &Residuals{r.Rows, sd * r.Mean, sd * r.Std, r.Effective}
}
