package simd

import "unsafe"

// Flank is the states of a layer on one side of another one that they skip: of the nodes before
// it, or of those behind it.
type Flank struct {
	Values []float32
	Nodes  int
	// Support is how many functions do not vanish at a point where the layer is local, and 0
	// where it is not; First [n] are then the first of them, and values lie as [Slot] says.
	Support int
	First   []int32
}

func (f *Flank) side() side {
	if f.Support == 0 {
		return side{values: f.Values, count: f.Nodes}
	}
	return side{values: f.Values, first: f.First, count: f.Support, slot: Slot(f.Support)}
}

func (f *Flank) check(n, ld int) {
	if f.Support == 0 {
		checkMatrix(f.Values, f.Nodes, n, ld)
		return
	}
	if len(f.Values) < n*Slot(f.Support) || len(f.First) < n {
		panic(errShort)
	}
}

// AddFlanks adds the products of states on both sides of a layer, for all nodes i of a, k of b
// and p < n:
//
//	dst[i, k] += Σ_p a[i,p] · b[k,p]
func AddFlanks(dst []float32, a, b Flank, n, ld int) { active.AddFlanks(dst, a, b, n, ld) }

// AddFlanks is [AddFlanks] on one tier.
func (t *tier) AddFlanks(dst []float32, a, b Flank, n, ld int) {
	if n == 0 {
		return
	}
	a.check(n, ld)
	b.check(n, ld)
	if len(dst) < a.Nodes*b.Nodes {
		panic(errShort)
	}
	if a.Support == 0 && b.Support == 0 {
		t.Outer(dst, a.Values, b.Values, a.Nodes, b.Nodes, n, ld)
		return
	}
	if f := t.blockGradient[a.Support][b.Support]; f != nil {
		f(unsafe.SliceData(a.Values), unsafe.SliceData(b.Values), unsafe.SliceData(a.First), unsafe.SliceData(b.First), unsafe.SliceData(dst), b.Nodes, n)
		return
	}
	outerBlockGeneric(dst, a.side(), b.side(), b.Nodes, n, ld)
}

// AddAcross adds what arrives at the nodes j of a layer from both sides, multiplied, for p < n:
//
//	dst[j] += Σ_p (Σ_i a[i,p] · before[i,j]) (Σ_k b[k,p] · behind[k,j])
//
// before is [nodes of a, len(dst)] and behind [nodes of b, len(dst)]. memory is of twice the
// length of dst.
func AddAcross(dst, memory, before, behind []float32, a, b Flank, n, ld int) {
	m := len(dst)
	arrives := [2][]float32{memory[:m], memory[m : 2*m]}
	sides, weights := [2]side{a.side(), b.side()}, [2][]float32{before, behind}
	for p := range n {
		for k := range sides {
			s, sum := &sides[k], arrives[k]
			clear(sum)
			for i := range s.count {
				v, node := s.values[s.at(i, p, ld)], s.node(p)+i
				if v == 0 {
					continue
				}
				for j, w := range weights[k][node*m:][:m] {
					sum[j] += v * w
				}
			}
		}
		for j, v := range arrives[0] {
			dst[j] += v * arrives[1][j]
		}
	}
}
