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
	RMSE      number `json:"rmse"`      // of rows held out, in the target's units; null as long as there is none
	Remaining number `json:"remaining"` // seconds; null while unknown
}

// often is how often progress is told.
const often = 100 * time.Millisecond

// tell returns what tells the asker of the progress of a fit to the targets y.
func (r *request) tell(y []float64) func(beziergp.Event) {
	unit, last := deviation(y), time.Time{}
	return func(e beziergp.Event) {
		if now := time.Now(); now.Sub(last) >= often || e.Step == e.Steps {
			last = now
			p := progress{string(e.Phase), e.Step, e.Steps, e.Part, e.Parts, number(math.NaN()), number(math.NaN())}
			if e.Score.Rows > 0 {
				p.RMSE = number(e.Score.RMSE * unit)
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

// tellOutOfFold sends predictions of training rows by members that lack them.
func (r *request) tellOutOfFold(o *beziergp.OutOfFold) error {
	rows := make([]int64, len(o.Rows))
	for i, row := range o.Rows {
		rows[i] = int64(row - 1)
	}
	var s stream
	s.integers("row", rows)
	s.numbers("observed", o.Observed)
	s.numbers("mean", o.Mean)
	s.numbers("std", o.Std)
	s.numbers("lower", o.Lower)
	s.numbers("upper", o.Upper)
	body, err := s.bytes()
	if err != nil {
		return err
	}
	return r.answers.write(answer{ID: r.ID, Event: "oof"}, body)
}
