package surface

import "fmt"

// Output returns the posterior of output t alone, of a surface with one output that is the same
// function but for rounding: the layer of the outputs multiplies the columns of each
// buttress's last layer,
//
//	W_d[i,j] · W_out[j,t],  V_d[i,j] + V_out[j,t]
//
// It has memory of its own for as many weights as an output has. Where there is one output
// that is the posterior itself.
func (q *Posterior) Output(t int) *Posterior {
	if t < 0 || t >= q.outputs {
		panic(fmt.Sprintf("surface: output %d of %d", t, q.outputs))
	}
	if q.outputs == 1 {
		return q
	}
	s := q.single()
	params := make([]float32, s.Size())
	for g, own := range q.groups {
		if own.HasMean() {
			copy(s.Mean(params, g), own.Ensemble.OutputWeights(q.Mean(q.params, g), t))
		}
		if own.HasVariance() {
			copy(s.Variance(params, g), own.Ensemble.OutputLogWeights(q.Variance(q.params, g), t))
		}
	}
	single, err := NewPosterior(s, params)
	if err != nil {
		panic(err) // of the size that the surface asks for
	}
	return single
}

// newSingle returns the surface of one output.
func (s *Surface) newSingle() *Surface {
	var groups []Group
	for _, own := range s.groups {
		g := own.Group
		g.Ensemble = g.Ensemble.Single()
		groups = append(groups, g)
	}
	single, err := New(groups...)
	if err != nil {
		panic(err) // the same groups were taken before
	}
	return single
}

// fillOutputs writes the ones that stand for the functions of several outputs' layer.
func (s *Tile) fillOutputs(phi []float32, row, n int) {
	t := s.group.Ensemble.Outputs()
	if t == 1 {
		return
	}
	for at := row * s.Mean.Stride; at < (row+t)*s.Mean.Stride; at += s.Mean.Stride {
		ones := phi[at : at+n]
		for p := range ones {
			ones[p] = 1
		}
	}
}
