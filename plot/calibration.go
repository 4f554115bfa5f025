package plot

import (
	"fmt"
	"math"
	"slices"

	"beziergp/plot/canvas"
)

// Transforms counts probability integral transforms: F(y) of every outcome y under the
// distribution predicted for it. It takes the same memory for any number of them.
type Transforms struct {
	rows   int
	levels [101]int // rows in the central interval of so many percent, not in that before
	shares [pitBins]int
	bad    int // that are no probabilities
}

const pitBins = 20

// Add counts a transform.
func (t *Transforms) Add(u float64) {
	t.rows++
	if !(u >= 0 && u <= 1) {
		t.bad++
		return
	}
	t.shares[min(int(u*pitBins), pitBins-1)]++
	// The central interval of a level holds the rows with |2u − 1| ≤ level.
	distance := math.Abs(2*u - 1)
	percent := int(math.Ceil(100 * distance))
	for percent > 0 && distance <= float64(percent-1)/100 {
		percent--
	}
	for distance > float64(percent)/100 {
		percent++
	}
	t.levels[percent]++
}

// coverage returns, at every percent, the share in percent of outcomes in the
// central interval of that level.
func (t *Transforms) coverage() (nominal, covered []float64) {
	inside := 0
	for percent, rows := range t.levels {
		inside += rows
		nominal = append(nominal, float64(percent))
		covered = append(covered, 100*float64(inside)/float64(t.rows))
	}
	return nominal, covered
}

// check returns an error unless the transforms can be drawn.
func (t *Transforms) check() error {
	switch {
	case t.rows == 0:
		return errNothing
	case t.bad > 0:
		return fmt.Errorf("the transforms of %d of %d rows are no probabilities; leave these rows out", t.bad, t.rows)
	}
	return nil
}

// Calibration draws how often outcomes lie in central intervals of every level,
// and how the probability integral transforms of the outcomes spread over [0, 1].
// Of a calibrated model the first is the diagonal and the second flat, but for
// chance, for which there is a band of two deviations.
func Calibration(t *Transforms) (*canvas.Canvas, error) {
	if err := t.check(); err != nil {
		return nil, err
	}
	f := newFigure(pictureWidth, 262)
	parts := f.Inset(6, 4, 6, 8).Columns(2, 16)
	f.coverage(parts[0], "Coverage", t)
	f.shares(parts[1], t)
	return f.Canvas, nil
}

// coverage draws the panel of how often intervals hold the outcome.
func (f *figure) coverage(r rect, title string, t *Transforms) {
	percent := []float64{0, 25, 50, 75, 100}
	p := f.panel(r, title, axis{label: "level of the interval, %", hi: 100, ticks: percent},
		axis{label: "rows inside, %", hi: 100, ticks: percent})
	nominal, covered := t.coverage()
	lower, upper := make([]float64, len(nominal)), make([]float64, len(nominal))
	for i, v := range nominal {
		half := 200 * math.Sqrt(v/100*(1-v/100)/float64(t.rows))
		lower[i], upper[i] = v-half, v+half
	}
	p.band(lightGray, nominal, lower, upper)
	p.segment(line(thinLine, gray), 0, 0, 100, 100)
	p.curve(line(thickLine, blue), nominal, covered)
	p.legend(key{means: fmt.Sprintf("%d rows", t.rows), line: line(thickLine, blue)},
		key{means: "calibrated ± 2 sd", fill: lightGray, line: line(thinLine, gray)})
}

// shares draws the panel of the transforms' histogram.
func (f *figure) shares(r rect, t *Transforms) {
	n := float64(t.rows)
	var share [pitBins]float64
	for i, rows := range t.shares {
		share[i] = 100 * float64(rows) / n
	}
	expected := 100.0 / pitBins
	half := 200 * math.Sqrt((1-1.0/pitBins)/pitBins/n)
	p := f.panel(r, "Probability integral transform", axis{label: "share of the prediction below the outcome", hi: 1, ticks: []float64{0, 0.25, 0.5, 0.75, 1}},
		axis{label: "rows, %", hi: 1.08 * max(slices.Max(share[:]), expected+half)})
	for i, v := range share {
		left, right := float64(i)/pitBins, float64(i+1)/pitBins
		p.band(blue, []float64{left + 0.004, right - 0.004}, []float64{0, 0}, []float64{v, v})
	}
	for _, v := range []float64{expected - half, expected + half} {
		p.segment(dashed(thinLine, black), 0, v, 1, v)
	}
	p.segment(line(thinLine, black), 0, expected, 1, expected)
	p.legend(key{means: "rows", fill: blue}, key{means: "calibrated", line: line(thinLine, black)}, key{means: "± 2 sd", line: dashed(thinLine, black)})
}
