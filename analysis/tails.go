package analysis

import (
	"math"

	"gonum.org/v1/gonum/stat/distuv"

	"beziergp/box"
	"beziergp/model"
)

// tails returns the factor h² of s²/n for residuals of heavy tails. The mean of n residuals is then
// no Gaussian: few of them have most of s², and those that are missing from the sample err all the
// same way. By the transformation of Hall (Journal of the Royal Statistical Society B 54, 1992) the
// interval of a mean of n values of skewness γ reaches so many s/√n to its far side,
//
//	z h = 3/c (1 − ∛(1 − c (z + c/6))),   c = |γ|/√n,   z = 1.96
//
// so that 1.96 deviations are no less than that. c is at most 3 (√(z² + 2/3) − z) = 0.49, where the
// root is 0 and z h = 6.1; that of one residual that has all of s² would be 1. γ is bounded by the
// kurtosis κ, γ² ≤ κ − 3, as of every infinitely divisible law, whose cumulants are moments (Cauchy
// & Schwarz): h is 1 for residuals like Gaussian ones. κ is E r⁴/(E r²)² of the profile's scores; h
// is 1 where these are not known, or in other units than the process.
func tails(m *model.Model, r *model.Residuals) float64 {
	p := m.Profile()
	if p == nil || p.Scores == nil || m.Target().Transform != box.Identity {
		return 1
	}
	squared := &p.Scores.Squared
	relative := squared.Error() / squared.Mean
	excess := float64(squared.N)*relative*relative - 2 // κ − 1 = Var r²/(E r²)²
	if !(excess > 0) || math.IsInf(excess, 0) {
		return 1
	}
	z := distuv.UnitNormal.Quantile(0.975)
	c := min(math.Sqrt(excess/r.Effective), 3*(math.Sqrt(z*z+2./3)-z))
	h := 3 / (c * z) * (1 - math.Cbrt(max(0, 1-c*(z+c/6))))
	return h * h
}
