package rival

import (
	"fmt"
	"math"

	"beziergp/box"
	"beziergp/table"
)

// encoding makes of a row of a table the numbers that a method learns from. A number,
// a boolean or a part of a date-time is itself, in float64 and wherever it lies, and
// the mean of the training rows where it is missing; a category is as many numbers as
// it has nodes, 1 for the row's own and 0 for the others, all 0 where the level is
// unknown and none is pooled. An input that was missing in training rows has one more
// number, 1 where it is missing. What was the same in all training rows has none.
type encoding struct {
	box   box.Box
	means []float64 // of the inputs over the training rows, 0 of a category
	width int       // numbers a row
}

func newEncoding(b box.Box, means []float64) *encoding {
	e := &encoding{box: b, means: means}
	for _, in := range b.Inputs {
		e.width += width(in)
	}
	return e
}

// width is how many numbers an input becomes.
func width(in box.Input) int {
	n := 0
	switch {
	case in.Constant():
	case in.Kind == table.Category:
		n = in.Nodes()
	default:
		n = 1
	}
	if in.Missing {
		n++
	}
	return n
}

// check refuses an encoding that no training rows have made.
func (e *encoding) check() error {
	if len(e.means) != len(e.box.Inputs) {
		return fmt.Errorf("%d means of %d inputs", len(e.means), len(e.box.Inputs))
	}
	for i, mean := range e.means {
		if math.IsNaN(mean) || math.IsInf(mean, 0) {
			return fmt.Errorf("the mean of input %d is %g", i+1, mean)
		}
	}
	return nil
}

// input returns the input that number j of a row, counted from 1, comes from.
func (e *encoding) input(j int) box.Input {
	for _, in := range e.box.Inputs {
		if j -= width(in); j <= 0 {
			return in
		}
	}
	panic(errNumber)
}

// means returns those of the inputs of a box over rows, of a category 0.
func means(b box.Box, columns [][]float64) []float64 {
	all := make([]float64, len(b.Inputs))
	for i, in := range b.Inputs {
		if in.Kind == table.Category {
			continue
		}
		values := columns[b.Column(i)]
		known := 0.0
		for _, v := range values {
			if !math.IsNaN(v) {
				known++
			}
		}
		for _, v := range values {
			if !math.IsNaN(v) {
				all[i] += in.Of(v) / known
			}
		}
	}
	return all
}

// rows returns rows of the box's columns as numbers [n, width], n being the length of
// inside, which is set to whether a row lies in the box; outside counts by inputs. It
// fails as [box.Box.Map] does.
func (e *encoding) rows(columns [][]float64, policy box.Policy, inside []bool, outside []int) ([]float64, error) {
	n, d := len(inside), len(e.box.Inputs)
	coordinates := make([]float32, n*d) // of which only nodes are of use
	if err := e.box.Map(coordinates, columns, policy, inside, outside); err != nil {
		return nil, err
	}
	x := make([]float64, n*e.width)
	at := 0
	for i, in := range e.box.Inputs {
		own := width(in)
		for row, v := range columns[e.box.Column(i)][:n] {
			e.encode(x[row*e.width+at:][:own], i, v, coordinates[row*d+i], policy)
		}
		at += own
	}
	return x, nil
}

// encode writes the numbers of a value of input i, whose coordinate is t, to dst,
// zeros so far.
func (e *encoding) encode(dst []float64, i int, v float64, t float32, policy box.Policy) {
	in := e.box.Inputs[i]
	missing := math.IsNaN(v)
	if in.Missing {
		if missing {
			dst[len(dst)-1] = 1
		}
		dst = dst[:len(dst)-1]
	}
	switch {
	case len(dst) == 0:
	case in.Kind == table.Category:
		if t == t && !missing {
			dst[int(t)] = 1
		}
	case missing:
		dst[0] = e.means[i]
	default:
		dst[0] = in.Of(v)
		if policy != box.Extrapolate {
			dst[0] = min(max(dst[0], in.Lo), in.Hi)
		}
	}
}
