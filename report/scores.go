package report

import (
	"fmt"
	"math"
	"slices"

	"beziergp/model"
	"beziergp/rival"
)

// scoresOf returns the scores out of fold and of the rows.
func (b *Builder) scoresOf() []Score {
	out := map[string]float64{}
	if m, ok := b.model.(*model.Model); ok && m.Training().OutOfFold != nil {
		s := m.Training().OutOfFold
		out["n"], out["rmse"], out["nlpd"], out["crps"], out["coverage95"] = float64(s.Rows), s.RMSE, s.NLPD, s.CRPS, s.Coverage95
	}
	s, any := &b.scores, b.observed > 0
	units := "; in the units of the target"
	all := []struct {
		name, meaning string
		value         func() float64
	}{
		{"n", "rows scored", func() float64 { return float64(s.N()) }},
		{"rmse", "root mean squared error" + units, s.RMSE},
		{"nlpd", "minus the mean log density of the target, in nats: lower is better", s.NLPD},
		{"crps", "continuous ranked probability score: lower is better" + units, s.CRPS},
		{"coverage95", "share of rows in the 95 % interval: 0.95 is right", s.Coverage},
		{"r2", "coefficient of determination: 1 is perfect, 0 as good as the mean", s.R2},
		{"mae", "mean absolute error" + units, s.MAE},
		{"medae", "median absolute error" + units, b.median.Value},
		{"mape", "mean absolute error relative to the target, as a share", func() float64 {
			if s.Zeros() > 0 {
				return math.NaN()
			}
			return s.MAPE()
		}},
		{"width95", "mean width of the 95 % interval" + units, s.Width},
		{"interval_score95", "width, and 40 times how far targets lie outside: lower is better" + units, func() float64 { return s.IntervalScore(model.Level) }},
	}
	var scores []Score
	for _, own := range all {
		score := Score{Name: own.name, Meaning: own.meaning}
		if v, ok := out[own.name]; ok {
			score.OutOfFold = finite(v)
		}
		if any {
			score.Rows = finite(own.value())
		}
		if score.OutOfFold != nil || score.Rows != nil {
			scores = append(scores, score)
		}
	}
	return scores
}

func finite(v float64) *float64 {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return nil
	}
	return &v
}

// value returns a score by its name: of the rows, or where there are none out of fold.
func (r *Report) value(name string) (v float64, known bool) {
	at := slices.IndexFunc(r.Scores, func(s Score) bool { return s.Name == name })
	if at < 0 {
		return 0, false
	}
	if s := r.Scores[at]; s.Rows != nil {
		return *s.Rows, true
	} else if s.OutOfFold != nil {
		return *s.OutOfFold, true
	}
	return 0, false
}

// learned says what the model was learned from, and how.
func (b *Builder) learned() (facts []Fact) {
	add := func(name, format string, values ...any) {
		facts = append(facts, Fact{name, fmt.Sprintf(format, values...)})
	}
	t := b.model.Target()
	of := ""
	if t.Transform != "" {
		of = fmt.Sprintf(" of its transform %s, which is learned", t.Transform)
	}
	extremes := ""
	if p := b.model.Profile(); p != nil {
		extremes = fmt.Sprintf("%.6g to %.6g, ", p.Targets[0].Lo, p.Targets[0].Hi)
	}
	add("Target", "%smean %.6g, deviation %.6g%s", extremes, t.Mean, t.SD, of)
	switch m := b.model.(type) {
	case *model.Model:
		own := m.Training()
		rows := fmt.Sprintf("%d rows", own.Rows)
		if n := own.Learned(); n < own.Rows {
			rows = fmt.Sprintf("%d rows, of which %d were learned from", own.Rows, n)
		}
		if own.Dropped > 0 {
			rows += fmt.Sprintf("; %d without a target or a weight were left out", own.Dropped)
		}
		add("Training rows", "%s", rows)
		add("Method", "Bézier Gaussian process, recipe %s", own.Recipe)
		add("Noise", "typical deviation %.6g; %s", m.Noise(), map[bool]string{true: "another one for every row", false: "the same for every row"}[m.Output().LogNoise != nil])
	case *rival.Model:
		own := m.Training()
		add("Training rows", "%d rows", own.Rows)
		add("Method", "%s", m.Method())
	}
	columns := len(b.layers)
	add("Columns", "%d, which make %d inputs", columns, len(b.model.Inputs()))
	if b.n > 0 {
		add("Rows of this report", "%d, of which the target is known of %d", b.n, b.observed)
	}
	return facts
}
