package predictive

import (
	"math"
	"sync"
)

// lowerQuantiles are those of a Student's t below a half: cubic polynomials on pieces that
// are a 32nd of an octave of u each, from 2^lowestOctave on, so that the bits of u say
// which it is. Between the ends of a piece they are off by 10⁻⁸ of a quantile at most. They
// are made when they are first asked for.
type lowerQuantiles struct {
	once   sync.Once
	pieces []quantilePiece
}

// quantilePiece is Σ c_k ((u − from) · perWidth)^k.
type quantilePiece struct {
	from, perWidth float64
	c              [4]float64
}

const (
	lowestOctave = -20
	pieceBits    = 52 - 5 // below those of a piece
)

// pieceOf returns the number of the piece that has u, were they counted from 0 on.
func pieceOf(u float64) int { return int(math.Float64bits(u) >> pieceBits) }

var firstPiece = pieceOf(math.Ldexp(1, lowestOctave))

func (q *lowerQuantiles) make(f *Family) {
	end := func(piece int) (u, z, slope float64) {
		u = math.Float64frombits(uint64(piece) << pieceBits)
		z = f.student().Quantile(u)
		z -= (f.cdf(z) - u) * math.Exp(-f.logDensity(z)) // a step of Newton's
		return u, z, math.Exp(-f.logDensity(z))
	}
	u, z, slope := end(firstPiece)
	for piece := firstPiece; u < 0.5; piece++ {
		v, y, behind := end(piece + 1)
		h := v - u
		// The polynomial with these values and slopes at the ends (Hermite).
		s, t, rise := h*slope, h*behind, y-z
		q.pieces = append(q.pieces, quantilePiece{u, 1 / h, [4]float64{z, s, 3*rise - 2*s - t, s + t - 2*rise}})
		u, z, slope = v, y, behind
	}
}

// lowerQuantile returns the quantile of a Student's t at u, from 0 to a half.
func (f *Family) lowerQuantile(u float64) float64 {
	q := f.lower
	q.once.Do(func() { q.make(f) })
	k := pieceOf(u) - firstPiece
	switch {
	case k < 0:
		return f.student().Quantile(u)
	case k >= len(q.pieces): // a half
		return 0
	}
	p := &q.pieces[k]
	t := (u - p.from) * p.perWidth
	return ((p.c[3]*t+p.c[2])*t+p.c[1])*t + p.c[0]
}
