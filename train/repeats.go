package train

import "slices"

// withoutRepeats returns the table of which the data are copies, as many as there can
// be, and the order of its rows by content, given that of the data: a table that was
// appended to itself tells no more than once, and rows held out would meet their own
// copies in training. Rows that recur less regularly stay, for new ones may recur as
// well.
func (d Data) withoutRepeats(order []int) (once Data, onceOrder []int) {
	copies, run := 0, 0
	for i, j := range order {
		run++
		if i == len(order)-1 || d.compare(j, order[i+1]) != 0 {
			copies, run = divisor(copies, run), 0
		}
	}
	if copies < 2 {
		return d, order
	}
	var kept []int
	for i := 0; i < len(order); i += copies {
		kept = append(kept, order[i])
	}
	slices.Sort(kept) // as they stood
	once = d.with(d.inputs(kept))
	once.Y, once.Weights = nil, nil
	for _, j := range kept {
		once.Y = append(once.Y, d.Y[j])
		if d.Weights != nil {
			once.Weights = append(once.Weights, d.Weights[j])
		}
	}
	return once, byContent(once)
}

// divisor returns the greatest common divisor.
func divisor(a, b int) int {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}
