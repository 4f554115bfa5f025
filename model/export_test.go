package model

import "beziergp/likelihood"

// WithLaw returns the model with another law of its target, which need not be one that
// files can name, and other tails.
func (m *Model) WithLaw(l likelihood.Likelihood, tails float64) *Model {
	other, o := *m, m.outputs[0]
	o.Likelihood, o.Tails = l, tails
	var err error
	if o.family, err = o.newFamily(); err != nil {
		panic(err)
	}
	other.outputs = []Output{o}
	return &other
}
