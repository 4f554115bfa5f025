package main

import (
	"fmt"
	"io"
	"runtime"
)

const introduction = `# Performance

Made by ` + "`make bench`" + `: %s, %d processors, %s on %s/%s. Medians of a batch of 512 rows with 20 buttresses, in float32,
the quickest of %d rounds through everything. GFLOP/s
counts the products of states and weights alone, two operations a weight and point; per cent is of the multiply-adds that
the same instruction set reached in the same run, times the workers. *Forward* and *forward + backward* are the mean
buttresses of a batch whose bases are known; a *training step* is everything from the bases to Adam, for mean and variance
buttresses; *predicting* starts at coordinates in the unit box.
`

// report writes all tables as Markdown.
func report(w io.Writer, machine string, tiers []tierSpeeds, all []scaling) {
	fmt.Fprintf(w, introduction, machine, runtime.NumCPU(), runtime.Version(), runtime.GOOS, runtime.GOARCH, rounds)
	for _, t := range tiers {
		fmt.Fprintf(w, "\n## %s\n\n", t.Tier)
		if t.Peak > 0 {
			fmt.Fprintf(w, "Peak of one core: %.0f GFLOP/s.\n\n", t.Peak/1e9)
		}
		fmt.Fprintln(w, "| shape | workers | forward | forward + backward | training step | rows/s | predicting mean | mean and deviation | rows/s |")
		fmt.Fprintln(w, "|---|---|---|---|---|---|---|---|---|")
		for _, s := range t.Speeds {
			cell := func(r rate) string { return cell(r, t.Peak*float64(s.Workers)) }
			fmt.Fprintf(w, "| %s | %d | %s | %s | %s | %.3g | %s | %s | %.3g |\n", s.Shape, s.Workers,
				cell(s.Forward), cell(s.Both), cell(s.Step), float64(s.Step.Rows)/s.Step.Seconds,
				cell(s.Mean), cell(s.Moments), float64(s.Moments.Rows)/s.Moments.Seconds)
		}
	}
	fmt.Fprintf(w, "\n## Scaling\n\nOn all workers. The slope is that of log time against log size.\n")
	for _, s := range all {
		fmt.Fprintf(w, "\n%s: slope %.3f.\n\n| %s |", s.title, s.slope(), s.size)
		for _, n := range s.sizes {
			fmt.Fprintf(w, " %d |", n)
		}
		fmt.Fprint(w, "\n|---|")
		for range s.sizes {
			fmt.Fprint(w, "---|")
		}
		fmt.Fprint(w, "\n| ms |")
		for _, seconds := range s.seconds {
			fmt.Fprintf(w, " %.4g |", 1e3*seconds)
		}
		fmt.Fprintln(w)
	}
}

// cell is a rate in GFLOP/s, and in per cent of a peak that is known.
func cell(r rate, peak float64) string {
	if peak == 0 {
		return fmt.Sprintf("%.1f", r.perSecond()/1e9)
	}
	return fmt.Sprintf("%.0f, %.0f %%", r.perSecond()/1e9, 100*r.perSecond()/peak)
}
