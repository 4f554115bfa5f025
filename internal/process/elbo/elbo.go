// Package elbo is the evidence lower bound of a Bézier Gaussian process with a
// Gaussian likelihood, and its gradient on a mini-batch.
package elbo

import "math"

// Terms holds the parts of the bound, scaled from the mini-batch to all rows. Rows
// may have weights w, 1 on average; the bound is then that of Σ_j w_j log p(y_j | f).
type Terms struct {
	Rows         float64 // n
	LogNoise     float64 // log σ²
	SquaredError float64 // Σ_j w_j (y_j − μ(x_j))²
	Variance     float64 // Σ_j w_j Var f(x_j)
	KL           []KL    // by group
}

// KL is the divergence of one group's control points from their prior.
type KL struct {
	PerPath  float64 // Σ_k KL_k / τ
	LogPaths float64 // log τ, τ the number of control points of one buttress
}

// Fit returns E_q[log p(y | f)], the bound's data term:
//
//	−½ Σ_j log 2π + log σ² + ((y_j − μ(x_j))² + Var f(x_j)) / σ²
func (t Terms) Fit() float64 {
	constant := t.Rows * (math.Log(2*math.Pi) + t.LogNoise)
	return -0.5 * (constant + (t.SquaredError+t.Variance)*math.Exp(-t.LogNoise))
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
//	½ (Σ_j (y_j − μ(x_j))² + Σ_j Var f(x_j)) + Σ_groups σ² τ · KL/τ
//
// With the paper's first phase, σ² = 1/τ, the weight σ² τ is one.
func (t Terms) Objective() float64 {
	sum := 0.5 * (t.SquaredError + t.Variance)
	for _, kl := range t.KL {
		sum += t.klWeight(kl) * kl.PerPath
	}
	return sum
}

func (t Terms) klWeight(kl KL) float64 { return math.Exp(t.LogNoise + kl.LogPaths) }

// BestNoise returns the σ² that maximises the bound with all else fixed: the mean
// of (y − μ)² + Var f over the rows.
func (t Terms) BestNoise() float64 { return (t.SquaredError + t.Variance) / t.Rows }

// NoiseGradient returns the derivative of −ELBO by log σ².
func (t Terms) NoiseGradient() float64 {
	return 0.5 * (t.Rows - (t.SquaredError+t.Variance)*math.Exp(-t.LogNoise))
}
