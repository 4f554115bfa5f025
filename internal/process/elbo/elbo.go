// Package elbo is the evidence lower bound of a Bézier Gaussian process and its gradient
// on a mini-batch, for any [Likelihood].
package elbo

import "math"

// Terms holds the parts of the bound, scaled from the mini-batch to all rows. Rows
// may have weights w, 1 on average; the bound is then that of Σ_j w_j log p(y_j | f).
type Terms struct {
	Rows          float64 // n
	LogDispersion float64 // log σ²
	LogNormaliser float64 // Σ_j w_j c(y_j, σ²)
	Loss          float64 // Σ_j w_j E[ℓ(y_j, f_j)], with Var f = 0 where that is linear in Var f
	Variance      float64 // Σ_j w_j Var f(x_j) ∂E[ℓ]/∂Var f where it is; else 0
	KL            []KL    // by group
}

// KL is the divergence of one group's control points from their prior.
type KL struct {
	PerPath  float64 // Σ_k KL_k / τ
	LogPaths float64 // log τ, τ the number of control points of one buttress
}

// Fit returns E_q[log p(y | f)], the bound's data term:
//
//	−Σ_j w_j (E[ℓ(y_j, f_j)]/σ² + c(y_j, σ²))
func (t Terms) Fit() float64 {
	return -(t.Loss+t.Variance)*math.Exp(-t.LogDispersion) - t.LogNormaliser
}

// Divergence returns KL(q(P) ‖ p(P)). It overflows when there are many inputs.
func (t Terms) Divergence() float64 {
	var sum float64
	for _, kl := range t.KL {
		sum += kl.PerPath * math.Exp(kl.LogPaths)
	}
	return sum
}

// ELBO returns the evidence lower bound, Fit − Divergence.
func (t Terms) ELBO() float64 { return t.Fit() - t.Divergence() }

// Objective returns σ² · (−ELBO) less its constant, which training minimises and
// which stays finite at any number of inputs:
//
//	Σ_j E[ℓ(y_j, f_j)] + Σ_groups σ² τ · KL/τ
//
// With the paper's first phase, σ² = 1/τ, the weight σ² τ is one.
func (t Terms) Objective() float64 {
	sum := t.Loss + t.Variance
	for _, kl := range t.KL {
		sum += t.klWeight(kl) * kl.PerPath
	}
	return sum
}

func (t Terms) klWeight(kl KL) float64 { return math.Exp(t.LogDispersion + kl.LogPaths) }
