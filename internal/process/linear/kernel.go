package linear

import "math"

// Points are the basis values of rows, ready for covariances between any two. They are
// immutable and safe for concurrent use.
//
// Functions that are local have few values that are not zero, and of two rows few have
// functions in common: where an input has none, their covariance is zero at once.
type Points struct {
	process *Process
	n       int
	bases   int       // of all stacks
	at      []int32   // where the values of a row's basis begin, [n·bases + 1]
	first   []int32   // which function the first of them is, [n·bases]
	values  []float64 // those between the first and the last that are not zero
}

// NewPoints returns the rows x, [n, d], in the unit box of the process.
func (p *Process) NewPoints(x []float32) *Points {
	d := len(p.stacks)
	k := &Points{process: p, n: len(x) / d, at: []int32{0}}
	for i := range p.stacks {
		k.bases += len(p.stacks[i].Bases)
	}
	var own []float64
	for row := range k.n {
		for i := range p.stacks {
			s := &p.stacks[i]
			if len(own) < s.Width() {
				own = make([]float64, s.Width())
			}
			s.Values(own, x[row*d+i:row*d+i+1])
			for b := range s.Bases {
				values := own[s.At[b]:s.At[b+1]]
				lo, hi := 0, len(values)
				for lo < hi-1 && values[lo] == 0 {
					lo++
				}
				for hi > lo+1 && values[hi-1] == 0 {
					hi--
				}
				k.values = append(k.values, values[lo:hi]...)
				k.first, k.at = append(k.first, int32(lo)), append(k.at, int32(len(k.values)))
			}
		}
	}
	return k
}

// Rows returns n.
func (k *Points) Rows() int { return k.n }

// Kernel is memory for covariances between points. It serves one caller at a time.
type Kernel struct {
	*Points
	windows []window  // of every basis
	product []float64 // of their node factors
	a, b    []float64
}

// window is the functions of a basis that vanish at neither of two points.
type window struct{ lo, hi, at int }

// NewKernel returns memory for covariances.
func (k *Points) NewKernel() *Kernel {
	widest, all := 1, 0
	for _, s := range k.process.stacks {
		widest = max(widest, s.Width())
		all += s.Width()
	}
	return &Kernel{Points: k, windows: make([]window, k.bases), product: make([]float64, all), a: make([]float64, widest), b: make([]float64, widest)}
}

// Covariance returns Cov(f(x_i), f(x_j)).
func (k *Kernel) Covariance(i, j int) float64 {
	if i > j {
		i, j = j, i // so that both orders have the same bits
	}
	if !k.multiply(i, j) {
		return 0
	}
	var total float64
	for c := range k.process.variance.chains {
		total += k.chain(&k.process.variance.chains[c])
	}
	return total * k.process.variance.scale
}

// multiply finds the node factors of two points, and whether every input has some.
func (k *Kernel) multiply(i, j int) bool {
	b, at := 0, 0
	for input := range k.process.stacks {
		s, any := &k.process.stacks[input], false
		for own := range s.Bases {
			p, q := i*k.bases+b, j*k.bases+b
			lo := max(k.first[p], k.first[q])
			hi := min(k.first[p]+k.at[p+1]-k.at[p], k.first[q]+k.at[q+1]-k.at[q])
			w := window{int(lo), int(max(lo, hi)), at}
			k.windows[b] = w
			b++
			if w.lo == w.hi {
				continue
			}
			any = true
			x, z := k.values[k.at[p]-k.first[p]+lo:], k.values[k.at[q]-k.first[q]+lo:]
			prior := s.prior[s.At[own]+w.lo:]
			for n := range w.hi - w.lo {
				k.product[at] = prior[n] * x[n] * z[n]
				at++
			}
		}
		if !any {
			return false
		}
	}
	return true
}

// chain returns the sum over the paths of one buttress through the windows.
func (k *Kernel) chain(c *chain) float64 {
	a, from, exponent := k.a[:1], 0, 0
	a[0] = 1
	next := k.b
	for g := range c.layers {
		l := &c.layers[g]
		w := k.windows[l.basis]
		if w.lo == w.hi {
			return 0
		}
		out := next[:w.hi-w.lo]
		clear(out)
		for i, v := range a {
			row := c.w[l.at+(from+i)*l.cols+w.lo:][:len(out)]
			for j, weight := range row {
				out[j] += v * float64(weight)
			}
		}
		for j := range out {
			out[j] *= k.product[w.at+j]
		}
		if g%16 == 15 {
			exponent += takeExponent(out)
		}
		a, next, from = out, a[:cap(a)], w.lo
	}
	var sum float64
	for _, v := range a {
		sum += v
	}
	return math.Ldexp(sum, exponent)
}
