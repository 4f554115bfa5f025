package buttress

import (
	"fmt"

	"beziergp/internal/simd"
)

// Prior is the prior of the control points of every buttress of an ensemble:
// independent, those of several outputs too, with mean zero and variance
// scale · Π_γ ς_γ(i_γ). It is immutable.
type Prior struct {
	scale       float64
	perNode     [][]float64 // 1/m by input and node
	perVariance [][]float64 // 1/(m ς) by input and node
}

// NewPrior returns the prior with the node variances ς, [d][m], of an ensemble
// with these widths; of one with T > 1 outputs they are [d+1], T ones behind those of the
// inputs. scale is 1/r for r buttresses in all: their sum then has the
// variance that one would have.
func NewPrior(nodeVariance [][]float64, scale float64) (*Prior, error) {
	p := &Prior{scale: scale}
	for i, variances := range nodeVariance {
		m := float64(len(variances))
		perNode, perVariance := make([]float64, len(variances)), make([]float64, len(variances))
		for j, v := range variances {
			if !(v > 0) {
				return nil, fmt.Errorf("prior variance of node %d of input %d is %g; it must be positive", j, i, v)
			}
			perNode[j], perVariance[j] = 1/m, 1/(m*v)
		}
		p.perNode, p.perVariance = append(p.perNode, perNode), append(p.perVariance, perVariance)
	}
	return p, nil
}

// KL holds the Kullback–Leibler divergence of one buttress's control points from
// their prior, term by term and divided by the number τ of control points, which
// keeps every term finite when τ is not.
type KL struct {
	Variance float64 // S₁/τ, the average of Σ̂/Σ
	Mean     float64 // S₂/τ, the average of ϑ̂²/Σ
	LogRatio float64 // S₃/τ, the average of log Σ/Σ̂
}

// PerPath returns KL/τ = ½ (S₁/τ − 1 + S₂/τ + S₃/τ).
func (k KL) PerPath() float64 { return 0.5 * (k.Variance - 1 + k.Mean + k.LogRatio) }

// Posterior is the weights of one buttress's posterior.
type Posterior struct {
	W    []float32 // of the mean buttress
	V    []float32 // log-weights of the variance buttress
	ExpV []float32 // their exponentials
}

// KLGradient is the gradient of an objective that contains Weight · KL/τ: W and V
// hold the gradient of the rest by W and by exp(V) before [Ensemble.MeanKL] and
// [Ensemble.VarianceKL], and that of the whole by W and by V after them.
type KLGradient struct {
	Weight float64
	W, V   []float32
}

// VarianceKL sets the terms of the divergence of buttress k with posterior q from
// the prior that its variances decide, and finishes their gradient unless that is
// nil. Path averages follow from weights over node counts: S₁ from exp(V), S₃ from
// the layers' averages of −V (paper, appendix A).
func (e *Ensemble) VarianceKL(kl *KL, k int, q Posterior, prior *Prior, s *Paths, gradient *KLGradient) {
	kl.Variance = s.forward(e, k, q.ExpV, 1, prior.perNode)
	if g := gradient; g != nil {
		s.backward(func(_ int, l *layer, a, b []float64) {
			weigh(b, prior.perNode[l.input], 0.5*g.Weight)
			simd.PathGradientVariance(l.weights(g.V), l.weights(q.ExpV), a, b, -0.5*g.Weight/float64(l.rows*l.cols))
		})
	}
	kl.LogRatio = 0
	for g := range e.layers[k] {
		l := &e.layers[k][g]
		kl.LogRatio -= sum(l.weights(q.V)) / float64(l.rows*l.cols)
	}
}

// MeanKL does the same for the term that the means decide: S₂ follows from W²/ς.
func (e *Ensemble) MeanKL(kl *KL, k int, q Posterior, prior *Prior, s *Paths, gradient *KLGradient) {
	kl.Mean = s.forward(e, k, q.W, 2, prior.perVariance) / prior.scale
	if g := gradient; g != nil {
		s.backward(func(_ int, l *layer, a, b []float64) {
			weigh(b, prior.perVariance[l.input], g.Weight/prior.scale) // ½, and 2 from the square
			simd.PathGradientMean(l.weights(g.W), l.weights(q.W), a, b)
		})
	}
}

// sum adds up four sums, so that none waits for the other.
func sum(v []float32) float64 {
	var a, b, c, d float64
	for ; len(v) >= 4; v = v[4:] {
		a, b, c, d = a+float64(v[0]), b+float64(v[1]), c+float64(v[2]), d+float64(v[3])
	}
	for _, x := range v {
		a += float64(x)
	}
	return a + b + c + d
}

// weigh multiplies b by c, node by node, and by a weight.
func weigh(b, c []float64, weight float64) {
	for j := range b {
		b[j] *= c[j] * weight
	}
}
