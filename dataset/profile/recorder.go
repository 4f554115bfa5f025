package profile

import (
	"math"
	"slices"

	"beziergp/box"
	"beziergp/internal/splitmix"
	"beziergp/table"
)

// A sample for the cuts has so many rows, and fewer of a wide table.
const (
	sampleRows   = 1 << 13
	sampleValues = 1 << 22
	fewestRows   = 1 << 7
)

// Recorder makes the profile of training rows, which come twice in the same order: first
// to find the bins, by a sample of many rows ([Recorder.Find]), then to be counted, all of
// them ([Recorder.Count]). Which rows are in the sample depends on their places and their
// number alone.
type Recorder struct {
	box    *box.Box
	rows   int    // there are
	found  int    // of them
	chance uint64 // of a row to be in the sample, in 2⁻⁶⁴
	inputs []finder
	target []finder
	made   *Profile // once they are counted
}

// finder finds the bins of a column.
type finder struct {
	lo, hi float64
	values []float64 // of the sample
}

// NewRecorder returns one of so many rows of a box and of so many targets.
func NewRecorder(b *box.Box, targets, rows int) *Recorder {
	r := &Recorder{box: b, rows: rows, chance: math.MaxUint64}
	most := max(fewestRows, min(sampleRows, sampleValues/(len(b.Inputs)+targets)))
	if rows > most {
		r.chance = math.MaxUint64 / uint64(rows) * uint64(most)
	}
	none := finder{lo: math.Inf(1), hi: math.Inf(-1)}
	r.inputs, r.target = slices.Repeat([]finder{none}, len(b.Inputs)), slices.Repeat([]finder{none}, targets)
	return r
}

// Find takes n rows: the columns of the box and the targets, [columns, n].
func (r *Recorder) Find(columns, targets [][]float64, n int) {
	var sample []int
	for k := range n {
		if splitmix.At(uint64(r.found+k)) <= r.chance {
			sample = append(sample, k)
		}
	}
	r.found += n
	for i, in := range r.box.Inputs {
		if in.Kind != table.Category {
			r.inputs[i].find(columns[r.box.Column(i)][:n], sample, in)
		}
	}
	for t := range targets {
		r.target[t].find(targets[t][:n], sample, box.Input{})
	}
}

// find takes values, of which some are in the sample.
func (f *finder) find(values []float64, sample []int, in box.Input) {
	for _, v := range values {
		if in.Part != "" {
			v = in.Of(v)
		}
		if v < f.lo {
			f.lo = v
		}
		if v > f.hi {
			f.hi = v
		}
	}
	for _, k := range sample {
		if v := in.Of(values[k]); v == v {
			f.values = append(f.values, v)
		}
	}
}

// column returns the bins.
func (f *finder) column() Column {
	slices.Sort(f.values)
	c := Column{Lo: f.lo, Hi: f.hi, Cuts: cutsOf(f.values)}
	if c.Lo > c.Hi { // there is no value
		c.Lo, c.Hi = 0, 0
	}
	c.Counts = make([]int, c.bins())
	return c
}

// Count takes n rows once more.
func (r *Recorder) Count(columns, targets [][]float64, n int) {
	p := r.Profile()
	p.AddInputs(r.box, columns, n)
	for t := range targets {
		p.Targets[t].addAll(targets[t][:n])
	}
}

// Profile returns what was counted.
func (r *Recorder) Profile() *Profile {
	if r.made != nil {
		return r.made
	}
	r.made = &Profile{}
	for i, in := range r.box.Inputs {
		c := Column{Nodes: in.Nodes()}
		if in.Kind == table.Category {
			c.Counts = make([]int, c.bins())
		} else {
			c = r.inputs[i].column()
		}
		r.made.Inputs = append(r.made.Inputs, c)
	}
	for t := range r.target {
		r.made.Targets = append(r.made.Targets, r.target[t].column())
	}
	r.inputs, r.target = nil, nil
	return r.made
}
