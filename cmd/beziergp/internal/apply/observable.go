package apply

import (
	"fmt"

	"beziergp/box"
	"beziergp/likelihood"
	"beziergp/serve"
)

// LawOf returns the law of the counts or amounts that a model predicts; one without a Scalar
// where any number, or a class, may be observed.
func LawOf(m serve.Model) (law likelihood.Law) {
	if l, ok := m.(interface {
		Likelihood() likelihood.Likelihood
	}); ok && m.Classes() == nil {
		law, _ = l.Likelihood().(likelihood.Law)
	}
	return law
}

// CheckTarget refuses a value of the column that has the target which its law cannot give, as
// fit does: its density is 0, and the other scores would be of a row that cannot be.
func (b *Block) CheckTarget(law likelihood.Law, column string, values []float64) error {
	if law.Scalar == nil {
		return nil
	}
	for i, y := range values {
		if y != y {
			continue
		}
		if err := law.Check(y); err != nil {
			return &box.LawError{
				Place: box.Place{Row: b.before + i + 1, Column: column}, Value: y,
				Problem: fmt.Sprintf("is no value that the model's likelihood %s gives: %v", law.Name(), err), Remedy: "mend the value or remove the row",
			}
		}
	}
	return nil
}
