package profile

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"

	"beziergp/box"
)

// head is a profile as it lies in the head of a model file. Columns are lists of numbers,
// one after the other: see [Column.list].
type head struct {
	Inputs  []float64   `json:"inputs"`
	Targets []float64   `json:"targets"`
	Scores  *scoresHead `json:"out_of_fold,omitempty"`
}

type scoresHead struct {
	Columns  []float64  `json:"columns"` // predicted, error
	PIT      []float64  `json:"pit"`
	Inside   int        `json:"inside"`
	Scored   int        `json:"scored"`
	Squared  [2]float64 `json:"squared_error"` // mean, Σ (v − mean)²
	Surprise [2]float64 `json:"surprise"`
}

// most is the number of bytes that a profile may take of the head of a file, which has
// room for no more than a hundred million: that of some fifteen thousand inputs.
const most = 5_000_000

// Describe returns a profile for the head of a model file: nil of none, and of one of so
// many inputs that a head should have no room for it.
func (p *Profile) Describe() (json.RawMessage, error) {
	if p == nil {
		return nil, nil
	}
	h := &head{}
	for i := range p.Inputs {
		h.Inputs = p.Inputs[i].list(h.Inputs)
	}
	for t := range p.Targets {
		h.Targets = p.Targets[t].list(h.Targets)
	}
	if s := p.Scores; s != nil {
		h.Scores = &scoresHead{
			Columns: s.Error.list(s.Predicted.list(nil)), PIT: floats(nil, s.PIT[:]), Inside: s.Inside, Scored: s.Scored(),
			Squared: [2]float64{s.Squared.Mean, s.Squared.squares}, Surprise: [2]float64{s.Surprise.Mean, s.Surprise.squares},
		}
	}
	text, err := json.Marshal(h)
	if err != nil || len(text) > most {
		return nil, err
	}
	return text, nil
}

// list appends a column to a list: of a number the number of cuts, its extremes, the cuts
// and the counts; of a category the counts alone; then the missing ones.
func (c *Column) list(list []float64) []float64 {
	if c.Nodes == 0 {
		list = append(append(list, float64(len(c.Cuts)), c.Lo, c.Hi), c.Cuts...)
	}
	return append(floats(list, c.Counts), float64(c.Missing))
}

func floats(list []float64, counts []int) []float64 {
	for _, n := range counts {
		list = append(list, float64(n))
	}
	return list
}

// Restore returns the profile that Describe told of, of a model of these inputs and of so
// many targets; nil where there is no text.
func Restore(text json.RawMessage, inputs []box.Input, targets int) (*Profile, error) {
	if len(text) == 0 {
		return nil, nil
	}
	var h head
	if err := json.Unmarshal(text, &h); err != nil {
		return nil, fmt.Errorf("the profile of the training rows: %w", err)
	}
	p, r := &Profile{}, reader{left: h.Inputs}
	for _, in := range inputs {
		p.Inputs = append(p.Inputs, r.column(in.Nodes()))
	}
	if err := r.end(); err != nil {
		return nil, err
	}
	r = reader{left: h.Targets}
	for range targets {
		p.Targets = append(p.Targets, r.column(0))
	}
	if err := r.end(); err != nil {
		return nil, err
	}
	if s := h.Scores; s != nil {
		r = reader{left: s.Columns}
		p.Scores = &Scores{
			Predicted: r.column(0), Error: r.column(0), Inside: s.Inside,
			Squared: Moments{s.Scored, s.Squared[0], s.Squared[1]}, Surprise: Moments{s.Scored, s.Surprise[0], s.Surprise[1]},
		}
		if err := r.end(); err != nil {
			return nil, err
		}
		r = reader{left: s.PIT}
		copy(p.Scores.PIT[:], r.counts(PITBins))
		if err := r.end(); err != nil {
			return nil, err
		}
	}
	return p, p.Check(inputs, targets)
}

// reader takes lists of numbers apart. Where one is none it takes nothing any more.
type reader struct {
	left   []float64
	failed bool
}

var errList = errors.New("the profile of the training rows has other numbers than its columns")

func (r *reader) end() error {
	if r.failed || len(r.left) > 0 {
		return fmt.Errorf("%w: %d are left", errList, len(r.left))
	}
	return nil
}

// take returns the next n numbers, which there are unless it fails.
func (r *reader) take(n int) []float64 {
	if r.failed = r.failed || n > len(r.left); r.failed {
		return make([]float64, min(n, 3))
	}
	taken := r.left[:n:n]
	r.left = r.left[n:]
	return taken
}

func (r *reader) counts(n int) []int {
	counts := []int{}
	for _, v := range r.take(n) {
		if v != math.Trunc(v) || v < 0 || v >= mostRows {
			r.failed = true
			return counts
		}
		counts = append(counts, int(v))
	}
	return counts
}

// column returns a column of so many nodes, 0 for a number.
func (r *reader) column(nodes int) Column {
	c := Column{Nodes: nodes}
	if nodes == 0 {
		cuts := r.counts(1)
		ends := r.take(2)
		if r.failed {
			return c
		}
		c.Lo, c.Hi = ends[0], ends[1]
		if cuts[0] > len(r.left) {
			r.failed = true
			return c
		}
		if cuts[0] > 0 {
			c.Cuts = r.take(cuts[0])
		}
	}
	c.Counts = r.counts(c.bins())
	if missing := r.counts(1); len(missing) == 1 {
		c.Missing = missing[0]
	}
	return c
}
