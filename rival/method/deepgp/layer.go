package deepgp

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/blas/blas64"

	"beziergp/rival/method"
	"beziergp/rival/method/covariance"
	"beziergp/rival/method/dense"
	"beziergp/rival/method/inducing"
)

// layer is an inner layer: W outputs h_o(x) = (x P)_o + f_o(x), each f_o a process of one
// kernel and inducing points Z, with q(v_o) = N(μ_o, T_oᵀ T_o) for L v_o = f_o(Z).
type layer struct {
	kernel  covariance.Kernel
	inputs  []float64      // Z [M, d]
	means   blas64.General // μ [W, M]
	roots   blas64.General // T [W M, M], a lower triangle an output
	project blas64.General // P [d, W]; no numbers for the identity
}

// The start of inner layers: they are nearly the linear mean, so that the gradient of what
// comes behind reaches them.
const (
	startVariance = 0.1
	startRoot     = 1e-2
)

// newLayer starts at the inducing points z [M, d].
func newLayer(family covariance.Family, z []float64, d, width int, project blas64.General) *layer {
	m := len(z) / d
	l := &layer{kernel: covariance.Start(family, d).Kernel, inputs: z, means: dense.New(width, m), roots: dense.New(width*m, m), project: project}
	l.kernel.Variance = startVariance
	for o := range width {
		for i := range m {
			l.roots.Data[(o*m+i)*m+i] = startRoot
		}
	}
	return l
}

// root is T_o.
func (l *layer) root(o int) blas64.General {
	m := l.roots.Cols
	return dense.View(l.roots, o*m, 0, m, m)
}

// linear adds x P to out [n, W].
func (l *layer) linear(ctx context.Context, workers int, x []float64, out blas64.General) error {
	if l.project.Data == nil {
		dense.AddScaled(out.Data, 1, x)
		return nil
	}
	rows := blas64.General{Rows: out.Rows, Cols: l.project.Rows, Stride: l.project.Rows, Data: x}
	return dense.AddMul(ctx, workers, 1, dense.Whole(rows), dense.Whole(l.project), out)
}

// moments are those of the outputs at rows, and what the gradient needs of them.
type moments struct {
	mean, variance blas64.General // [n, W]
	spread         blas64.General // T_o a [n, W M]
}

// moments returns, at rows x with projections a,
//
//	(x P)_o + aᵀ μ_o,  v − ‖a‖² + ‖T_o a‖²
func (l *layer) moments(ctx context.Context, workers int, x []float64, a blas64.General) (moments, error) {
	n, m, width := a.Rows, a.Cols, l.means.Rows
	out := moments{dense.New(n, width), dense.New(n, width), dense.New(n, width*m)}
	if err := l.linear(ctx, workers, x, out.mean); err != nil {
		return out, err
	}
	if err := dense.AddMul(ctx, workers, 1, dense.Whole(a), dense.Whole(l.means).T(), out.mean); err != nil {
		return out, err
	}
	err := method.Share(ctx, workers, width, func(_, o int) error {
		own := dense.View(out.spread, 0, o*m, n, m)
		if err := dense.AddMul(ctx, 1, 1, dense.Whole(a), dense.Lower(l.root(o)).T(), own); err != nil {
			return err
		}
		for i := range n {
			prior, posterior := dense.Row(a, i), dense.Row(own, i)
			v := l.kernel.Variance - dense.Dot(prior, prior) + dense.Dot(posterior, posterior)
			if !(v > 0) {
				return fmt.Errorf("an inner layer has variance %g at a row; the kernel's is %g: take a larger jitter or a smaller rate", v, l.kernel.Variance)
			}
			out.variance.Data[i*width+o] = v
		}
		return nil
	})
	return out, err
}

// pass is a mini-batch on its way through a layer.
type pass struct {
	*layer
	moments
	rows    *inducing.Projection
	normals []float64 // ε [B, W]
	output  []float64 // mean + √variance ε [B, W]
}

func (l *layer) forward(ctx context.Context, workers int, jitter float64, x, normals []float64) (*pass, error) {
	prior, err := inducing.NewPrior(ctx, workers, &l.kernel, l.inputs, jitter)
	if err != nil {
		return nil, err
	}
	p := &pass{layer: l, normals: normals}
	if p.rows, err = prior.Project(ctx, workers, &l.kernel, x); err != nil {
		return nil, err
	}
	if p.moments, err = l.moments(ctx, workers, x, p.rows.Rows); err != nil {
		return nil, err
	}
	p.output = sample(p.mean.Data, p.variance.Data, normals)
	return p, nil
}

