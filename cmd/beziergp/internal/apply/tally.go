package apply

import (
	"fmt"
	"math"
	"strconv"

	"beziergp/box"
	"beziergp/cmd/beziergp/internal/gate"
	"beziergp/metric"
)

// tally gathers what rows score.
type tally struct {
	metric.Scores
	beyond int // rows whose target lies beyond the range
	// median and quantiles are of all rows alone, not of groups.
	median    metric.Median
	quantiles []metric.Quantile
}

func (o Options) newTally() *tally {
	t := &tally{}
	for _, level := range o.Pinball {
		t.quantiles = append(t.quantiles, metric.Quantile{Level: level})
	}
	return t
}

// addPoint takes in what is scored of all rows alone.
func (t *tally) addPoint(y float64, b *Block, i int) {
	t.median.Add(math.Abs(y - b.Point[i]))
	for k := range t.quantiles {
		t.quantiles[k].Add(y, b.Distribution(i).Quantile(t.quantiles[k].Level))
	}
}

// add takes in row i of a block and returns its probability integral transform.
func (t *tally) add(y float64, b *Block, i int) float64 {
	if b.Range != nil && !b.Range.Contains(y) {
		t.beyond++
	}
	return t.Add(y, b.Point[i], b.Lower[i], b.Upper[i], b.Distribution(i))
}

// named is a score by its name: its value, and why that is none or infinite.
type named struct {
	name  string
	value func(t *tally) (v float64, why string)
}

// scores are those of all rows, in the order in which they are printed: first what says
// most, on the predicted distribution, then on single numbers and intervals.
func (o Options) scores() []named {
	coverage, width, interval := o.ofInterval()
	all := []named{
		rows, rmse, nlpd,
		plain("crps", func(t *tally) float64 { return t.CRPS() }),
		coverage,
		{"r2", func(t *tally) (float64, string) {
			v := t.R2()
			if math.IsNaN(v) {
				return v, "all targets are the same"
			}
			return v, ""
		}},
		mae,
		plain("medae", func(t *tally) float64 { return t.median.Value() }),
		{"mape", func(t *tally) (float64, string) {
			if n := t.Zeros(); n > 0 {
				return math.NaN(), fmt.Sprintf("%d targets are 0", n)
			}
			return t.MAPE(), ""
		}},
		width, interval,
	}
	for k, level := range o.Pinball {
		all = append(all, plain(fmt.Sprintf("pinball%g", level), func(t *tally) float64 { return t.quantiles[k].Loss() }))
	}
	return all
}

// scoresOfGroups are those of the rows of a group.
func (o Options) scoresOfGroups() []named {
	coverage, width, _ := o.ofInterval()
	return []named{rows, rmse, mae, nlpd, coverage, width}
}

var (
	rows = plain("n", func(t *tally) float64 { return float64(t.N()) })
	rmse = plain("rmse", func(t *tally) float64 { return t.RMSE() })
	mae  = plain("mae", func(t *tally) float64 { return t.MAE() })
	nlpd = named{"nlpd", func(t *tally) (float64, string) {
		v, why := t.NLPD(), ""
		switch {
		case t.beyond > 0:
			why = fmt.Sprintf("%d targets lie beyond the range", t.beyond)
		case math.IsInf(v, 0) || math.IsNaN(v):
			why = "it is infinite"
		}
		return v, why
	}}
)

// ofInterval returns the scores of the interval, whose names have its level.
func (o Options) ofInterval() (coverage, width, score named) {
	level := o.IntervalLevel()
	percent := Percent(level)
	return plain("coverage"+percent, func(t *tally) float64 { return t.Coverage() }),
		plain("width"+percent, func(t *tally) float64 { return t.Width() }),
		plain("interval_score"+percent, func(t *tally) float64 { return t.IntervalScore(level) })
}

func plain(name string, value func(t *tally) float64) named {
	return named{name, func(t *tally) (float64, string) { return value(t), "" }}
}

// Percent is a level in percent, as names of columns and scores have it.
func Percent(level float64) string { return strconv.FormatFloat(100*level, 'g', 12, 64) }

// ScoreNames returns the names of the scores that there will be, as conditions name them.
func (o Options) ScoreNames() (names []string) {
	for _, s := range o.scores() {
		names = append(names, s.name)
	}
	for _, reason := range box.Reasons() {
		names = append(names, namesOutside[reason])
	}
	names = append(names, "trained_on")
	if len(o.By) > 0 {
		for _, s := range o.scoresOfGroups() {
			names = append(names, anyGroup+s.name)
		}
	}
	return names
}

// of returns the scores of a tally that has rows.
func of(all []named, t *tally) (scores []gate.Score) {
	for _, s := range all {
		v, why := s.value(t)
		scores = append(scores, gate.Score{Name: s.name, Value: v, Why: why})
	}
	return scores
}
