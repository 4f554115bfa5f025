package plot

import (
	"fmt"
	"math"

	"beziergp/plot/canvas"
)

// Evaluation gathers what came of predictions row by row, and draws it. It takes no more
// memory for many rows than for some ten thousand.
type Evaluation struct {
	Target string  // what is predicted
	Level  float64 // of the intervals, as 0.95

	pairs      counts // predicted, observed
	transforms Transforms
	rows       int
	inside     int
	endless    int     // rows with a number beyond all that is drawn
	squares    float64 // of the errors
}

// Add gathers a row: what was observed, what predicted, whether that was in its
// interval, and its probability integral transform.
func (e *Evaluation) Add(observed, predicted float64, inside bool, transform float64) {
	e.rows++
	e.transforms.Add(transform)
	if inside {
		e.inside++
	}
	if !(math.Abs(observed) < endless && math.Abs(predicted) < endless) {
		e.endless++
		return
	}
	e.squares += (observed - predicted) * (observed - predicted)
	e.pairs.add(predicted, observed, inside)
}

// endless is a number whose distance from another may be none.
const endless = 1e300

// Draw draws three panels: observed against predicted values, how often intervals of
// every level hold the observed value, and how often those of one level do by the value
// that is predicted.
func (e *Evaluation) Draw() (*canvas.Canvas, error) {
	if err := e.transforms.check(); err != nil {
		return nil, err
	}
	if e.endless == e.rows {
		return nil, fmt.Errorf("not one of %d rows has finite numbers to draw", e.rows)
	}
	f := newFigure(pictureWidth, 268)
	rmse := math.Sqrt(e.squares / float64(e.rows-e.endless))
	f.headline(fmt.Sprintf("RMSE %s · %.1f %% of %d rows in their %s intervals", significant(rmse, 3),
		100*float64(e.inside)/float64(e.rows), e.rows, e.level()))
	parts := f.Inset(6, 4, 6, 34).Columns(3, 14)
	predicted := e.pairs.along(0)
	both := e.span(predicted)
	e.observed(f, parts[0], both)
	f.coverage(parts[1], "Calibration", &e.transforms)
	e.byPredicted(f, parts[2], predicted)
	return f.Canvas, nil
}

// level returns that of the intervals in words.
func (e *Evaluation) level() string { return fmt.Sprintf("%.12g %%", 100*e.Level) }

// span returns an axis for predicted and observed values. Where there are many rows, the
// last thousandths of them on either side may lie beyond, if that is far off.
func (e *Evaluation) span(predicted []stripe) axis {
	observed := e.pairs.along(1)
	lo := min(predicted[0].index, observed[0].index)
	hi := max(predicted[len(predicted)-1].index, observed[len(observed)-1].index)
	if len(e.pairs.cells) > mostDots {
		const rare = 0.001
		low := min(quantile(predicted, rare), quantile(observed, rare))
		high := max(quantile(predicted, 1-rare), quantile(observed, 1-rare))
		room := (high - low) / 2
		lo, hi = max(lo, low-room), min(hi, high+room)
	}
	return spanning("", []float64{e.pairs.value(float64(lo)), e.pairs.value(float64(hi) + 1)})
}

// mostDots is how many rows are drawn one by one; of more, their density is.
const mostDots = 1000

// observed draws the panel of observed against predicted values.
func (e *Evaluation) observed(f *figure, r rect, both axis) {
	x, y := both, both
	x.label, y.label = "predicted "+e.Target, "observed "+e.Target
	p := f.panel(r, "Observed against predicted", x, y)
	if len(e.pairs.cells) > mostDots {
		p.density(&e.pairs)
		p.segment(line(thinLine, black), x.lo, x.lo, x.hi, x.hi)
		return
	}
	p.segment(line(thinLine, gray), x.lo, x.lo, x.hi, x.hi)
	var predicted, observed []float64
	for _, at := range e.pairs.ordered() {
		predicted = append(predicted, e.pairs.value(float64(at[0])+0.5))
		observed = append(observed, e.pairs.value(float64(at[1])+0.5))
	}
	style := dot(1.5, blue)
	p.scatter(style, predicted, observed)
	p.legend(key{means: "a row", glyph: style}, key{means: "equal", line: line(thinLine, gray)})
}

// byPredicted draws the panel of how often intervals hold the observed value, for parts
// of the rows by what was predicted, each with the 95 % interval for what share it is
// by chance (Wilson, 1927).
func (e *Evaluation) byPredicted(f *figure, r rect, predicted []stripe) {
	const mostParts, fewestRows = 12, 30
	var at, share, lower, upper []float64
	for _, part := range parted(predicted, min(mostParts, max(1, e.rows/fewestRows))) {
		var sum tally
		place := 0.0
		for _, s := range part {
			sum.rows, sum.inside = sum.rows+s.rows, sum.inside+s.inside
			place += float64(s.rows) * (float64(s.index) + 0.5)
		}
		low, high := wilson(sum.inside, sum.rows)
		at = append(at, e.pairs.value(place/float64(sum.rows)))
		share = append(share, 100*float64(sum.inside)/float64(sum.rows))
		lower, upper = append(lower, 100*low), append(upper, 100*high)
	}
	nominal := 100 * e.Level
	y := spanning("rows inside, %", lower, upper, []float64{nominal, 100})
	y.hi = min(y.hi, 100.5)
	p := f.panel(r, "Coverage by predicted value", spanning("predicted "+e.Target, at), y)
	p.segment(line(thickLine, gray), p.x.lo, nominal, p.x.hi, nominal)
	for i, x := range at {
		p.segment(line(thickLine, blue), x, lower[i], x, upper[i])
	}
	style := dot(2.3, blue)
	p.scatter(style, at, share)
	p.legend(key{means: "inside, ± 2 sd", line: line(thickLine, blue), glyph: style}, key{means: e.level(), line: line(thickLine, gray)})
}

// wilson returns the ends of the 95 % interval of a share of which k of n rows were seen.
func wilson(k, n int) (lower, upper float64) {
	const z = 1.959963984540054 // the 97.5 % quantile of the normal distribution
	share, rows := float64(k)/float64(n), float64(n)
	middle := (share + z*z/(2*rows)) / (1 + z*z/rows)
	half := z / (1 + z*z/rows) * math.Sqrt(share*(1-share)/rows+z*z/(4*rows*rows))
	return max(0, middle-half), min(1, middle+half)
}
