package deepgp

import (
	"fmt"
	"strconv"

	"gonum.org/v1/gonum/blas/blas64"

	"beziergp/rival/method"
	"beziergp/rival/method/dense"
	"beziergp/rival/method/inducing"
)

// Names of tensors beside those of the last layer, which are package inducing's; those of
// an inner layer have its number behind them. Lower triangles are packed.
const (
	inputs     = "inputs"     // Z [M, d]
	inverse    = "inverse"    // L⁻¹ [M (M + 1)/2]
	mean       = "mean"       // μ [W, M]
	root       = "root"       // T [W, M (M + 1)/2]
	projection = "projection" // P [d, W] of the first layer; absent for the identity
	draws      = "draws"      // ε [S, W a layer]
)

func numbered(name string, layer int) string { return name + strconv.Itoa(layer+1) }

// State implements [method.Storable].
func (p *Process) State() (method.State, error) {
	tensors := p.last.Tensors()
	for i, l := range p.layers {
		var roots []float64
		for o := range l.means.Rows {
			roots = append(roots, dense.Pack(l.root(o))...)
		}
		tensors[numbered(inputs, i)] = method.Rows(l.inputs, len(l.kernel.Lengths))
		tensors[numbered(inverse, i)] = method.Vector(dense.Pack(l.prior.Inverse))
		tensors[numbered(mean, i)] = method.Rows(l.means.Data, l.means.Cols)
		tensors[numbered(root, i)] = method.Rows(roots, len(roots)/l.means.Rows)
		if l.project.Data != nil {
			tensors[projection] = method.Rows(l.project.Data, l.project.Cols)
		}
	}
	if len(p.layers) > 0 {
		tensors[draws] = method.Rows(p.draws, len(p.draws)/p.learned.Options.Samples)
	}
	return method.NewState("deepgp", p.scaling, p.learned, tensors)
}

// Restore returns the process of a state, which predicts on one goroutine a call.
func Restore(s method.State) (method.Storable, error) {
	p := &Process{scaling: s.Scaling, workers: 1}
	d, err := s.Open("deepgp", &p.learned)
	if err != nil {
		return nil, err
	}
	options, err := p.learned.Options.options()
	if err != nil {
		return nil, err
	}
	p.learned.Options = options
	if len(p.learned.Layers) != options.Layers-1 {
		return nil, fmt.Errorf("deepgp: %d kernels of inner layers, %d layers", len(p.learned.Layers), options.Layers)
	}
	width := min(d, mostWidth)
	for i := range p.learned.Layers {
		l, err := p.restore(s, i, d, width)
		if err != nil {
			return nil, err
		}
		p.layers, d = append(p.layers, l), width
	}
	if p.last, err = inducing.Read(s, d, &p.learned.Hyper); err != nil {
		return nil, err
	}
	if len(p.layers) > 0 {
		t, err := s.Tensor(draws, p.learned.Options.Samples, width*len(p.layers))
		if err != nil {
			return nil, err
		}
		p.draws = t.Data
	}
	return p, nil
}

// restore returns inner layer i, of d inputs.
func (p *Process) restore(s method.State, i, d, width int) (known, error) {
	l := &layer{kernel: p.learned.Layers[i]}
	if err := l.kernel.Check(d); err != nil {
		return known{}, fmt.Errorf("deepgp: layer %d: %w", i+1, err)
	}
	z, err := s.Tensor(numbered(inputs, i), -1, d)
	if err != nil {
		return known{}, err
	}
	m := z.Shape[0]
	packed, err := s.Tensor(numbered(inverse, i), m*(m+1)/2)
	if err != nil {
		return known{}, err
	}
	means, err := s.Tensor(numbered(mean, i), width, m)
	if err != nil {
		return known{}, err
	}
	roots, err := s.Tensor(numbered(root, i), width, m*(m+1)/2)
	if err != nil {
		return known{}, err
	}
	if i == 0 && width < d {
		t, err := s.Tensor(projection, d, width)
		if err != nil {
			return known{}, err
		}
		l.project = blas64.General{Rows: d, Cols: width, Stride: width, Data: t.Data}
	}
	l.inputs, l.means = z.Data, blas64.General{Rows: width, Cols: m, Stride: m, Data: means.Data}
	l.roots = dense.New(width*m, m)
	for o := range width {
		copy(l.root(o).Data, dense.Unpack(m, roots.Data[o*m*(m+1)/2:(o+1)*m*(m+1)/2]).Data)
	}
	return known{l, &inducing.Prior{Points: l.kernel.Points(l.inputs, nil), Inverse: dense.Unpack(m, packed.Data)}}, nil
}
