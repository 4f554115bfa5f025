package plot

import (
	"fmt"
	"math"

	"beziergp/metric"
	"beziergp/plot/canvas"
)

// Reliability is how often what was predicted with a probability came true, in parts of
// [0, 1]. It takes the same memory for any number of rows.
type Reliability struct {
	Event string // what the probabilities are of

	counts metric.Reliability
	rows   int
}

// Add takes in a row: the probability that was predicted, and whether the event came.
func (r *Reliability) Add(p float64, came bool) {
	r.counts.Add(p, came)
	r.rows++
}

// Draw draws the shares that came true by the probabilities, with two deviations of chance on
// either side, and how the probabilities spread. It fails where there are no rows.
func (r *Reliability) Draw() (*canvas.Canvas, error) {
	if r.rows == 0 {
		return nil, errNothing
	}
	f := newFigure(pictureWidth, 262)
	parts := f.Inset(6, 4, 6, 8).Columns(2, 16)
	claimed, came, rows := r.counts.Bins()
	ticks := []float64{0, 0.25, 0.5, 0.75, 1}
	p := f.panel(parts[0], fmt.Sprintf("Calibration error %.3g, by chance %.2g", r.counts.ECE(), r.counts.ChanceECE()),
		axis{label: "probability of " + r.Event, hi: 1, ticks: ticks}, axis{label: "share that came true", hi: 1, ticks: ticks})
	p.segment(line(thinLine, gray), 0, 0, 1, 1)
	for i, v := range came {
		half := 2 * math.Sqrt(claimed[i]*(1-claimed[i])/float64(rows[i]))
		p.segment(line(thinLine, sky), claimed[i], max(0, v-half), claimed[i], min(1, v+half))
	}
	p.curve(line(thinLine, blue), claimed, came)
	p.scatter(dot(2.4, blue), claimed, came)
	p.legend(key{means: fmt.Sprintf("%d rows ± 2 sd", r.rows), glyph: dot(2.4, blue)}, key{means: "calibrated", line: line(thinLine, gray)})
	share := make([]float64, len(rows))
	most := 0.0
	for i, n := range rows {
		share[i] = 100 * float64(n) / float64(r.rows)
		most = max(most, share[i])
	}
	q := f.panel(parts[1], "Probabilities predicted", axis{label: "probability of " + r.Event, hi: 1, ticks: ticks}, axis{label: "rows, %", hi: 1.08 * most})
	for i, v := range share {
		bin := math.Floor(min(claimed[i]*metric.ReliabilityBins, metric.ReliabilityBins-1))
		left, right := bin/metric.ReliabilityBins, (bin+1)/metric.ReliabilityBins
		q.band(blue, []float64{left + 0.004, right - 0.004}, []float64{0, 0}, []float64{v, v})
	}
	return f.Canvas, nil
}
