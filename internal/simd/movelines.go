package simd

import (
	"math"
	"unsafe"
)

// LineStep is a step of gradient descent on the lines of n weights that begin at a place
// in some records in use, from one on, with a penalty on what they differ from a center and their
// weights from their neighbours. For a line w, v with gradient g:
//
//	g[i] += due ((w[i] − Center[i]) + (w[i] − w[i−1]) + (w[i] − w[i+1]))
//	v = Beta2 v + (1 − Beta2) · mean of g[i]²
//	move[i] = Rate / (√(v · correction) + Epsilon) · g[i]
//	w[i] −= move[i]
//	Moved[i] −= share · move[i]
//	g[i] = 0
type LineStep struct {
	Place, From   int
	Gradient      []float32   // [records, n]
	Center, Moved []float32   // [n]
	Edges         []float32   // [Edges]
	Lines         []LineShare // of the records

	Beta2, Rate, Epsilon float32
}

// LineShare is what a record in use has of its own in a [LineStep].
type LineShare struct{ Due, Correction, Share, _ float32 }

// Edges returns which of n weights in a line have neighbours, as bits of zeros and ones: i
// has the one before by the i-th, and the one after by the next. Where weights have no
// order, none has.
func Edges(n int, ordered bool) []float32 {
	edges := make([]float32, n+1)
	if ordered {
		for i := 1; i < n; i++ {
			edges[i] = math.Float32frombits(math.MaxUint32)
		}
	}
	return edges
}

// Move takes a step.
func (r *Records) Move(s *LineStep) { active.MoveLines(r, s) }

// MoveLines is [Records.Move] on one tier.
func (t *tier) MoveLines(r *Records, s *LineStep) {
	n, count := len(s.Center), len(s.Lines)
	if count == 0 || n == 0 {
		return
	}
	r.check(s.Place, n)
	gradient, moved, edges, at := s.Gradient[:count*n], s.Moved[:n], s.Edges[:n+1], r.at[:r.chosen:r.chosen][s.From:s.From+count]
	if t.moveLines == nil {
		for k, from := range at {
			own := r.table[from+s.Place:][:n+1]
			moveLine(own[:n], &own[n], gradient[k*n:(k+1)*n], s, &s.Lines[k])
		}
		return
	}
	t.moveLines(&r.table[s.Place], unsafe.SliceData(at), unsafe.SliceData(gradient), unsafe.SliceData(s.Center), unsafe.SliceData(moved),
		unsafe.SliceData(edges), &s.Lines[0].Due, count, n, s.Beta2, (1-s.Beta2)/float32(n), s.Rate, s.Epsilon)
}

// moveLine is the reference body of a line of [Records.Move].
func moveLine(w []float32, v *float32, g []float32, s *LineStep, l *LineShare) {
	center, moved, edges := s.Center[:len(w)], s.Moved[:len(w)], s.Edges[:len(w)+1]
	g = g[:len(w)]
	var sum float32
	for i, x := range w {
		d := x - center[i]
		if edges[i] != 0 {
			d += x - w[i-1]
		}
		if edges[i+1] != 0 {
			d += x - w[i+1]
		}
		g[i] += l.Due * d
		sum += g[i] * g[i]
	}
	*v = s.Beta2**v + (1-s.Beta2)/float32(len(w))*sum
	factor := s.Rate / (float32(math.Sqrt(float64(*v*l.Correction))) + s.Epsilon)
	for i := range w {
		move := factor * g[i]
		w[i] -= move
		moved[i] -= l.Share * move
	}
	clear(g)
}
