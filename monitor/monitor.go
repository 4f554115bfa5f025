// Package monitor watches a model in use: it counts the rows that the model is given in the
// bins of its profile (package beziergp/dataset/profile) and tells which columns have moved
// from the training rows, how many rows lie outside the box, and, where targets become
// known, whether intervals still hold what they promise.
//
//	w, err := monitor.New(m)
//	w.Add(columns, nil, predictions) // block by block
//	report := w.Report()
//
// Memory does not grow with the rows.
package monitor

import (
	"errors"
	"math"

	"beziergp/box"
	"beziergp/dataset/profile"
	"beziergp/model"
	"beziergp/serve"
	"beziergp/table"
)

// ErrNoProfile says that a model does not tell what its training rows looked like.
var ErrNoProfile = errors.New("the model does not tell what its training rows looked like: a former version wrote it, or its inputs are very many; fit again")

// Watch counts rows. It serves one goroutine at a time.
type Watch struct {
	trained, now *profile.Profile
	box          box.Box
	target       box.Input // its name, and the kind of classes
	whole        bool      // whether outcomes are classes or counts
	outside      int
}

// New returns a watch that has seen no rows. It fails with [ErrNoProfile].
func New(m serve.Model) (*Watch, error) {
	trained := m.Profile()
	if trained == nil {
		return nil, ErrNoProfile
	}
	now := trained.Empty()
	if now.Scores == nil {
		now.Scores = profile.NewScores(nil, nil)
	}
	w := &Watch{trained: trained, now: now, box: box.New(m.Inputs()), target: box.Input{Name: m.Target().Name}, whole: m.Classes() != nil || serve.HoldsCounts(m)}
	if m.Classes() != nil {
		w.target.Kind = table.Category
	}
	return w, nil
}

// Add takes a block of rows: columns, those of [serve.Model.Columns], [columns, n], whose
// categories have the codes of these; the targets y, [n], NaN where one is not known, or nil
// where none is; and what the model predicted of the rows. It keeps none of them.
func (w *Watch) Add(columns [][]float64, y []float64, p *model.Predictions) {
	w.now.AddInputs(&w.box, columns, len(p.Mean))
	for i, inside := range p.InBox {
		if !inside && w.beyond(columns, i) {
			w.outside++
		}
		if y != nil && y[i] == y[i] { // training rows all have one
			w.now.AddTarget(0, y[i])
		}
		if p.Mean[i] != p.Mean[i] {
			continue // under the policy flag there is no prediction
		}
		target := math.NaN()
		if y != nil {
			target = y[i]
		}
		w.now.Scores.Add(target, p.Point[i], p.Lower[i], p.Upper[i], p.Distribution(i))
	}
}

// beyond tells whether a number of a row lies outside its bounds, be its levels new or not.
func (w *Watch) beyond(columns [][]float64, row int) bool {
	for i := range w.box.Inputs {
		if w.box.Inputs[i].Reason(columns[w.box.Column(i)][row]) == box.Beyond {
			return true
		}
	}
	return false
}
