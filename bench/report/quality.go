package report

import (
	"fmt"
	"io"
	"slices"

	"beziergp/bench/markdown"
	"beziergp/bench/record"
)

// near is how far above its last RMSE a method may be that has come to its end.
const near = 1.01

// settled returns the seconds after which a curve stays near its last RMSE, and that RMSE.
func settled(curve [][2]float64) (seconds, rmse float64) {
	rmse = curve[len(curve)-1][1]
	for _, point := range slices.Backward(curve) {
		if !(point[1] <= near*rmse) {
			break
		}
		seconds = point[0]
	}
	return seconds, rmse
}

// quality writes how long methods with a curve take to come to their end, and which of
// ours is as good first.
func (g *grid) quality(w io.Writer) {
	fmt.Fprintf(w, "\n### Time to an RMSE\n\nSeconds of training after which a method stays within %.0f %% of its own last RMSE, without those of reading the table and of looking\n"+
		"at at most 10,000 test rows; and those of the quickest whole fit of this program, reading the table included, that is as good on all test rows. The last column is the ratio.\n\n", 100*(near-1))
	markdown.Head(w, "set", "method", "its last RMSE", "seconds", "of this program", "RMSE", "seconds", "times as quick")
	for _, set := range g.sets {
		for _, title := range g.run {
			c := g.at(set, title)
			if c == nil || c.ours() {
				continue
			}
			for _, r := range c.made {
				if len(r.Curve) == 0 {
					continue
				}
				seconds, last := settled(r.Curve)
				row := []any{markdown.Text(set), markdown.Text(title), number(last), seconded(seconds, r.Quiet())}
				if own := g.firstToReach(r, last); own != nil {
					row = append(row, markdown.Text(own.Method), number(*own.RMSE), seconded(own.FitSeconds, own.Quiet()), fmt.Sprintf("%.2g", seconds/own.FitSeconds))
				} else {
					row = append(row, "none", "", "", "")
				}
				markdown.Row(w, row...)
			}
		}
	}
}

// firstToReach returns our quickest fit of a record's rows whose RMSE is at most that; nil if there is none.
func (g *grid) firstToReach(r record.Record, rmse float64) (first *record.Record) {
	for _, c := range g.all {
		if !c.ours() || c.set != r.Set {
			continue
		}
		for i, own := range c.made {
			if own.Split == r.Split && own.RMSE != nil && *own.RMSE <= rmse && (first == nil || own.FitSeconds < first.FitSeconds) {
				first = &c.made[i]
			}
		}
	}
	return first
}

// seconded is a time, marked where the machine had other work.
func seconded(seconds float64, quiet bool) string {
	if quiet {
		return number(seconds)
	}
	return "~" + number(seconds)
}
