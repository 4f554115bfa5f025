package engine

import (
	"fmt"
	"math"

	"beziergp/model"
)

// Extra is what is told of a row besides what always is.
type Extra struct {
	Quantiles []float64
	Counts    []int // whose probabilities are told
}

// Answer is what is predicted of a caller's rows, [n] each, as [model.Marginal] has it.
type Answer struct {
	Mean, Point, Std, StdF, Lower, Upper []float64
	InBox                                []bool
	Quantiles, Counts                    [][]float64 // [quantiles][n], and probabilities [counts][n]
	// Class is the likeliest class of a row, −1 of a row without a prediction, and Classes the
	// probabilities, [n, K] by rows; nil where the target has no classes.
	Class   []int
	Classes []float64

	extra Extra
}

func newAnswer(n int, extra Extra, o model.PredictOptions, classes int) *Answer {
	a := &Answer{extra: extra, InBox: make([]bool, n), Quantiles: make([][]float64, len(extra.Quantiles)), Counts: make([][]float64, len(extra.Counts))}
	if classes > 0 {
		a.Class, a.Classes = make([]int, n), make([]float64, n*classes)
	}
	for _, column := range []*[]float64{&a.Mean, &a.Std, &a.StdF, &a.Lower, &a.Upper} {
		*column = make([]float64, n)
	}
	if a.Point = a.Mean; o.Point == model.MedianPoint {
		a.Point = make([]float64, n)
	}
	for _, columns := range [][][]float64{a.Quantiles, a.Counts} {
		for i := range columns {
			columns[i] = make([]float64, n)
		}
	}
	return a
}

// set takes n predictions, from a place on, as those of the rows from another on.
func (a *Answer) set(p *model.Predictions, row, at, n int) error {
	copy(a.Mean[row:], p.Mean[at:at+n])
	copy(a.Std[row:], p.Std[at:at+n])
	copy(a.StdF[row:], p.StdF[at:at+n])
	copy(a.Lower[row:], p.Lower[at:at+n])
	copy(a.Upper[row:], p.Upper[at:at+n])
	copy(a.InBox[row:], p.InBox[at:at+n])
	if &a.Point[0] != &a.Mean[0] {
		copy(a.Point[row:], p.Point[at:at+n])
	}
	if a.Class != nil {
		k := len(a.Classes) / len(a.Class)
		if have := len(p.Classes); have != k*len(p.Mean) {
			return fmt.Errorf("%d probabilities of %d rows and %d classes", have, len(p.Mean), k)
		}
		copy(a.Classes[row*k:], p.Classes[at*k:(at+n)*k])
		for i := range n {
			a.Class[row+i] = p.Class(at + i)
		}
	}
	for k, count := range a.extra.Counts {
		for i := range n {
			v := math.NaN() // of a row without a prediction
			if !math.IsNaN(p.Location[at+i]) {
				v = math.Exp(p.Distribution(at + i).LogDensity(float64(count)))
			}
			a.Counts[k][row+i] = v
		}
	}
	for k, q := range a.extra.Quantiles {
		for i := range n {
			v := math.NaN() // of a row without a prediction
			if !math.IsNaN(p.Location[at+i]) {
				v = p.Distribution(at + i).Quantile(q)
			}
			if math.IsInf(v, 0) {
				// Counted within the part, as a predictor counts.
				return &model.RowError{Row: i + 1, Err: fmt.Errorf("the quantile %g overflows; ask for one nearer to 0.5", q)}
			}
			a.Quantiles[k][row+i] = v
		}
	}
	return nil
}
