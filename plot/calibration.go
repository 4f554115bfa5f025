package plot

import (
	"fmt"
	"io"
	"math"
	"slices"
)

// Calibration draws how often outcomes lie in central intervals of every level,
// and how the probability integral transforms of the outcomes spread over [0, 1].
// Of a calibrated model the first is the diagonal and the second flat, but for
// chance, for which there is a band of two deviations. pit are the transforms, [n],
// F(y) of every outcome y under the distribution predicted for it.
func Calibration(w io.Writer, pit []float64) error {
	if len(pit) == 0 {
		return errNothing
	}
	for i, u := range pit {
		if !(u >= 0 && u <= 1) {
			return fmt.Errorf("row %d: the transform %g is not a probability; leave the row out", i+1, u)
		}
	}
	f, err := newFigure(pictureWidth, 262)
	if err != nil {
		return err
	}
	parts := columns(inset(f.Rectangle, 6, 4, 6, 8), 2, 16)
	percent := []float64{0, 25, 50, 75, 100}
	n := float64(len(pit))

	p := f.panel(parts[0], "Coverage", axis{label: "level of the interval, %", hi: 100, ticks: percent},
		axis{label: "rows inside, %", hi: 100, ticks: percent})
	nominal, covered := coverage(pit)
	lower, upper := make([]float64, len(nominal)), make([]float64, len(nominal))
	for i, v := range nominal {
		half := 200 * math.Sqrt(v/100*(1-v/100)/n)
		lower[i], upper[i] = v-half, v+half
	}
	p.band(lightGray, nominal, lower, upper)
	p.segment(line(thinLine, gray), 0, 0, 100, 100)
	p.curve(line(thickLine, blue), nominal, covered)
	p.legend(key{means: fmt.Sprintf("%d rows", len(pit)), line: line(thickLine, blue)},
		key{means: "calibrated ± 2 sd", fill: lightGray, line: line(thinLine, gray)})

	const bins = 20
	var share [bins]float64
	for _, u := range pit {
		share[min(int(u*bins), bins-1)] += 100 / n
	}
	expected := 100.0 / bins
	half := 200 * math.Sqrt((1-1.0/bins)/bins/n)
	p = f.panel(parts[1], "Probability integral transform", axis{label: "share of the prediction below the outcome", hi: 1, ticks: []float64{0, 0.25, 0.5, 0.75, 1}},
		axis{label: "rows, %", hi: 1.08 * max(slices.Max(share[:]), expected+half)})
	for i, v := range share {
		left, right := float64(i)/bins, float64(i+1)/bins
		p.band(blue, []float64{left + 0.004, right - 0.004}, []float64{0, 0}, []float64{v, v})
	}
	for _, v := range []float64{expected - half, expected + half} {
		p.segment(dashed(thinLine, black), 0, v, 1, v)
	}
	p.segment(line(thinLine, black), 0, expected, 1, expected)
	p.legend(key{means: "rows", fill: blue}, key{means: "calibrated", line: line(thinLine, black)}, key{means: "± 2 sd", line: dashed(thinLine, black)})
	return f.writeTo(w)
}

// coverage returns, at every percent, the share in percent of outcomes in the
// central interval of that level: those whose transform u has |2u − 1| ≤ level.
func coverage(pit []float64) (nominal, covered []float64) {
	distance := make([]float64, len(pit))
	for i, u := range pit {
		distance[i] = math.Abs(2*u - 1)
	}
	slices.Sort(distance)
	for percent := range 101 {
		level := float64(percent) / 100
		inside, _ := slices.BinarySearchFunc(distance, level, func(v, level float64) int {
			if v <= level {
				return -1
			}
			return 1
		})
		nominal = append(nominal, 100*level)
		covered = append(covered, 100*float64(inside)/float64(len(pit)))
	}
	return nominal, covered
}
