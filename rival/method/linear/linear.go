// Package linear is least squares with an intercept, which any other method has to beat, and
// under a law a generalised linear model: logistic, multinomial or Poisson regression and others.
package linear

import (
	"context"
	"errors"
	"math"

	"gonum.org/v1/gonum/mat"

	"beziergp/rival/method"
)

// Method has no options. Of collinear inputs, and of more inputs than rows, it takes
// the solution of least norm in standardised inputs. Under a law the weights of standardised
// inputs have the penalty [Penalty], and those are predicted, without a deviation of their own.
type Method struct{}

// regressor holds X = U Σ Vᵀ of the standardised rows as V and Σ.
type regressor struct {
	scaling *method.Scaling
	weights []float64  // [d]
	roots   *mat.Dense // V Σ⁻¹ [d, rank], nil where the rank is 0
	learned learned
}

type learned struct {
	Noise float64 `json:"noise"` // variance of the residuals of the standardised target
	Rows  float64 `json:"rows"`
	Rank  int     `json:"rank"` // of the standardised rows
}

// Fit implements [method.Method].
func (Method) Fit(ctx context.Context, data method.Data, env method.Environment) (method.Regressor, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if data.Law != nil {
		return fitLaw(ctx, data, env)
	}
	standard, scaling, err := method.Standardise(data)
	if err != nil {
		return nil, err
	}
	n, d := data.Rows(), data.Inputs
	var svd mat.SVD
	if !svd.Factorize(mat.NewDense(n, d, standard.X), mat.SVDThin) {
		return nil, errors.New("linear: the singular values of the inputs do not converge; leave out inputs that repeat others")
	}
	values := svd.Values(nil)
	rank := 0
	for rank < len(values) && values[rank] > values[0]*float64(max(n, d))*0x1p-52 {
		rank++
	}
	r := &regressor{scaling: scaling, weights: make([]float64, d), learned: learned{Rows: float64(n), Rank: rank}}
	if rank == 0 {
		r.learned.Noise = residual(standard.Y, nil, n-1)
		return r, nil // all inputs are constant
	}
	var u, v mat.Dense
	svd.UTo(&u)
	svd.VTo(&v)
	r.roots = mat.DenseCopyOf(v.Slice(0, d, 0, rank))
	for k := range rank {
		for j := range d {
			r.roots.Set(j, k, r.roots.At(j, k)/values[k])
		}
	}
	// Both as the matrix of the rows' leading left vectors: Uᵀ y and U Uᵀ y.
	basis := u.Slice(0, n, 0, rank)
	var scores, fitted mat.VecDense
	scores.MulVec(basis.T(), mat.NewVecDense(n, standard.Y))
	fitted.MulVec(basis, &scores)
	mat.NewVecDense(d, r.weights).MulVec(r.roots, &scores)
	r.learned.Noise = residual(standard.Y, fitted.RawVector().Data, n-1-rank)
	return r, nil
}

// residual is the variance of y about what was fitted, nil for 0. With no degree of
// freedom left the residuals, all 0, say nothing, and it is that of y itself.
func residual(y, fitted []float64, freedom int) float64 {
	var own, left float64
	for i, v := range y {
		own += v * v
		if fitted != nil {
			v -= fitted[i]
		}
		left += v * v
	}
	if freedom <= 0 {
		return own / float64(len(y)-1)
	}
	return left / float64(freedom)
}

// Predict gives the variance σ² (1 + 1/n + ‖Σ⁻¹ Vᵀ x‖²): noise, and what the
// parameters are not known by.
func (r *regressor) Predict(ctx context.Context, x, mean, std []float64) error {
	d := len(r.weights)
	return r.scaling.Predict(x, mean, std, func(rows, mean, variance []float64) error {
		for i := range mean {
			row := rows[i*d : (i+1)*d]
			leverage := 1 / r.learned.Rows
			mean[i] = 0
			for j, v := range row {
				mean[i] += v * r.weights[j]
			}
			if r.roots != nil {
				var projected mat.VecDense
				projected.MulVec(r.roots.T(), mat.NewVecDense(d, row))
				leverage += math.Pow(mat.Norm(&projected, 2), 2)
			}
			variance[i] = r.learned.Noise * (1 + leverage)
		}
		return ctx.Err()
	})
}
