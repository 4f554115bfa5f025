package descent

import (
	"math"

	"beziergp/internal/process/elbo"
)

// couples is a layer from one category to another: a weight for each pair of levels, of
// which a mini-batch has no more than rows.
type couples struct {
	from, to *category
	at       int
	whole    []float32 // [levels of from, levels of to]
	v        []float32 // by level of to
	mean     float64   // of all
	last     float64   // what is added to that where the level of to is unknown: see [lines]
	done     []bool    // by slots
}

func newCouples(from, to *category, whole []float32, at int, variance bool) *couples {
	p := &couples{from: from, to: to, at: at, whole: whole[:len(from.all)*len(to.all)], v: make([]float32, len(to.all)), done: make([]bool, from.slots*to.slots)}
	for i, w := range p.whole {
		p.mean += float64(w) * float64(from.all[i/len(to.all)].share) * float64(to.all[i%len(to.all)].share)
	}
	if variance {
		p.last = math.Log(to.squares)
	}
	return p
}

// each visits the pairs of slots in use, some of them more than once; known tells whether
// both levels are.
func (p *couples) each(b elbo.Batch, inputs int, visit func(slots int, known bool, from, to int)) {
	for at := 0; at < len(b.X); at += inputs {
		from, to := p.from.slotOf(b.X[at+p.from.input]), p.to.slotOf(b.X[at+p.to.input])
		visit(from*p.to.slots+to, from < len(p.from.levels) && to < len(p.to.levels), from, to)
	}
}

// weight returns where the weight of two slots' levels is.
func (p *couples) weight(from, to int) int {
	return int(p.from.levels[from])*len(p.to.all) + int(p.to.levels[to])
}

func (p *couples) load(params []float32, b elbo.Batch, inputs int) {
	p.each(b, inputs, func(slots int, known bool, from, to int) {
		w := float32(p.mean)
		if known {
			w = p.whole[p.weight(from, to)]
		} else if to == p.to.slots-1 {
			w += float32(p.last)
		}
		params[p.at+slots] = w
		p.done[slots] = false
	})
}

// move moves the weights of the pairs in use, which are shrunk to their mean.
func (p *couples) move(gradient []float32, b elbo.Batch, inputs int, rate, lambda float64) {
	p.each(b, inputs, func(slots int, known bool, from, to int) {
		g := float64(gradient[p.at+slots])
		gradient[p.at+slots] = 0
		if !known || p.done[slots] {
			return
		}
		p.done[slots] = true
		w, level := &p.whole[p.weight(from, to)], p.to.levels[to]
		g += 2 * lambda * float64(max(p.from.since[from], p.to.since[to])) * (float64(*w) - p.mean)
		move := float32(g * secondMoment(&p.v[level], g*g, float64(p.to.own[to].Correction), rate))
		*w -= move
		p.mean -= float64(move) * float64(p.from.own[from].Share) * float64(p.to.own[to].Share)
	})
}
