package main

import (
	"math"

	"beziergp/internal/process/buttress"
	"beziergp/internal/process/surface"
	"beziergp/internal/simd"
)

// chain is the arithmetic that everything else is made of: a batch through the
// mean buttresses, forward and backward, tile by tile. All
// its numbers follow from formulas, so that another program can use the same.
type chain struct {
	surface  *surface.Surface
	ensemble *buttress.Ensemble
	pool     *simd.Pool
	x        []float32          // [batch, d]
	tiles    []*surface.Tile    // the bases of the whole batch
	states   []*buttress.States // by worker
	w, dw    []float32
	out      [][]float32 // by buttress, [TilePoints]
	f        []float32   // [batch]
	at       int         // the tile in work

	cotangent       []float32
	forwards, boths func(worker, part int)
}

// newChain returns the chain of a shape on the workers of pool.
func newChain(s shape, pool *simd.Pool) *chain {
	c := &chain{pool: pool, f: make([]float32, s.batch), cotangent: make([]float32, s.batch)}
	c.surface = s.surface()
	c.ensemble = c.surface.Group(0).Ensemble
	d := len(s.widths)
	c.x = make([]float32, s.batch*d)
	for i := range c.x {
		c.x[i] = coordinate(i/d, i%d)
	}
	for from := 0; from < s.batch; from += c.surface.TilePoints() {
		tile := c.surface.NewTile(0)
		n := min(c.surface.TilePoints(), s.batch-from)
		tile.Fill(c.x[from*d : (from+n)*d])
		c.tiles = append(c.tiles, tile)
	}
	for range pool.Workers() {
		c.states = append(c.states, c.ensemble.NewKeptStates(c.surface.TilePoints()))
	}
	for range s.buttresses {
		c.out = append(c.out, make([]float32, c.surface.TilePoints()))
	}
	c.w, c.dw = make([]float32, c.ensemble.Size()), make([]float32, c.ensemble.Size())
	for i := range c.w {
		c.w[i] = weight(i)
	}
	for p := range c.cotangent {
		c.cotangent[p] = float32(math.Cos(float64(p)))
	}
	c.forwards = func(worker, k int) {
		c.ensemble.Forward(k, c.ensemble.Weights(c.w, k), &c.tiles[c.at].Mean, c.states[worker], c.out[k])
	}
	c.boths = func(worker, k int) {
		c.forwards(worker, k)
		dw := c.ensemble.Weights(c.dw, k)
		if c.at == 0 {
			clear(dw)
		}
		c.ensemble.Backward(k, c.ensemble.Weights(c.w, k), &c.tiles[c.at].Mean, c.states[worker], c.cotangent[c.at*c.surface.TilePoints():], dw)
	}
	return c
}

// coordinate returns input γ of point p: a Weyl sequence.
func coordinate(p, input int) float32 {
	_, t := math.Modf(float64(p+1) * math.Sqrt(float64(input+2)))
	return float32(t)
}

// weight returns weight i of all buttresses, about one.
func weight(i int) float32 { return float32(1 + 0.1*math.Sin(float64(i))) }

// forward runs the batch forward.
func (c *chain) forward() {
	for c.at = range c.tiles {
		c.pool.Do(len(c.out), c.forwards)
		c.sum()
	}
}

// both runs the batch forward and backward, each buttress with the same cotangent.
func (c *chain) both() {
	for c.at = range c.tiles {
		c.pool.Do(len(c.out), c.boths)
	}
}

// sum adds the buttresses up.
func (c *chain) sum() {
	f := c.f[c.at*c.surface.TilePoints():][:c.tiles[c.at].Mean.Points]
	clear(f)
	for _, out := range c.out {
		for p := range f {
			f[p] += out[p]
		}
	}
}
