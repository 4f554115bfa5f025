package train

import (
	"context"
	"math"
	"slices"

	"beziergp/predictive"
)

// agreement returns by how much the noise of an average of the members is below that
// of one. Twins, which have not seen the same rows and differ in their random start,
// tell how alike errors are: with the factor of the noise under which targets are
// likeliest, the average of two has (1 + alike)/2 of a single one's, and that of all
// alike + (1 − alike)/members. The likelihood is that of the whole distribution, shape
// included: humps of a shape that is the same for all members stay where they are.
// The noise fits the errors of members better than those of twins, from which it was
// not learned; so will it fit those of the average. It is 1 where there are no twins.
func (r *run) agreement(ctx context.Context, p parts, o *outOfFold, variance []float64) (float64, error) {
	m := p.members
	if m.twins == nil {
		return 1, nil
	}
	twins := m.twins[:min(len(m.twins), calibrationRows)]
	which := slices.Concat(o.folds...)[:len(twins)]
	own, both := m.of(which), make([]float64, len(which))
	for i := range which {
		both[i] = (own[i] + twins[i]) / 2
	}
	var density []float64
	if p.tilt != nil {
		density = make([]float64, len(which)*predictive.Nodes)
		if err := p.tilt.NewEvaluator(r.pool).Densities(ctx, r.data.inputs(which), own, density); err != nil {
			return 0, err
		}
	}
	likeliest := func(mean []float64) float64 {
		best, most := 1.0, math.Inf(-1)
		for factor := smallestFactor; factor < largestFactor; factor *= 1.04 {
			c := p.scales
			c.Noise *= factor
			var sum float64
			for i, j := range which {
				d := predictive.Distribution{Location: mean[i], Scale: math.Sqrt(c.total(j, variance, p.noise)), Family: o.family}
				if density != nil {
					d.Density = density[i*predictive.Nodes:][:predictive.Nodes]
				}
				sum += m.data.weight(j) * d.LogDensity(float64(m.data.Y[j]))
			}
			if sum > most {
				best, most = factor, sum
			}
		}
		return best
	}
	first := likeliest(own)
	single := (first + likeliest(twins)) / 2
	alike := max(0, min(1, 2*likeliest(both)/single-1))
	return min(1, single*(alike+(1-alike)/float64(len(m.params)))/first), nil
}

// Factors of the noise that are compared.
const (
	smallestFactor = 0.2
	largestFactor  = 2.0
)
