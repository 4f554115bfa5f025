package covariance

import (
	"errors"
	"fmt"
	"math"
)

// Hyper are the parameters of y = m + f(x) + ε with f a process of a kernel and ε
// Gaussian noise, for standardised inputs and target.
type Hyper struct {
	Kernel
	Noise float64 `json:"noise"` // variance σ² of ε
	Mean  float64 `json:"mean"`  // m
}

// Check fails on parameters that are not those of a process of d inputs.
func (h *Hyper) Check(d int) error {
	if err := h.Kernel.Check(d); err != nil {
		return err
	}
	if math.IsNaN(h.Mean) || math.IsInf(h.Mean, 0) {
		return fmt.Errorf("covariance: the mean is %g", h.Mean)
	}
	return positive(h.Noise)
}

// Check fails on parameters that are not those of a kernel of d inputs.
func (k *Kernel) Check(d int) error {
	if err := k.Family.Check(); err != nil {
		return err
	}
	if len(k.Lengths) != d {
		return fmt.Errorf("covariance: %d lengthscales for %d inputs", len(k.Lengths), d)
	}
	return positive(append([]float64{k.Variance}, k.Lengths...)...)
}

func positive(parameters ...float64) error {
	for _, v := range parameters {
		if !(v > 0) || math.IsInf(v, 0) {
			return fmt.Errorf("covariance: a parameter is %g instead of a positive number", v)
		}
	}
	return nil
}

// HyperGradient is a gradient with respect to them; of the noise, with respect to σ²
// itself.
type HyperGradient struct {
	Gradient
	Noise, Mean float64
}

// NewHyperGradient is that of a constant.
func NewHyperGradient(d int) HyperGradient { return HyperGradient{Gradient: NewGradient(d)} }

// Start are sensible parameters to begin with for d standardised inputs: squared
// distances between rows are 2d on average.
func Start(family Family, d int) Hyper {
	h := Hyper{Kernel: Kernel{Family: family, Variance: 1, Lengths: make([]float64, d)}, Noise: 0.1}
	for j := range h.Lengths {
		h.Lengths[j] = math.Sqrt(float64(d))
	}
	return h
}

// Floor is the smallest variance of the noise of a standardised target: a
// thousandth of its deviation, squared. Below it covariances lose their digits.
const Floor = 1e-6

// Reach bounds the logarithms of parameters, of 10⁻⁹ to 10⁹ in standardised units.
const Reach = 20.7

// ErrReach says that parameters have left the range in which the arithmetic holds.
var ErrReach = errors.New("covariance: a parameter below 1e-9 or above 1e9 of its unit")

// Len is the number of parameters.
func (h *Hyper) Len() int { return len(h.Lengths) + 3 }

// Pack writes the parameters to x as optimisers see them: log v, log ℓ [d],
// log(σ² − Floor), m.
func (h *Hyper) Pack(x []float64) {
	d := len(h.Lengths)
	x[0] = math.Log(h.Variance)
	for j, l := range h.Lengths {
		x[1+j] = math.Log(l)
	}
	x[1+d], x[2+d] = math.Log(h.Noise-Floor), h.Mean
}

// Unpack is the inverse of Pack. It fails with [ErrReach].
func (h *Hyper) Unpack(x []float64) error {
	d := len(h.Lengths)
	for _, v := range x[:2+d] {
		if !(math.Abs(v) <= Reach) {
			return ErrReach
		}
	}
	if math.IsNaN(x[2+d]) || math.IsInf(x[2+d], 0) {
		return ErrReach
	}
	h.Variance = math.Exp(x[0])
	for j := range h.Lengths {
		h.Lengths[j] = math.Exp(x[1+j])
	}
	h.Noise, h.Mean = Floor+math.Exp(x[1+d]), x[2+d]
	return nil
}

// Clamp moves what Pack has written, and a step has changed, back within the range
// that Unpack accepts.
func (h *Hyper) Clamp(x []float64) {
	for i, v := range x[:2+len(h.Lengths)] {
		x[i] = max(-Reach, min(Reach, v))
	}
}

// Pack writes g to x as the gradient with respect to what h.Pack writes.
func (g *HyperGradient) Pack(x []float64, h *Hyper) {
	x[0] = g.LogVariance
	copy(x[1:], g.LogLengths)
	d := len(g.LogLengths)
	x[1+d], x[2+d] = g.Noise*(h.Noise-Floor), g.Mean
}
