//go:build !lean && !wasm

package worker

import (
	"beziergp/analysis"
	"beziergp/cmd/beziergp/internal/exit"
	"beziergp/measure"
)

// inputs say over which distributions of the inputs averages are taken.
type inputs struct {
	function
	Laws     map[string]string `json:"laws"` // by input, as measure.Parse reads them
	At       map[string]string `json:"at"`
	Truncate bool              `json:"truncate"`
}

// analysis returns the analysis of the model.
func (o *inputs) analysis(r *request) (*analysis.Analysis, error) {
	m, err := o.of(r)
	if err != nil {
		return nil, err
	}
	all := map[string]measure.Law{}
	for name, text := range o.Laws {
		if all[name], err = measure.Parse(text); err != nil {
			return nil, exit.Usagef("laws: input %q: %w", name, err)
		}
	}
	for name, value := range o.At {
		if _, twice := all[name]; twice {
			return nil, exit.Usagef("at: input %q has a distribution already", name)
		}
		all[name] = measure.At(value)
	}
	return analysis.New(m, analysis.Options{Laws: all, Truncate: o.Truncate})
}
