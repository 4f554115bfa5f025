package auto

import (
	"math"

	"beziergp/model"
)

// residuals returns the moments of y − f_−k(j)(x_j) over the rows of all members' folds. Their
// mean r̄ estimates what the average of the members errs by in the mean over rows like these,
// and its variance is that of independent residuals, s² Σ w²/(Σ w)². Where rows were held out
// together, by group or along time, residuals of a fold have errors in common: the variance is
// then that between folds if this is larger,
//
//	K/(K − 1) Σ_k (W_k/W)² (r̄_k − r̄)²
//
// of K folds of weights W_k.
func (e *ensemble) residuals() *model.Residuals {
	var rows int
	var all moments
	folds := make([]moments, len(e.folds))
	for k, fold := range e.folds {
		for _, j := range fold {
			own := &folds[k]
			own.add(e.data.Weight(j), float64(e.data.Y[j])-e.outOfFold[j])
		}
		rows += len(fold)
		all.join(folds[k])
	}
	mean := all.sum / all.weight
	variance := max(0, all.square/all.weight-mean*mean)
	effective := all.weight * all.weight / all.weights2
	if !e.data.keys.IsZero() && len(folds) > 1 && variance > 0 {
		var between float64
		for _, own := range folds {
			between += math.Pow(own.weight/all.weight*(own.sum/own.weight-mean), 2)
		}
		k := float64(len(folds))
		if between *= k / (k - 1); between > 0 {
			effective = min(effective, variance/between)
		}
	}
	return &model.Residuals{Rows: rows, Mean: mean, Std: math.Sqrt(variance), Effective: effective}
}

// moments are weighted sums of residuals.
type moments struct{ weight, weights2, sum, square float64 }

func (m *moments) add(w, r float64) {
	m.weight, m.weights2, m.sum, m.square = m.weight+w, m.weights2+w*w, m.sum+w*r, m.square+w*r*r
}

func (m *moments) join(o moments) {
	m.weight, m.weights2, m.sum, m.square = m.weight+o.weight, m.weights2+o.weights2, m.sum+o.sum, m.square+o.square
}
