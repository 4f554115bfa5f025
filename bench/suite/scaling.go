package suite

import (
	"fmt"

	"beziergp/bench/data"
)

// scaling varies one thing at a time around a shape of its own. The number of steps is
// fixed, but for the rows, of which an epoch is trained on: what a step costs does not
// depend on them.
func scaling() Suite {
	const rows, inputs, order, orderings, steps, batch = 32768, 16, 10, 20, 1000, 500
	s := Suite{
		Name: "scaling", Varies: OverSizes,
		About: "time and memory of the paper's recipe as rows, inputs, order and orderings grow, one at a time, on generated tables",
		Notes: fmt.Sprintf("What does not grow stays at %d rows, %d inputs, order %d, %d orderings and %d steps of %d rows; of growing rows, one\n"+
			"epoch is trained on. Every fit is a whole command: the start of the program and the reading of the table count, which\n"+
			"flattens the small ones.", rows, inputs, order, orderings, steps, batch),
		Methods: []Method{{Key: "paper", Name: "BezierGP", Options: []string{"--recipe", "paper"}}},
	}
	add := func(axis string, value, n, d, order, orderings, steps int) {
		s.Sets = append(s.Sets, Set{
			Name: fmt.Sprintf("%s=%d", axis, value), Source: data.Generated{Rows: n, Inputs: d}, Rows: n, Splits: 1,
			Options: []string{"--order", fmt.Sprint(order), "--orderings", fmt.Sprint(orderings), "--steps", fmt.Sprint(steps), "--batch", fmt.Sprint(batch)},
		})
	}
	for n := 1 << 12; n <= 1<<20; n *= 4 {
		add("rows", n, n, inputs, order, orderings, n*9/10/batch)
	}
	for d := 4; d <= 256; d *= 2 {
		add("inputs", d, rows, d, order, orderings, steps)
	}
	for _, nu := range []int{2, 3, 5, 8, 12, 18, 25} {
		add("order", nu, rows, inputs, nu, orderings, steps)
	}
	for _, r := range []int{1, 2, 5, 10, 20, 50, 100} {
		add("orderings", r, rows, inputs, order, r, steps)
	}
	return s
}
