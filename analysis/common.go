package analysis

import (
	"slices"

	"beziergp/box"
	"beziergp/dataset/profile"
	"beziergp/measure"
	"beziergp/model"
	"beziergp/table"
)

// common is the covariance of the error that E f has in common at many places, which residuals
// out of fold tell ([model.Residuals]) and a Var f that was learned row by row does not:
//
//	C(x, z) = r̄² + h² s²/n · (1 + θ Σ_i (1[b_i(x) = b_i(z)]/p_i(b_i(x)) − 1))
//
// with r̄ and s the residuals' mean and deviation, n their effective number, b_i(x) the bin of
// the profile that the value of input i is in, p_i(b) the share of the training rows there, and
// h that of [tails], 1 for residuals like Gaussian ones. It is s²/n times the reproducing kernel of
// the functions Σ_i g_i(b_i(x)) in the mean square over independent inputs: what is left uncertain
// of such a function by n rows of variance s². So an average over a distribution q of the inputs
// has the variance
//
//	r̄² + h² s²/n · (1 + θ Σ_i Σ_b (q_i(b) − p_i(b))²/p_i(b))
//
// that of a mean of n rows where q is theirs, and more where few of them are. θ is 1, or so much
// less that C(x, x) is h² s² in the mean where there are more bins than rows.
type common struct {
	square, level float64 // r̄², h² s²/n
	theta         float64
	bins          []bins // by input; none where the profile is not known
	stride        int    // of coordinates
}

// bins are those of one input by its coordinate.
type bins struct {
	category bool
	cuts     []float32
	density  []float64 // 1/p; the last is of rows without a value
}

// newCommon returns that of a model, nil where it has no residuals, or its posterior holds
// E f and Cov f together.
func newCommon(m *model.Model) *common {
	r := m.Training().Residuals
	if r == nil || m.Output().Epistemic == nil {
		return nil
	}
	c := &common{square: r.Mean * r.Mean, level: tails(m, r) * r.Std * r.Std / r.Effective, theta: 1, stride: m.Posterior().Inputs()}
	p := m.Profile()
	if p == nil || len(p.Inputs) != len(m.Inputs()) {
		return c
	}
	functions := 0.0
	for i, in := range m.Inputs() {
		c.bins = append(c.bins, newBins(in, &p.Inputs[i]))
		functions += float64(len(c.bins[i].density) - 1)
	}
	if functions > 0 {
		c.theta = min(1, max(0, r.Effective-1)/functions)
	}
	return c
}

// newBins returns the bins of an input. One without rows counts as if it had one.
func newBins(in box.Input, p *profile.Column) bins {
	b := bins{category: in.Kind == table.Category}
	counts := slices.Clone(p.Counts)
	if b.category {
		counts = counts[:p.Nodes]
	} else {
		counts = counts[1 : len(counts)-1]
		for _, v := range p.Cuts {
			b.cuts = append(b.cuts, in.Coordinate(v))
		}
	}
	counts = append(counts, p.Missing)
	total := 0
	for k, n := range counts {
		if k < len(counts)-1 {
			n = max(1, n)
			counts[k] = n
		}
		total += n
	}
	for _, n := range counts {
		b.density = append(b.density, float64(total)/float64(max(1, n)))
	}
	if p.Missing == 0 {
		b.density = b.density[:len(b.density)-1]
	}
	return b
}

// of returns the bin of a coordinate: −1 of a missing value where no row lacked it.
func (b *bins) of(t float32) int {
	known := len(b.cuts) + 1
	switch {
	case b.category:
		known = len(b.density)
		if t == t && int(t) < known {
			return int(t)
		}
		return -1
	case t == t:
		at, _ := slices.BinarySearch(b.cuts, t)
		return at
	case known < len(b.density):
		return known
	}
	return -1
}

// excess returns Σ_b q(b)²/p(b) − 1 of masses by bin that add up to one.
func (b *bins) excess(q []float64) float64 {
	sum, mass := 0.0, 0.0
	for k, v := range q {
		sum += v * v * b.density[k]
		mass += v
	}
	return max(0, sum-mass*mass)
}

// under returns the excess of the law of an input: none of the training rows' own.
func (c *common) under(i int, law measure.Law, rule *measure.Rule, in box.Input) float64 {
	if c == nil || c.bins == nil || law.IsTraining() {
		return 0
	}
	b := &c.bins[i]
	q := make([]float64, len(b.density))
	for k, v := range rule.Points {
		if at := b.of(coordinate(in, v)); at >= 0 {
			q[at] += rule.Weights[k]
		}
	}
	return b.excess(q)
}

// at returns the excess of a single value of an input.
func (c *common) at(i int, t float32) float64 {
	if c == nil || c.bins == nil {
		return 0
	}
	if k := c.bins[i].of(t); k >= 0 {
		return c.bins[i].density[k] - 1
	}
	return 0
}

// variance returns that of an average whose inputs' excesses add up to so much.
func (c *common) variance(excess float64) float64 {
	if c == nil {
		return 0
	}
	return c.square + c.level*(1+c.theta*max(0, excess))
}

// places returns the bins of rows by their coordinates [n, stride], [n, inputs].
func (c *common) places(x []float32) []int32 {
	if c == nil || c.bins == nil {
		return nil
	}
	d := len(c.bins)
	at := make([]int32, 0, len(x)/c.stride*d)
	for row := 0; row < len(x); row += c.stride {
		for i := range d {
			at = append(at, int32(c.bins[i].of(x[row+i])))
		}
	}
	return at
}

// covariance returns C of two rows by their bins.
func (c *common) covariance(a, b []int32) float64 {
	if c == nil {
		return 0
	}
	var excess float64
	for i, k := range a {
		if k >= 0 && b[i] >= 0 {
			excess--
			if k == b[i] {
				excess += c.bins[i].density[k]
			}
		}
	}
	return c.square + c.level*(1+c.theta*excess)
}

// weighted returns Σ w_j w_k C(x_j, x_k) over rows.
func (c *common) weighted(w []float64, at []int32) float64 {
	if c == nil {
		return 0
	}
	var total, excess float64
	for _, v := range w {
		total += v
	}
	for i := range c.bins {
		b := &c.bins[i]
		q := make([]float64, len(b.density))
		for row, v := range w {
			if k := at[row*len(c.bins)+i]; k >= 0 {
				q[k] += v
			}
		}
		excess += b.excess(q)
	}
	return (c.square+c.level)*total*total + c.level*c.theta*excess
}
