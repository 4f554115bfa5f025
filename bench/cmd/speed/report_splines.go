package main

import (
	"fmt"
	"io"

	"beziergp/bench/markdown"
)

// reportSplines writes the tables of splines on an instruction set.
func reportSplines(w io.Writer, t tierSpeeds) {
	fmt.Fprintf(w, `
Splines, 9 inputs, forward + backward: nanoseconds a point and layer by the 4 × 4 weights that count at a point (*local*) and by all (*dense*).
Layers are local from m = %d on; with fewer nodes they are dense. At m = %d the weights leave a core's own cache. The *bound* is then what a copy of them takes a byte,
times what a pass must move at least: it reads weights and gradient, and writes the gradient.
A pass moves more than that: nine layers and their gradient are 1.2 MB, a core's own cache is 1 MB, and what the forward pass has read of the weights has left it when the backward pass
comes by. Twice as many points a tile and requests for the next layer's weights and gradient, line by line while a layer is worked on, were tried: 12.2 → 10.9 ns at a bound of 5.4 on a machine busy
with other work, where the time was 2.3 times the bound and then 2.0; the forward pass alone 2.8 → 2.6. They are left out: no batch of the recipe is large enough for them but of a table that is streamed.

`, t.Layers[0].Nodes, beyondCache)
	markdown.Head(w, "m", "workers", "local", "dense", "dense / local", "bound", "local / bound")
	for _, s := range t.Layers {
		bound, share := "", ""
		if s.Bound > 0 {
			bound, share = fmt.Sprintf("%.2f", s.nanoseconds(s.Bound)), fmt.Sprintf("%.2f", s.Local/s.Bound)
		}
		markdown.Row(w, s.Nodes, s.Workers, fmt.Sprintf("%.2f", s.nanoseconds(s.Local)), fmt.Sprintf("%.2f", s.nanoseconds(s.Dense)),
			fmt.Sprintf("%.2f", s.Dense/s.Local), bound, share)
	}
	fmt.Fprint(w, `
A step of training such mean buttresses, from the draw of its rows to the weights' move, with a category of so many levels in the place of an input.
*Plain* is by all nodes, with Adam's second moment a weight and the penalty in every step.

`)
	markdown.Head(w, "m", "levels", "workers", "ms", "plain", "plain / step", "rows/s")
	for _, s := range t.Steps {
		levels, plain, ratio := "", "", ""
		if s.Levels > 0 {
			levels = fmt.Sprint(s.Levels)
		}
		if s.Plain > 0 {
			plain, ratio = fmt.Sprintf("%.3f", 1e3*s.Plain), fmt.Sprintf("%.2f", s.Plain/s.Step)
		}
		markdown.Row(w, s.Nodes, levels, s.Workers, fmt.Sprintf("%.3f", 1e3*s.Step), plain, ratio, fmt.Sprintf("%.3g", float64(s.Rows)/s.Step))
	}
}
