package main

import (
	"fmt"
	"io"
	"runtime"

	"beziergp/bench/harness"
	"beziergp/bench/markdown"
)

const introduction = `# Performance

Made by ` + "`make bench`" + `: %s, %d processors, %s on %s/%s. A batch has 512 rows and goes through 20
buttresses in float32. The time of a figure is the median over batches, in the fastest of %d rounds over all shapes. GFLOP/s are the products of
states and weights alone, two operations a weight and point. The percentage is their share of the peak, which is the rate of multiply-adds that the
same instruction set reached in the same run, times the workers. *Forward* and *forward + backward* are the passes through the mean buttresses
of a batch whose basis values are known. A *training step* goes from the bases to Adam, for mean and variance buttresses. *Predicting* starts at
coordinates in the unit box.
`

// report writes all tables as Markdown.
func report(w io.Writer, tiers []tierSpeeds, all []scaling) {
	fmt.Fprintf(w, introduction, harness.Processor(), runtime.NumCPU(), runtime.Version(), runtime.GOOS, runtime.GOARCH, rounds)
	for _, t := range tiers {
		fmt.Fprintf(w, "\n## %s\n\n", t.Tier)
		if t.Peak > 0 {
			fmt.Fprintf(w, "Peak of one core: %.0f GFLOP/s.\n\n", t.Peak/1e9)
		}
		markdown.Head(w, "shape", "workers", "forward", "forward + backward", "training step", "rows/s", "predicting mean", "mean and deviation", "rows/s")
		for _, s := range t.Speeds {
			cell := func(r rate) string { return cell(r, t.Peak*float64(s.Workers)) }
			rows := func(r rate) string { return fmt.Sprintf("%.3g", float64(r.Rows)/r.Seconds) }
			markdown.Row(w, s.Shape, s.Workers, cell(s.Forward), cell(s.Both), cell(s.Step), rows(s.Step), cell(s.Mean), cell(s.Moments), rows(s.Moments))
		}
		if len(t.Layers) > 0 {
			reportSplines(w, t)
		}
	}
	fmt.Fprintf(w, "\n## Scaling\n\nOn all workers. The slope is that of log time against log size.\n")
	for _, s := range all {
		var sizes, milliseconds []string
		for i, n := range s.sizes {
			sizes, milliseconds = append(sizes, fmt.Sprint(n)), append(milliseconds, fmt.Sprintf("%.4g", 1e3*s.seconds[i]))
		}
		fmt.Fprintf(w, "\n%s: slope %.3f.\n\n", s.title, s.slope())
		markdown.Head(w, s.size, sizes)
		markdown.Row(w, "ms", milliseconds)
	}
}

// cell is a rate in GFLOP/s, and in per cent of a peak that is known.
func cell(r rate, peak float64) string {
	if peak == 0 {
		return fmt.Sprintf("%.1f", r.perSecond()/1e9)
	}
	return fmt.Sprintf("%.0f, %.0f %%", r.perSecond()/1e9, 100*r.perSecond()/peak)
}
