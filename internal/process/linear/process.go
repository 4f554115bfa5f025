// Package linear evaluates linear functionals of a Bézier Gaussian process that factorise
// over the inputs. Of L = L_1 ⊗ … ⊗ L_d, where L_γ takes a function of input γ to a number
// (its value at a place, an integral with weights, an average over rows),
//
//	E[L f]         = Σ_k Σ_paths Π_γ W_γ · L_γ φ
//	Cov(L f, L′ f) = Σ_k 1/r Σ_paths Π_γ exp V_γ · ς (L_γ φ)(L′_γ φ)
//
// for control points are independent: every buttress is a chain of small products in which
// L_γ φ has the place of the basis values of input γ. Chains are carried in float64 with
// powers of two taken out, so that hundreds of inputs stay in range.
package linear

import (
	"slices"

	"beziergp/internal/process/basis"
	"beziergp/internal/process/surface"
)

// Process is a posterior ready for functionals. It is immutable and safe for concurrent
// use.
//
// The groups of a surface may have different bases of one input. Its stack is those that
// differ, one behind the other: a functional is a vector over the stack for every input.
type Process struct {
	stacks   []Stack
	mean     *Sum
	variance *Sum
}

// Functional is the values of a factorising functional, by input and function of its stack,
// [d][M].
type Functional [][]float64

// Stack is the bases of one input that differ, one behind the other.
type Stack struct {
	Bases []basis.Basis
	// At is where each of them begins in a vector over the stack, and where the last ends.
	At    []int
	prior []float64 // ς, [M]
}

// Width returns M, the number of functions of all bases.
func (s *Stack) Width() int { return s.At[len(s.Bases)] }

// Values writes all functions at n coordinates to dst, [n, M] by rows: where a coordinate is
// unknown, NaN, their averages.
func (s *Stack) Values(dst []float64, t []float32) {
	n, width := len(t), s.Width()
	for k, b := range s.Bases {
		support := b.Support()
		first, values := make([]int32, n), make([]float32, n*support)
		b.LocalValues(first, values, t, n, support)
		average := b.Spec().Average
		for p, v := range t {
			own := dst[p*width+s.At[k] : p*width+s.At[k+1]]
			clear(own)
			if v != v {
				copy(own, average)
				continue
			}
			for i, v := range values[p*support:][:support] {
				if v != 0 {
					own[int(first[p])+i] = float64(v)
				}
			}
		}
	}
}

// Averages returns the functions' averages over the training rows that have the input, [M]; nil
// where a basis has none.
func (s *Stack) Averages() (all []float64) {
	for _, b := range s.Bases {
		average := b.Spec().Average
		if average == nil {
			return nil
		}
		if b.Spec().Kind == basis.KindKnown { // which has another value where the input is not known
			average = b.Mean()
		}
		all = append(all, average...)
	}
	return all
}

// New returns the process of a posterior of one output ([surface.Posterior.Output]).
func New(q *surface.Posterior) *Process {
	if q.Outputs() > 1 {
		panic("linear: a process of several outputs: take them one by one, by Posterior.Output")
	}
	p := &Process{stacks: make([]Stack, q.Inputs()), mean: &Sum{scale: 1}, variance: &Sum{scale: q.PriorScale()}}
	known := make([]map[string]int, q.Inputs())
	for i := range known {
		known[i], p.stacks[i].At = map[string]int{}, []int{0}
	}
	for g := range q.Groups() {
		group := q.Group(g)
		at := make([]int, q.Inputs())
		for i, b := range group.Bases {
			s := &p.stacks[i]
			key := b.Spec().Key()
			k, ok := known[i][key]
			if !ok {
				k = len(s.Bases)
				known[i][key] = k
				s.Bases, s.At = append(s.Bases, b), append(s.At, s.At[k]+b.Nodes())
				for _, v := range q.NodeVariance(g, i) {
					s.prior = append(s.prior, float64(v))
				}
			}
			at[i] = s.At[k]
		}
		e := group.Ensemble
		for k, ordering := range e.Orderings() {
			if group.HasMean() {
				p.mean.chains = append(p.mean.chains, newChain(ordering, e.Widths(), at, e.Weights(q.Mean(q.Params(), g), k)))
			}
			if group.HasVariance() {
				p.variance.chains = append(p.variance.chains, newChain(ordering, e.Widths(), at, e.Weights(q.ExpV(g), k)))
			}
		}
	}
	for i := range p.stacks {
		p.mean.widths = append(p.mean.widths, p.stacks[i].Width())
	}
	p.variance.widths = p.mean.widths
	p.number()
	return p
}

// number gives the bases of all stacks numbers, which layers of the variance know.
func (p *Process) number() {
	before := make([]int, len(p.stacks)+1)
	for i := range p.stacks {
		before[i+1] = before[i] + len(p.stacks[i].Bases)
	}
	for c := range p.variance.chains {
		for g := range p.variance.chains[c].layers {
			l := &p.variance.chains[c].layers[g]
			l.basis = before[l.input] + slices.Index(p.stacks[l.input].At, l.stack)
		}
	}
}

// Inputs returns d.
func (p *Process) Inputs() int { return len(p.stacks) }

// Stack returns the bases of an input.
func (p *Process) Stack(input int) *Stack { return &p.stacks[input] }

// Mean returns the sum whose node factors are a functional: its value is E[L f].
func (p *Process) Mean() *Sum { return p.mean }

// Variance returns the sum whose node factors are those of [Process.Product]: its value is
// Cov(L f, L′ f).
func (p *Process) Variance() *Sum { return p.variance }

// Product returns the node factors ς L_γ φ · L′_γ φ of a covariance.
func (p *Process) Product(a, b Functional) Functional {
	out := make(Functional, len(a))
	for i := range a {
		out[i] = p.ProductOf(i, a[i], b[i])
	}
	return out
}

// ProductOf returns them for one input, [M].
func (p *Process) ProductOf(input int, a, b []float64) []float64 {
	out := make([]float64, len(a))
	for j, prior := range p.stacks[input].prior {
		out[j] = prior * a[j] * b[j]
	}
	return out
}
