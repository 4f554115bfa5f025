package plot

import (
	"errors"
	"fmt"
	"math"

	"beziergp/metric"
	"beziergp/plot/canvas"
	"beziergp/predictive"
)

// Outcomes are predictions with what came of them, [n] each. Pictures of them want at
// least one row and finite numbers.
type Outcomes struct {
	Observed, Mean []float64
	Predicted      []predictive.Distribution
	Target, Unit   string // the target's name, and its unit where there is one
}

const (
	level = 0.95
	// mostMarks is about how many rows are drawn one by one; of more, every so many.
	mostMarks = 400
)

// Predicted draws observed against predicted values, and the residuals with their
// 95 % intervals, with the scores of all rows above. It draws some of many rows.
func Predicted(o Outcomes) (*canvas.Canvas, error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	f := newFigure(pictureWidth, 286)
	o.scores(f)
	parts := f.Rect.Inset(6, 4, 6, 36).Columns(2, 16)
	shown := o.thinned()
	lower, upper, residual := make([]float64, len(shown.Mean)), make([]float64, len(shown.Mean)), make([]float64, len(shown.Mean))
	for i, mean := range shown.Mean {
		low, high := central(shown.Predicted[i])
		lower[i], upper[i] = low-mean, high-mean
		residual[i] = shown.Observed[i] - mean
	}

	both := spanning("", shown.Observed, shown.Mean)
	x, y := both, both
	x.label, y.label = o.quantity("predicted"), o.quantity("observed")
	p := f.panel(parts[0], "Observed and predicted", x, y)
	p.segment(line(thinLine, gray), x.lo, x.lo, x.hi, x.hi)
	p.scatter(dot(1.7, blue), shown.Mean, shown.Observed)
	p.legend(key{means: o.count(len(shown.Mean)), glyph: dot(1.7, blue)})

	x = spanning(o.quantity("predicted"), shown.Mean)
	p = f.panel(parts[1], "Residuals", x, spanning(residualLabel(o.Unit), residual, lower, upper))
	var bars [][]point
	var marks [2]struct{ x, y []float64 } // of the rows outside their interval, and inside
	for i, mean := range shown.Mean {
		bars = append(bars, []point{p.at(mean, lower[i]), p.at(mean, upper[i])})
		m := &marks[0]
		if lower[i] <= residual[i] && residual[i] <= upper[i] {
			m = &marks[1]
		}
		m.x, m.y = append(m.x, mean), append(m.y, residual[i])
	}
	p.Stroke(line(1.2, paleBlue), bars...)
	p.segment(line(thinLine, gray), x.lo, 0, x.hi, 0)
	p.scatter(dot(1.7, orange), marks[0].x, marks[0].y)
	p.scatter(dot(1.7, blue), marks[1].x, marks[1].y)
	p.legend(
		key{means: "95 % interval", fill: paleBlue},
		key{means: "inside", glyph: dot(1.7, blue)},
		key{means: "outside", glyph: dot(1.7, orange)},
	)
	return f.Canvas, nil
}

var errNothing = errors.New("there is no row to draw")

// Transforms returns the outcomes' probability integral transforms.
func (o Outcomes) Transforms() *Transforms {
	var t Transforms
	for i, y := range o.Observed {
		t.Add(o.Predicted[i].Transform(y, i))
	}
	return &t
}

// check returns an error unless the outcomes can be drawn.
func (o Outcomes) check() error {
	if len(o.Observed) == 0 {
		return errNothing
	}
	for i, y := range o.Observed {
		_, std := o.Predicted[i].Moments()
		for _, v := range []float64{y, o.Mean[i], std} {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return fmt.Errorf("row %d: observed %g, predicted %g ± %g: only finite numbers can be drawn; leave the row out", i+1, y, o.Mean[i], std)
			}
		}
	}
	return nil
}

// scores writes the headline.
func (o Outcomes) scores(f *figure) {
	var scores metric.Scores
	for i, y := range o.Observed {
		lower, upper := central(o.Predicted[i])
		scores.Add(y, o.Mean[i], lower, upper, o.Predicted[i])
	}
	rmse := significant(scores.RMSE(), 3)
	if o.Unit != "" {
		rmse += " " + o.Unit
	}
	f.headline(fmt.Sprintf(
		"RMSE %s · NLPD %s · %.1f %% of %d rows in their 95 %% intervals", rmse,
		significant(scores.NLPD(), 3), 100*scores.Coverage(), len(o.Mean)))
}

// central returns the ends of the central interval of a distribution.
func central(d predictive.Distribution) (lower, upper float64) {
	return d.Quantile((1 - level) / 2), d.Quantile((1 + level) / 2)
}

// quantity names an axis: the target as predicted or observed.
func (o Outcomes) quantity(how string) string {
	if o.Unit == "" {
		return how + " " + o.Target
	}
	return fmt.Sprintf("%s %s, %s", how, o.Target, o.Unit)
}

func residualLabel(unit string) string {
	if unit == "" {
		return "observed − predicted"
	}
	return "observed − predicted, " + unit
}

func (o Outcomes) count(shown int) string {
	if shown == len(o.Mean) {
		return fmt.Sprintf("%d rows", shown)
	}
	return fmt.Sprintf("%d of %d rows", shown, len(o.Mean))
}

// thinned returns every so many-th row.
func (o Outcomes) thinned() Outcomes {
	step := int(math.Ceil(float64(len(o.Mean)) / mostMarks))
	out := Outcomes{}
	for i := 0; i < len(o.Mean); i += step {
		out.Observed = append(out.Observed, o.Observed[i])
		out.Mean = append(out.Mean, o.Mean[i])
		out.Predicted = append(out.Predicted, o.Predicted[i])
	}
	return out
}
