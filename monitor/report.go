package monitor

import (
	"cmp"
	"slices"

	"beziergp/box"
	"beziergp/dataset/profile"
	"beziergp/metric/shift"
)

// Report is what a watch has seen; programs rely on the names.
type Report struct {
	Rows    int `json:"rows"`
	Trained int `json:"trained_rows"`
	Outside int `json:"outside_box"` // rows with a number beyond its bounds
	Tests   int `json:"tests"`       // that the probabilities allow for
	Moved   int `json:"moved"`       // inputs
	// Inputs are all of them: those that have moved first, then by their index, the largest
	// first.
	Inputs []Shift `json:"inputs"`
	// Target, where it is known of a row; Predicted and Errors, |y − predicted|, beside those
	// out of fold, where the model tells of these. Nil of others.
	Target    *Shift  `json:"target"`
	Predicted *Shift  `json:"predicted"`
	Errors    *Shift  `json:"errors"`
	Scores    *Scores `json:"scores"` // nil where no target is known, and of three classes or more
}

// Report returns what became of the rows so far.
func (w *Watch) Report() *Report {
	r := &Report{Rows: w.now.Rows(), Trained: w.trained.Rows(), Outside: w.outside}
	var t tests
	for i, in := range w.box.Inputs {
		s := t.compare(in, &w.trained.Inputs[i], &w.now.Inputs[i])
		if in.Part == box.Time {
			s.Verdict = GoesOn
		}
		r.Inputs = append(r.Inputs, s)
	}
	var others []*Shift
	other := func(in box.Input, trained, now *profile.Column) *Shift {
		if trained.Known() == 0 || now.Known() == 0 {
			return nil
		}
		s := t.compare(in, trained, now)
		others = append(others, &s)
		return &s
	}
	r.Target = other(w.target, &w.trained.Targets[0], &w.now.Targets[0])
	if was := w.trained.Scores; was != nil {
		r.Predicted = other(box.Input{Name: "predicted"}, &was.Predicted, &w.now.Scores.Predicted)
		r.Errors = other(box.Input{Name: "error"}, &was.Error, &w.now.Scores.Error)
	}
	r.Tests = len(t.probabilities)
	p := shift.Holm(t.probabilities)
	for i := range r.Inputs {
		r.Inputs[i].judge(p, t.of[i])
		if r.Inputs[i].HasMoved() {
			r.Moved++
		}
	}
	for i, s := range others {
		s.judge(p, t.of[len(r.Inputs)+i])
	}
	slices.SortStableFunc(r.Inputs, func(a, b Shift) int {
		if a.HasMoved() != b.HasMoved() {
			if a.HasMoved() {
				return -1
			}
			return 1
		}
		return cmp.Compare(b.PSI, a.PSI)
	})
	if w.now.Scores.Scored() > 0 {
		r.Scores = scoresOf(w.trained.Scores, w.now.Scores, w.whole)
	}
	return r
}
