// Package seen remembers which rows a model was trained on, in little space: of every
// row a hash, of many rows a sample of them.
//
// The hash is of what the model sees of a row, its inputs and its target: the file, its
// format, the order of rows and columns and what else it holds do not matter. Whoever
// has a model can test whether a row that is known in full was among the rows that it
// was trained on; nobody can read a row off.
package seen

import (
	"crypto/sha256"
	"encoding/binary"
	"math"

	"beziergp/box"
	"beziergp/table"
)

// bits is the length of a hash: a float64 holds it exactly.
const bits = 53

// Hasher hashes rows. It serves one caller at a time.
type Hasher struct {
	key     [sha256.Size]byte
	columns []column
	row     []byte
}

// column is one of the model's.
type column struct {
	kind   table.Kind
	levels int // of a category, with a node each
	pooled bool
}

// NewHasher returns one of rows of the columns of b and the targets. Models of other
// columns have other hashes of equal values.
func NewHasher(b *box.Box, targets ...string) *Hasher {
	h := &Hasher{}
	names := []byte("beziergp.seen")
	add := func(text string) {
		names = binary.LittleEndian.AppendUint64(names, uint64(len(text)))
		names = append(names, text...)
	}
	for _, target := range targets {
		add(target)
	}
	for i, in := range b.Inputs {
		if b.Column(i) < len(h.columns) {
			continue // a further part of a date-time
		}
		add(in.Source())
		h.columns = append(h.columns, column{in.Kind, len(in.Levels), in.Kind == table.Category && in.Nodes() > len(in.Levels)})
	}
	h.key = sha256.Sum256(names)
	return h
}

// Sum returns the hash of row i of columns, those of the box, with the targets y:
//
//	the first 53 bits of SHA-256(SHA-256(names) ‖ values).
//
// Numbers count as float32, as which they may have been stored, date-times to their full
// precision, and a category by its node.
func (h *Hasher) Sum(columns [][]float64, i int, y ...float64) uint64 {
	h.row = append(h.row[:0], h.key[:]...)
	for k, c := range h.columns {
		v := columns[k][i]
		switch {
		case v != v:
			v = math.NaN() // the one of all that are missing
		case c.kind == table.Category:
			v = c.node(v)
		case c.kind != table.DateTime:
			v = float64(float32(v))
		}
		h.add(v)
	}
	for _, v := range y {
		h.add(float64(float32(v)))
	}
	sum := sha256.Sum256(h.row)
	return binary.BigEndian.Uint64(sum[:]) >> (64 - bits)
}

// add adds a value.
func (h *Hasher) add(v float64) {
	if v == 0 {
		v = 0 // not −0
	}
	h.row = binary.LittleEndian.AppendUint64(h.row, math.Float64bits(v))
}

// node returns the node of a level: the last for all that share one, −1 for one that
// the model has no node for.
func (c column) node(code float64) float64 {
	switch {
	case code < float64(c.levels):
		return code
	case c.pooled:
		return float64(c.levels)
	}
	return -1
}
