package model

import "math"

// settleClasses writes the probabilities of the classes of a target of two, whose
// distribution has them; where there are more the evaluator has.
func (p *Predictions) settleClasses(k Kind) {
	if k.Classes != 2 || k.Family == nil {
		return
	}
	p.Classes = resize(p.Classes, 2*len(p.Mean))
	for row, v := range p.Mean {
		p.Classes[2*row], p.Classes[2*row+1] = 1-v, v
	}
}

// noClasses says that a row has no prediction.
func (p *Predictions) noClasses(row, classes int) {
	if len(p.Classes) == 0 {
		return
	}
	for k := range classes {
		p.Classes[row*classes+k] = math.NaN()
	}
}

// finishClasses is finish of a target of three classes or more, which has no moments.
func (m *Marginal) finishClasses() {
	for _, column := range [][]float64{m.Mean, m.StdF, m.Std, m.Lower, m.Upper, m.Location, m.Scale} {
		for row := range column {
			column[row] = math.NaN()
		}
	}
}

// Probabilities returns those of the classes of a row, a part of m; nil where the target has
// none.
func (m *Marginal) Probabilities(row int) []float64 {
	if m.Classes == nil {
		return nil
	}
	k := len(m.Classes) / len(m.Mean)
	return m.Classes[row*k : (row+1)*k]
}

// Class returns the most likely class of a row, −1 where it has no prediction.
func (m *Marginal) Class(row int) int {
	best := -1
	for k, p := range m.Probabilities(row) {
		if p == p && (best < 0 || p > m.Probabilities(row)[best]) {
			best = k
		}
	}
	return best
}