// sample returns mean + √variance ε.
func sample(mean, variance, normals []float64) []float64 {
	out := make([]float64, len(mean))
	for i, v := range variance {
		out[i] = mean[i] + math.Sqrt(v)*normals[i]
	}
	return out
}

// gradient is that of a scalar with respect to a layer.
type gradient struct {
	covariance.Gradient
	inputs       []float64
	means, roots blas64.General
}

func (l *layer) newGradient() *gradient {
	return &gradient{
		covariance.NewGradient(len(l.kernel.Lengths)), make([]float64, len(l.inputs)),
		dense.New(l.means.Rows, l.means.Cols), dense.New(l.roots.Rows, l.roots.Cols),
	}
}

// backward adds to g, and to dx [B, d] unless nil, the gradient of a scalar whose
// gradient with respect to the output is cotangent [B, W]. That with respect to a row is
//
//	Σ_o ∂mean_o μ_o + 2 Σ_o ∂variance_o (T_oᵀ T_o a − a)
func (p *pass) backward(ctx context.Context, workers int, cotangent []float64, g *gradient, dx []float64) error {
	a := p.rows.Rows
	n, m, width := a.Rows, a.Cols, p.means.Rows
	onMean := blas64.General{Rows: n, Cols: width, Stride: width, Data: cotangent}
	onRow := dense.New(n, m)
	if err := dense.AddMul(ctx, workers, 1, dense.Whole(onMean), dense.Whole(p.means), onRow); err != nil {
		return err
	}
	for i := range n {
		var total float64
		for o := range width {
			at := i*width + o
			onVariance := cotangent[at] * p.normals[at] / (2 * math.Sqrt(p.variance.Data[at]))
			total += onVariance
			spread := dense.Row(p.spread, i)[o*m : (o+1)*m]
			for j := range spread {
				spread[j] *= 2 * onVariance
			}
		}
		g.LogVariance += total * p.kernel.Variance
		dense.AddScaled(dense.Row(onRow, i), -2*total, dense.Row(a, i))
	}
	if err := dense.AddMul(ctx, workers, 1, dense.Whole(onMean).T(), dense.Whole(a), g.means); err != nil {
		return err
	}
	err := method.Share(ctx, workers, width, func(_, o int) error {
		own := dense.Whole(dense.View(p.spread, 0, o*m, n, m))
		return dense.AddMulLower(ctx, 1, 1, own.T(), dense.Whole(a), dense.View(g.roots, o*m, 0, m, m))
	})
	if err != nil {
		return err
	}
	for o := range width {
		if err := dense.AddMul(ctx, workers, 1, dense.Whole(dense.View(p.spread, 0, o*m, n, m)), dense.Lower(p.root(o)), onRow); err != nil {
			return err
		}
	}
	if err := p.rows.Pull(ctx, workers, &g.Gradient, g.inputs, dx, onRow); err != nil || dx == nil {
		return err
	}
	if p.project.Data == nil {
		dense.AddScaled(dx, 1, cotangent)
		return nil
	}
	d := p.project.Rows
	back := blas64.General{Rows: n, Cols: d, Stride: d, Data: dx}
	return dense.AddMul(ctx, workers, 1, dense.Whole(onMean), dense.Whole(p.project).T(), back)
}

// divergence returns Σ_o KL(q(v_o) ‖ N(0, 1)) = Σ_o ½ (‖T_o‖² + ‖μ_o‖² − M) − Σ log T_oii
// and, unless g is nil, takes its gradient from g.
func (l *layer) divergence(g *gradient) float64 {
	m := l.roots.Cols
	sum := (dense.Dot(l.means.Data, l.means.Data) + dense.Dot(l.roots.Data, l.roots.Data) - float64(l.roots.Rows)) / 2
	for i := range l.roots.Rows {
		sum -= math.Log(dense.Row(l.roots, i)[i%m])
	}
	if g == nil {
		return sum
	}
	dense.AddScaled(g.means.Data, -1, l.means.Data)
	for i := range l.roots.Rows {
		own, root := dense.Row(g.roots, i)[:i%m+1], dense.Row(l.roots, i)[:i%m+1]
		dense.AddScaled(own, -1, root)
		own[i%m] += 1 / root[i%m]
	}
	return sum
}
