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
	workers int    // 0 for all processors
	tally   *tally // nil before the first part
	result  Result
}

// NewParts returns one of no rows, which so many workers score, 0 for one a processor.
func NewParts(workers int) *Parts {
	return &Parts{workers: workers, result: Result{Clamped: newCounts(), Outside: NewOutside(nil)}}
}

// Add takes in rows that a model has predicted, with their targets as a column of this field
// has them, NaN where these are not known. Under the policy flag, rows outside the box have no
// prediction and are not scored, nor are rows of a class that the model does not know.
func (t *Parts) Add(m serve.Model, rows *table.Table, target table.Field, y []float64, p *model.Predictions) error {
	outside := NewOutside(m.Inputs())
	columns, err := outside.box.Pick(rows)
	if err != nil {
		return err
	}
	outside.Add(columns, p.InBox)
	for reason, n := range outside.Rows {
		t.result.Outside.Rows[reason] += n
	}
	a, err := Options{}.about(m)
	if err != nil {
		return err
	}
	own, least := a.classes, a.least
	t.result.classes = own != nil
	if own != nil {
		a.classes = ClassesOf(m, target)
	}
	if t.tally == nil {
		t.tally = Options{}.newTally(a)
	}
	b := &Block{Predictions: p, Inputs: make([][]float64, len(m.Columns()))}
	if a.exposure >= 0 {
		b.Inputs[a.exposure], _ = rows.Column(m.Columns()[a.exposure].Name)
	}
	places := codes(a.classes, own)
	var numbers []int
	for i, v := range y {
		switch {
		case v != v || !Predicted(p, i):
		case a.classes == nil:
			numbers = append(numbers, i)
		case !a.knows(v) || places[int(v)] == len(own):
			t.tally.unknown++
		default:
			t.tally.addClass(int(v), Aligned(p.Probabilities(i), places), least)
		}
	}
	outcomes := t.tally.outcomes(t.workers, y, b, numbers)
	for k, i := range numbers {
		t.tally.add(y[i], b, i, outcomes[k])
		t.tally.addPoint(y[i], b, i)
	}
	t.result.Clamped.add(p.Clamped)
	t.result.Rows, t.result.Beyond, t.result.Unknown = t.result.Rows+len(y), t.tally.beyond, t.tally.unknown
	return nil
}

// ClassesOf returns the names of the classes of a target whose column has this field, in the
// order of its codes; nil where the model does not tell probabilities.
func ClassesOf(m serve.Model, target table.Field) []string {
	names := m.Classes()
	if names != nil && target.Kind == table.Category {
		return target.Levels
	}
	return names
}

// Aligned returns probabilities of the classes of a column, given the places that these have
// among those of a model ([codes]); 0 of a class that the model does not know.
func Aligned(p []float64, places []int) []float64 {
	all := make([]float64, len(places))
	for k, place := range places {
		if place < len(p) {
			all[k] = p[place]
		}
	}
	return all
}

// AlignedOf returns the probabilities of all rows for the classes of a column, [n, K].
func AlignedOf(m serve.Model, target table.Field, p *model.Predictions) (all [][]float64) {
	places := codes(ClassesOf(m, target), m.Classes())
	for i := range p.InBox {
		all = append(all, Aligned(p.Probabilities(i), places))
	}
	return all
}

// Report returns the scores of the rows so far; but for their number, none of no rows.
func (t *Parts) Report() Report {
	r := Report{Clamped: t.result.Clamped, Outside: t.result.Outside.report()}
	if t.tally == nil {
		t.tally = Options{}.newTally(about{exposure: -1})
	}
	if t.tally.rows() == 0 {
		for _, s := range (Options{}).scores(t.tally.about) {
			r.Scores = append(r.Scores, gate.Score{Name: s.name, Value: math.NaN(), Why: "no row is scored"})
		}
		r.Scores[0] = gate.Score{Name: rows.name}
		return r
	}
	own := t.tally.report(Options{})
	own.Clamped, own.Outside = r.Clamped, append(r.Outside, own.Outside...)
	return own
}

// PartNames returns the names of the scores in the report of [Parts].
func PartNames() (all []string) {
	all = names(Options{}.scores)
	for _, reason := range box.Reasons() {
		all = append(all, namesOutside[reason])
	}
	return append(all, newClass)
}

// Warn warns of what a reader of the numbers should know; of rows outside the box the report
// tells.
func (t *Parts) Warn(s streams.Streams) {
	t.result.warnClamped(s)
	t.result.warnBeyond(s)
	t.result.warnUnknown(s)
}
