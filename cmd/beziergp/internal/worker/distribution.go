//go:build !lean && !wasm

package worker

import (
	"fmt"

	"beziergp/cmd/beziergp/internal/exit"
	"beziergp/model"
	"beziergp/predictive"
	"beziergp/table"
	"beziergp/tablefile"
)

// family is what the distributions of predictions share, so that the asker can give them
// back.
type family struct {
	Tails float64           `json:"tails,omitempty"`
	Log1p bool              `json:"log1p,omitempty"`
	Law   bool              `json:"law,omitempty"` // that of the model, which is needed then
	Range *predictive.Range `json:"range,omitempty"`
	// Seconds is how long a prediction took that asked for it; it means nothing when given back.
	Seconds float64 `json:"seconds,omitempty"`
}

func familyOf(p *model.Predictions, limits *predictive.Range) family {
	f := family{Range: limits}
	if p.Family != nil {
		f.Tails, f.Log1p, f.Law = p.Family.Tails(), p.Family.Transformed(), p.Family.Law() != nil
	}
	return f
}

// distribution evaluates distributions, those of a prediction's columns location, scale and
// density, at columns v0, v1 and so on.
func distribution(r *request) (any, []byte, error) {
	var o struct {
		Model  string `json:"model"`
		Of     string `json:"of"` // logpdf, cdf, ppf or crps
		Values int    `json:"values"`
		Family family `json:"family"`
	}
	if err := r.read(&o); err != nil {
		return nil, nil, err
	}
	evaluate, ok := functions[o.Of]
	if !ok {
		return nil, nil, exit.Usagef("of: a distribution has no %q", o.Of)
	}
	shared, err := r.family(o.Model, o.Family)
	if err != nil {
		return nil, nil, err
	}
	stream0, err := r.part(0)
	if err != nil {
		return nil, nil, err
	}
	reader, err := tablefile.NewArrowReader(stream0, "the distributions", tablefile.Options{Context: r.ctx})
	if err != nil {
		return nil, nil, err
	}
	defer reader.Close()
	rows, err := reader.ReadAll(r.ctx)
	if err != nil {
		return nil, nil, err
	}
	all := distributions(rows, shared, o.Family.Range)
	if all == nil {
		return nil, nil, exit.Usagef("the distributions have no location or no scale")
	}
	var s stream
	for k := range o.Values {
		at, ok := rows.Column(fmt.Sprintf("v%d", k))
		if !ok {
			return nil, nil, exit.Usagef("values: there is no column v%d", k)
		}
		out := make([]float64, len(at))
		for i, v := range at {
			out[i] = evaluate(all[i], v)
		}
		s.numbers(fmt.Sprintf("v%d", k), out)
	}
	body, err := s.bytes()
	return nil, body, err
}

// family returns what distributions share: that of a model where it has a law.
func (r *request) family(name string, f family) (*predictive.Family, error) {
	if !f.Law {
		shared, err := predictive.NewFamily(f.Tails, f.Log1p)
		if err != nil {
			return nil, exit.Usagef("family: %w", err)
		}
		return shared, nil
	}
	m, err := r.process(name)
	if err != nil {
		return nil, err
	}
	output := m.Output()
	if output.Family().Law() == nil {
		return nil, exit.Usagef("family: the model has no law of its own")
	}
	return output.Family(), nil
}

// functions are those of a distribution.
var functions = map[string]func(predictive.Distribution, float64) float64{
	"logpdf": predictive.Distribution.LogDensity,
	"cdf":    predictive.Distribution.CDF,
	"ppf":    predictive.Distribution.Quantile,
	"crps":   predictive.Distribution.CRPS,
}

// distributions returns those of rows; nil where a column is not there.
func distributions(rows *table.Table, shared *predictive.Family, limits *predictive.Range) []predictive.Distribution {
	location, ok := rows.Column("location")
	scale, also := rows.Column("scale")
	if !ok || !also {
		return nil
	}
	all := make([]predictive.Distribution, rows.Rows())
	var density []float64
	for k := range predictive.Nodes {
		values, ok := rows.Column(fmt.Sprintf("density%d", k))
		if !ok {
			break
		}
		if density == nil {
			density = make([]float64, len(all)*predictive.Nodes)
		}
		for i, v := range values {
			density[i*predictive.Nodes+k] = v
		}
	}
	for i := range all {
		all[i] = predictive.Distribution{Location: location[i], Scale: scale[i], Family: shared, Range: limits}
		if density != nil {
			all[i].Density = density[i*predictive.Nodes:][:predictive.Nodes]
		}
	}
	return all
}
