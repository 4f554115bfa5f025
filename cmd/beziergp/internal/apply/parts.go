package apply

import (
	"math"

	"beziergp/box"
	"beziergp/cmd/beziergp/internal/gate"
	"beziergp/cmd/beziergp/internal/streams"
	"beziergp/model"
	"beziergp/serve"
	"beziergp/table"
)

// Parts scores predictions that come in parts, of one model or of several.
type Parts struct {
	tally  *tally
	result Result
}

// NewParts returns one of no rows.
func NewParts() *Parts {
	return &Parts{Options{}.newTally(), Result{Clamped: newCounts(), Outside: NewOutside(nil)}}
}

// Add takes in rows that a model has predicted, with their targets, NaN where these are not
// known. Under the policy flag, rows outside the box have no prediction and are not scored.
func (t *Parts) Add(m serve.Model, rows *table.Table, y []float64, p *model.Predictions) error {
	outside := NewOutside(m.Inputs())
	columns, err := outside.box.Pick(rows)
	if err != nil {
		return err
	}
	outside.Add(columns, p.InBox)
	for reason, n := range outside.Rows {
		t.result.Outside.Rows[reason] += n
	}
	b := &Block{Predictions: p}
	for i, v := range y {
		if v == v && p.Mean[i] == p.Mean[i] {
			t.tally.add(v, b, i)
			t.tally.addPoint(v, b, i)
		}
	}
	t.result.Clamped.add(p.Clamped)
	t.result.Rows, t.result.Beyond = t.result.Rows+len(y), t.tally.beyond
	return nil
}

// Report returns the scores of the rows so far; but for their number, none of no rows.
func (t *Parts) Report() Report {
	r := Report{Clamped: t.result.Clamped, Outside: t.result.Outside.report()}
	if t.tally.N() == 0 {
		for _, s := range (Options{}).scores() {
			r.Scores = append(r.Scores, gate.Score{Name: s.name, Value: math.NaN(), Why: "no row is scored"})
		}
		r.Scores[0] = gate.Score{Name: rows.name}
		return r
	}
	pit := t.tally.PIT()
	r.Scores, r.PIT = of(Options{}.scores(), t.tally), pit[:]
	return r
}

// PartNames returns the names of the scores in the report of [Parts].
func PartNames() (names []string) {
	for _, s := range (Options{}).scores() {
		names = append(names, s.name)
	}
	for _, reason := range box.Reasons() {
		names = append(names, namesOutside[reason])
	}
	return names
}

// Warn warns of what a reader of the numbers should know; of rows outside the box the report
// tells.
func (t *Parts) Warn(s streams.Streams) {
	t.result.warnClamped(s)
	t.result.warnBeyond(s)
}
