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

// settled returns the seconds after which a curve stays near its last RMSE.
func settled(curve [][2]float64) (seconds float64) {
	last := curve[len(curve)-1][1]
	for _, point := range slices.Backward(curve) {
		if !(point[1] <= near*last) {
			break
		}
		seconds = point[0]
	}
	return seconds
}

// quality writes how long methods with a curve take to come to their end, and which of
// ours is as good first.
func (g *grid) quality(w io.Writer) {
	fmt.Fprintf(w, "\n### Time to an RMSE\n\nSeconds of training after which a method stays within %.0f %% of its own last RMSE, without those of reading the table and of looking\n"+
		"at at most 10,000 test rows; and those of the quickest whole fit of this program, reading the table included, whose RMSE on all test rows is no larger. The last column is the ratio.\n\n", 100*(near-1))
	markdown.Head(w, "set", "method", "RMSE", "seconds", "of this program", "RMSE", "seconds", "times as quick")
	for _, r := range g.reaches() {
		row := []any{markdown.Text(r.set), markdown.Text(r.title), number(r.rmse), timed(number(r.seconds), r.busy)}
		if r.own != nil {
			row = append(row, markdown.Text(r.own.Method), number(*r.own.RMSE), timed(number(r.own.FitSeconds), !r.own.Quiet()), r.times())
		} else {
			row = append(row, "none", "", "", "")
		}
		markdown.Row(w, row...)
	}
}

// reach is when a method with a curve comes near its last RMSE, its RMSE on all test rows, and our quickest fit that is as good; nil if there is none.
type reach struct {
	set, title    string
	rmse, seconds float64
	busy          bool // the machine had other work meanwhile
	own           *record.Record
}

// times writes how many times as quick ours is.
func (r reach) times() string {
	return timed(fmt.Sprintf("%.2g", r.seconds/r.own.FitSeconds), r.busy || !r.own.Quiet())
}

// reaches returns those of all methods of others with a curve, by set.
func (g *grid) reaches() (all []reach) {
	for _, set := range g.sets {
		for _, title := range g.run {
			c := g.at(set, title)
			if c == nil || c.ours() {
				continue
			}
			for _, r := range c.made {
				if len(r.Curve) > 0 && r.RMSE != nil {
					all = append(all, reach{set, title, *r.RMSE, settled(r.Curve), !r.Quiet(), g.firstToReach(r)})
				}
			}
		}
	}
	return all
}

// firstToReach returns our quickest fit of a record's rows whose RMSE is no larger; nil if there is none.
func (g *grid) firstToReach(r record.Record) (first *record.Record) {
	for _, c := range g.all {
		if !c.ours() || c.set != r.Set {
			continue
		}
		for i, own := range c.made {
			if own.Split == r.Split && own.RMSE != nil && *own.RMSE <= *r.RMSE && (first == nil || own.FitSeconds < first.FitSeconds) {
				first = &c.made[i]
			}
		}
	}
	return first
}
