package elbo

import (
	"encoding/binary"
	"fmt"
	"math"

	"beziergp/internal/process/surface"
	"beziergp/internal/simd"
)

// Exchange sends a message to all ranks, this one included, and returns theirs by rank.
type Exchange func(own []byte) ([][]byte, error)

// Shared is a [Bound] of which every rank computes a portion of the buttresses, all of them on
// the same mini-batch. Values of buttresses at rows are all that ranks tell each other: a buttress's
// gradient is complete where its values are. A few tiles go forward, their values are exchanged, and
// they go backward. Whatever is added up is added in the order of a [Bound], so that terms and
// gradient have its bits. Of a step on B rows a rank of r buttresses sends every other
//
//	8 r B + 8 r
//
// bytes: means and variances of float32, and a float64 of the KL.
type Shared struct {
	*Bound
	portions []Portion // by rank
	together int       // tiles
	exchange Exchange
	late     []byte // variances that are known after the backward pass
}

// together returns the number of tiles that go forward before their values are exchanged: several
// pay for one latency, as long as their states stay in cache. Measured.
func together(s *surface.Surface, buttresses int) int {
	const most = 8
	if n := s.KeptTiles(buttresses); n > 0 { // else states are computed again
		return min(n, most)
	}
	return most
}

// NewShared returns the bound of one of several ranks, with n rows on all. No rank may be without
// buttresses.
func NewShared(s *surface.Surface, likelihood Likelihood, rows int, pool *simd.Pool, rank, size int, exchange Exchange) *Shared {
	b := &Shared{exchange: exchange}
	for r := range size {
		b.portions = append(b.portions, PortionOf(s, r, size))
	}
	b.together = together(s, b.portions[0].Len()) // the same on all, some of which have one buttress more
	b.Bound = newBound(s, likelihood, rows, pool, b.portions[rank], b.together)
	for len(b.tilePasses) < b.together {
		b.tilePasses = append(b.tilePasses, newTilePass(b.Bound))
	}
	return b
}

// Evaluate is that of [Bound], of which gradient gets the part of the own buttresses alone. It
// reads of params what belongs to them. All ranks call it with equal arguments. After an error
// what it has written means nothing.
func (b *Shared) Evaluate(params []float32, logDispersion float64, rows Batch, gradient []float32) (Terms, error) {
	b.begin(params, logDispersion, rows, gradient)
	b.shares[0].gradient = gradient
	b.call.shares, b.late = b.shares, b.late[:0]
	for from := 0; from < rows.Len(); from += b.together * b.surface.TilePoints() {
		if err := b.tiles(from); err != nil {
			return Terms{}, err
		}
	}
	b.pool.Do(2*b.own.Len(), b.finish)
	err := b.settle()
	return b.terms, err
}

// tiles takes a few tiles, the first of which begins with row from.
func (b *Shared) tiles(from int) error {
	under := b.tilePasses[:min(b.together, ceilDiv(b.call.rows.Len()-from, b.surface.TilePoints()))]
	var message []byte
	for i, l := range under {
		l.ahead(from+i*b.surface.TilePoints(), b.pool)
		if message = b.append(message, l, &l.means); !b.linear {
			message = b.append(message, l, &l.variances)
		}
	}
	in, err := b.ask(message)
	if err != nil {
		return err
	}
	for _, l := range under {
		if in.read(b, l, &l.means); !b.linear {
			in.read(b, l, &l.variances)
		}
	}
	if err := in.end(); err != nil {
		return err
	}
	for _, l := range under {
		l.back(&b.shares[0], b.pool)
		b.terms.Loss += b.call.scale * b.shares[0].loss
		b.terms.LogNormaliser += b.call.scale * b.shares[0].normaliser
		if b.linear {
			b.late = b.append(b.late, l, &l.variances)
		}
	}
	return nil
}

// settle adds to the terms what is known after the backward passes.
func (b *Shared) settle() error {
	for part := b.own.From; part < b.own.To; part++ {
		b.late = binary.LittleEndian.AppendUint64(b.late, math.Float64bits(b.kl[part].PerPath()))
	}
	in, err := b.ask(b.late)
	if err != nil {
		return err
	}
	if b.linear {
		l, points := b.tilePasses[0], b.surface.TilePoints()
		for l.from = 0; l.from < b.call.rows.Len(); l.from += points {
			l.to = min(l.from+points, b.call.rows.Len())
			l.weigh()
			in.read(b, l, &l.variances)
			b.terms.Variance += b.call.scale * l.linearTerm()
		}
	}
	perPath := make([]float64, len(b.tasks))
	for r, own := range b.portions {
		in.take(r, perPath[own.From:own.To])
	}
	b.sumKL(func(part int) float64 { return perPath[part] })
	return in.end()
}

// append adds the values of the own buttresses at a tile to a message.
func (b *Shared) append(message []byte, l *tilePass, p *passes) []byte {
	for part := b.own.From; part < b.own.To; part++ {
		message, _ = binary.Append(message, binary.LittleEndian, p.values[part][:l.to-l.from]) // of fixed size, which does not fail
	}
	return message
}

// letters is what all ranks have said, of which less and less is left.
type letters struct {
	left   [][]byte
	failed error
}

func (b *Shared) ask(own []byte) (letters, error) {
	all, err := b.exchange(own)
	return letters{left: all}, err
}

// read takes the values of all buttresses at a tile.
func (in *letters) read(b *Shared, l *tilePass, p *passes) {
	for r, own := range b.portions {
		for part := own.From; part < own.To; part++ {
			in.take(r, p.values[part][:l.to-l.from])
		}
	}
}

// take reads numbers of what a rank has said.
func (in *letters) take(rank int, numbers any) {
	n, err := binary.Decode(in.left[rank], binary.LittleEndian, numbers)
	if err != nil {
		in.failed = fmt.Errorf("rank %d has said too little of a step: %w", rank, err)
		return
	}
	in.left[rank] = in.left[rank][n:]
}

// end returns what was wrong with any of it.
func (in *letters) end() error {
	for r, left := range in.left {
		if len(left) > 0 && in.failed == nil {
			in.failed = fmt.Errorf("rank %d has said %d bytes more of a step than there are to read", r, len(left))
		}
	}
	return in.failed
}
