package profile

import (
	"encoding/binary"
	"errors"
	"math"
)

// From says that the next row to find is that of a number, from 0 on: rows before it are found by
// others.
func (r *Recorder) From(row int) { r.found = row }

// Found returns what was found, for [Recorder.JoinFound].
func (r *Recorder) Found() (message []byte) {
	for _, finders := range [][]finder{r.inputs, r.target} {
		for _, f := range finders {
			for _, v := range append([]float64{f.lo, f.hi, float64(len(f.values))}, f.values...) {
				message = binary.LittleEndian.AppendUint64(message, math.Float64bits(v))
			}
		}
	}
	return message
}

var errShort = errors.New("the profile of rows is cut short")

// JoinFound takes what another recorder has found of other rows.
func (r *Recorder) JoinFound(message []byte) error {
	next := func() float64 {
		v := math.Float64frombits(binary.LittleEndian.Uint64(message))
		message = message[8:]
		return v
	}
	for _, finders := range [][]finder{r.inputs, r.target} {
		for i := range finders {
			if len(message) < 3*8 {
				return errShort
			}
			f := &finders[i]
			f.lo, f.hi = min(f.lo, next()), max(f.hi, next())
			n := next()
			if !(n >= 0 && 8*n <= float64(len(message))) {
				return errShort
			}
			for range int(n) {
				f.values = append(f.values, next())
			}
		}
	}
	return nil
}

// Counted returns what was counted, for [Recorder.JoinCounted].
func (r *Recorder) Counted() (message []byte) {
	p := r.Profile()
	for _, columns := range [][]Column{p.Inputs, p.Targets} {
		for i := range columns {
			for _, n := range append(columns[i].Counts, columns[i].Missing) {
				message = binary.LittleEndian.AppendUint64(message, uint64(n))
			}
		}
	}
	return message
}

// JoinCounted takes what another recorder has counted of other rows, in the same bins.
func (r *Recorder) JoinCounted(message []byte) error {
	p := r.Profile()
	for _, columns := range [][]Column{p.Inputs, p.Targets} {
		for i := range columns {
			c := &columns[i]
			if len(message) < 8*(len(c.Counts)+1) {
				return errShort
			}
			for k := range c.Counts {
				c.Counts[k] += int(binary.LittleEndian.Uint64(message[8*k:]))
			}
			c.Missing += int(binary.LittleEndian.Uint64(message[8*len(c.Counts):]))
			message = message[8*(len(c.Counts)+1):]
		}
	}
	return nil
}
