package report

import (
	"cmp"
	"math"
	"slices"

	"beziergp/internal/splitmix"
)

// sample keeps rows: those that a seed draws, each with the same probability and whatever the
// blocks are, and those with the largest errors.
type sample struct {
	most  int
	seed  uint64
	drawn []kept // those with the smallest lots, and fewer than as many more
	full  bool   // whether a row with a lot above last is none of them
	last  uint64
	worst []kept // by error, the largest first
}

// kept is a row that may be shown.
type kept struct {
	Row
	lot    uint64
	error  float64   // |y − predicted|, NaN where it is not known
	cells  []float64 // [columns]
	values []float64 // Shapley values, [columns]; nil where there are none
}

// offer takes row i of a block, or leaves it.
func (s *sample) offer(rows *Block, i int, y float64, values []float64) {
	lot := splitmix.Mix(splitmix.At(s.seed) ^ splitmix.At(uint64(rows.Rows[i])))
	off := math.Abs(y - rows.Point[i])
	in := !s.full || lot < s.last
	large := off == off && (len(s.worst) < largest || off > s.worst[len(s.worst)-1].error)
	if !in && !large {
		return
	}
	k := kept{
		Row: Row{Row: rows.Rows[i], Observed: number(y), Predicted: number(rows.Point[i]), Std: number(rows.Std[i]), StdF: number(rows.StdF[i]),
			Lower: number(rows.Lower[i]), Upper: number(rows.Upper[i]), InBox: rows.InBox[i]},
		lot: lot, error: off, values: slices.Clone(values),
	}
	for _, column := range rows.Columns {
		k.cells = append(k.cells, column[i])
	}
	if in {
		s.draw(k)
	}
	if large {
		at, _ := slices.BinarySearchFunc(s.worst, off, func(k kept, off float64) int { return cmp.Compare(off, k.error) })
		for at < len(s.worst) && s.worst[at].error == off {
			at++ // of equal errors the first rows
		}
		s.worst = slices.Insert(s.worst, at, k)
		s.worst = s.worst[:min(len(s.worst), largest)]
	}
}

// draw takes a row, and once in a while leaves those with large lots.
func (s *sample) draw(k kept) {
	if s.drawn = append(s.drawn, k); len(s.drawn) >= 2*s.most {
		s.cut()
	}
}

func (s *sample) cut() {
	slices.SortFunc(s.drawn, func(a, b kept) int { return cmp.Compare(a.lot, b.lot) })
	if len(s.drawn) > s.most {
		s.drawn = s.drawn[:s.most]
	}
	if len(s.drawn) == s.most {
		s.full, s.last = true, s.drawn[s.most-1].lot
	}
}

// rows returns what was kept, in the order of the table, and how many of them were drawn.
func (s *sample) rows() (all []kept, drawn int) {
	s.cut()
	all = slices.Clone(s.drawn)
	for _, k := range s.worst {
		k.Largest = true
		if at := slices.IndexFunc(all, func(other kept) bool { return other.Row.Row == k.Row.Row }); at >= 0 {
			all[at].Largest = true
			continue
		}
		all = append(all, k)
	}
	slices.SortFunc(all, func(a, b kept) int { return cmp.Compare(a.Row.Row, b.Row.Row) })
	return all, len(s.drawn)
}
