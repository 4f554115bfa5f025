package inducing

import (
	"context"

	"gonum.org/v1/gonum/blas/blas64"

	"beziergp/rival/method"
	"beziergp/rival/method/covariance"
)

// The defaults of options that sparse methods share.
const (
	Points = 500  // inducing points at most
	Jitter = 1e-6 // on the diagonal of K_uu, relative to v
)

// Problem is what a sparse method learns from, and where it has got to.
type Problem struct {
	Data    method.Data // standardised
	Hyper   covariance.Hyper
	Inputs  []float64 // Z [M, d]
	Scaling *method.Scaling
	workers int
}

// Begin standardises data and starts at the usual parameters of a family and with so
// many inducing points at most. It fails as [method.Method] says.
func Begin(ctx context.Context, data method.Data, family covariance.Family, points int, env method.Environment) (*Problem, error) {
	standard, scaling, err := method.Standardise(data)
	if err != nil {
		return nil, err
	}
	z, err := Start(ctx, env.Pool(), standard.X, data.Inputs, points, env.Seed)
	if err != nil {
		return nil, err
	}
	return &Problem{standard, covariance.Start(family, data.Inputs), z, scaling, env.Pool()}, nil
}

// Posterior returns the process at the problem's parameters and inducing points, of L⁻¹,
// μ and Rᵀ as [NewPosterior] says.
func (p *Problem) Posterior(inverse blas64.General, mean []float64, root blas64.General) *Posterior {
	return NewPosterior(p.Scaling, p.workers, p.Hyper, p.Inputs, inverse, mean, root)
}
