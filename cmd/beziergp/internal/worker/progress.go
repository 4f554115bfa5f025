//go:build !lean && !wasm

package worker

import (
	"math"
	"time"

	"beziergp"
)

// progress is what is told of a fit.
type progress struct {
	Phase     string `json:"phase"`
	Step      int    `json:"step"`
	Steps     int    `json:"steps"`
	Part      int    `json:"part"`
	Parts     int    `json:"parts"`
	RMSE      number `json:"rmse"`      // of rows held out, in the target's units; null as long as there is none, and of other laws than a number's
	NLPD      number `json:"nlpd"`      // of rows held out, of other laws; of classes it is their log loss
	Remaining number `json:"remaining"` // seconds; null while unknown
}

// often is how often progress is told.
const often = 100 * time.Millisecond

// tell returns what tells the asker of the progress of a fit. Of a number's law unit is the
// deviation of the target, of others it is 0.
func (r *request) tell(unit float64) func(beziergp.Event) {
	last := time.Time{}
	return func(e beziergp.Event) {
		if now := time.Now(); now.Sub(last) >= often || e.Step == e.Steps {
			last = now
			p := progress{string(e.Phase), e.Step, e.Steps, e.Part, e.Parts, number(math.NaN()), number(math.NaN()), number(math.NaN())}
			switch {
			case e.Score.Rows == 0:
			case unit > 0:
				p.RMSE = number(e.Score.RMSE * unit)
			default:
				p.NLPD = number(e.Score.NLPD)
			}
			if e.Remaining > 0 {
				p.Remaining = number(e.Remaining.Seconds())
			}
			_ = r.answers.write(answer{ID: r.ID, Event: "progress", Result: p}, nil) // who does not read learns nothing
		}
	}
}

// deviation returns that of the values that are there.
func deviation(y []float64) float64 {
	var n, sum, squares float64
	for _, v := range y {
		if v == v {
			n, sum = n+1, sum+v
		}
	}
	mean := sum / n
	for _, v := range y {
		if v == v {
			squares += (v - mean) * (v - mean)
		}
	}
	return math.Sqrt(squares / n)
}

// tellOutOfFold sends predictions of training rows by members that lack them: of so many
// classes their probabilities.
func (r *request) tellOutOfFold(o *beziergp.OutOfFold, classes int) error {
	rows := make([]int64, len(o.Rows))
	for i, row := range o.Rows {
		rows[i] = int64(row - 1)
	}
	var s stream
	s.integers("row", rows)
	s.numbers("observed", o.Observed)
	if classes > 0 {
		s.classes(o.Predictions)
	} else {
		s.numbers("mean", o.Mean)
		s.numbers("std", o.Std)
		s.numbers("lower", o.Lower)
		s.numbers("upper", o.Upper)
	}
	body, err := s.bytes()
	if err != nil {
		return err
	}
	return r.answers.write(answer{ID: r.ID, Event: "oof"}, body)
}
