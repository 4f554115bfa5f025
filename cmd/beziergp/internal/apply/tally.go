package apply

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"beziergp/box"
	"beziergp/cmd/beziergp/internal/gate"
	"beziergp/metric"
	"beziergp/predictive"
)

// tally gathers what rows score.
type tally struct {
	about
	metric.Scores     // of numbers
	beyond        int // rows whose target lies beyond the range
	unknown       int // rows with a class that the model does not know
	probabilities *metric.Classes
	deviance      metric.Deviance
	held, size    int // rows whose class is in its set, and classes in the sets
	// median and quantiles are of all rows alone, not of groups.
	median    metric.Median
	quantiles []metric.Quantile
}

func (o Options) newTally(a about) *tally {
	t := newGroup(a)
	t.deviance.Brief = false
	if t.probabilities != nil {
		t.probabilities.Brief = false
	}
	for _, level := range o.Pinball {
		t.quantiles = append(t.quantiles, metric.Quantile{Level: level})
	}
	return t
}

// newGroup returns the tally of a group of the rows.
func newGroup(a about) *tally {
	t := &tally{about: a, deviance: metric.Deviance{Power: a.power, Brief: true}}
	if a.classes != nil {
		t.probabilities = metric.NewClasses(len(a.classes))
		t.probabilities.Brief = true
	}
	return t
}

// addPoint takes in what is scored of all rows alone.
func (t *tally) addPoint(y float64, b *Block, i int) {
	if t.classes != nil {
		return
	}
	t.median.Add(math.Abs(y - b.Point[i]))
	for k := range t.quantiles {
		t.quantiles[k].Add(y, b.Distribution(i).Quantile(t.quantiles[k].Level))
	}
}

// outcomes returns what the predicted distributions of some rows of a block tell of their targets, where these are numbers, [rows].
func (t *tally) outcomes(workers int, targets []float64, b *Block, rows []int) []predictive.Outcome {
	if t.classes != nil {
		return make([]predictive.Outcome, len(rows))
	}
	return metric.Outcomes(workers, len(rows), t.rows(), func(k int) (predictive.Distribution, float64) { return b.Distribution(rows[k]), targets[rows[k]] })
}

// add takes in row i of a block, with what its distribution tells of a number.
func (t *tally) add(y float64, b *Block, i int, o predictive.Outcome) {
	if t.classes != nil {
		t.addClass(int(y), b.Probabilities(i), t.least)
		return
	}
	if b.Range != nil && !b.Range.Contains(y) {
		t.beyond++
	}
	if t.positive {
		exposure := 1.0
		if t.exposure >= 0 {
			exposure = b.Inputs[t.exposure][i]
		}
		t.deviance.Add(y, b.Mean[i], exposure)
	}
	t.AddOutcome(y, b.Point[i], b.Lower[i], b.Upper[i], o)
}

// addClass takes in a row of a class, with the probabilities of all.
func (t *tally) addClass(class int, p []float64, least float64) {
	t.probabilities.Add(class, p)
	if !t.sets {
		return
	}
	for k, v := range p {
		if v >= least {
			t.size++
			if k == class {
				t.held++
			}
		}
	}
}

// rows returns the number of rows so far.
func (t *tally) rows() int {
	if t.classes != nil {
		return t.probabilities.N()
	}
	return t.N()
}

// report returns what the rows score.
func (t *tally) report(o Options) Report {
	r := Report{Scores: of(o.scores(t.about), t)}
	if t.classes == nil {
		pit := t.PIT()
		r.PIT = pit[:]
		return r
	}
	r.Classes, r.Confusion = t.classes, t.probabilities.Confusion()
	r.Outside = []RowsOutside{{newClass, t.unknown}}
	return r
}

// newClass names rows of a class that no training row had.
const newClass = "new_class"

// knows tells whether the model can have a probability of what was observed.
func (a about) knows(y float64) bool {
	return a.classes == nil || y >= 0 && y < float64(len(a.classes)) && y == math.Trunc(y)
}

// scored returns what row i of a block scored.
func (a about) scored(y float64, b *Block, i int, transform float64) Scored {
	if a.classes == nil {
		return Scored{Observed: y, Predicted: b.Point[i], Inside: b.Lower[i] <= y && y <= b.Upper[i], Transform: transform}
	}
	p, class := b.Probabilities(i), 1
	if len(p) > 2 {
		class = metric.Likeliest(p)
	}
	return Scored{Observed: y, Probability: p[class], Came: int(y) == class, Classes: true}
}

// named is a score by its name: its value, and why that is none or infinite.
type named struct {
	name  string
	value func(t *tally) (v float64, why string)
}

// scores are those of all rows, in the order in which they are printed: first what says
// most, on the predicted distribution, then on single numbers and intervals.
func (o Options) scores(a about) []named {
	if a.classes != nil {
		all := []named{rows, logLoss, brier, accuracy, area, plain("ece", func(t *tally) float64 { return t.probabilities.ECE() }),
			plain("ece_chance", func(t *tally) float64 { return t.probabilities.ChanceECE() })}
		if a.sets {
			all = append(all, o.ofSets()...)
		}
		return all
	}
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
	if a.positive {
		all = append(all, deviance, ordering("gini", (*metric.Deviance).Gini), ordering("lift", (*metric.Deviance).Lift))
	}
	return all
}

// scoresOfGroups are those of the rows of a group.
func (o Options) scoresOfGroups(a about) []named {
	coverage, width, _ := o.ofInterval()
	all := []named{rows, rmse, mae, nlpd, coverage, width}
	switch {
	case a.classes != nil:
		all = []named{rows, logLoss, brier, accuracy}
		if a.sets {
			all = append(all, o.ofSets()...)
		}
	case a.positive:
		all = append(all, deviance)
	}
	return all
}

var (
	rows = plain("n", func(t *tally) float64 { return float64(t.rows()) })
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

var (
	logLoss = named{"log_loss", func(t *tally) (float64, string) {
		v, why := t.probabilities.LogLoss(), ""
		if math.IsInf(v, 0) {
			why = "a class that was observed had no probability"
		}
		return v, why
	}}
	brier    = plain("brier", func(t *tally) float64 { return t.probabilities.Brier() })
	accuracy = plain("accuracy", func(t *tally) float64 { return t.probabilities.Accuracy() })
	area     = named{"auc", func(t *tally) (float64, string) {
		v := t.probabilities.AUC()
		if math.IsNaN(v) {
			return v, "all rows are of one class"
		}
		return v, ""
	}}
	deviance = named{"deviance", func(t *tally) (float64, string) {
		v := t.deviance.Mean()
		if math.IsNaN(v) {
			return v, "a target is none that the likelihood gives"
		}
		return v, ""
	}}
)

// ordering is a score of how predictions order rows.
func ordering(name string, value func(*metric.Deviance) float64) named {
	return named{name, func(t *tally) (float64, string) {
		v := value(&t.deviance)
		if math.IsNaN(v) {
			return v, "all targets are 0"
		}
		return v, ""
	}}
}

// ofSets returns the scores of the prediction sets, whose names have their level.
func (o Options) ofSets() []named {
	percent := Percent(o.IntervalLevel())
	share := func(n func(t *tally) int) func(t *tally) float64 {
		return func(t *tally) float64 { return float64(n(t)) / float64(t.rows()) }
	}
	return []named{
		plain("set_coverage"+percent, share(func(t *tally) int { return t.held })),
		plain("set_size"+percent, share(func(t *tally) int { return t.size })),
	}
}

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

// kinds are the kinds of targets that there are, as far as their scores go.
var kinds = []about{{}, {positive: true}, {classes: []string{}, sets: true}}

// names returns those of the scores of targets of any kind, each once.
func names(of func(about) []named) (all []string) {
	for _, kind := range kinds {
		for _, s := range of(kind) {
			if !slices.Contains(all, s.name) {
				all = append(all, s.name)
			}
		}
	}
	return all
}

// ScoreNames returns the names of the scores that there may be, as conditions name them.
func (o Options) ScoreNames() (all []string) {
	all = names(o.scores)
	for _, reason := range box.Reasons() {
		all = append(all, namesOutside[reason])
	}
	all = append(all, newClass, "trained_on")
	if len(o.By) > 0 {
		for _, name := range names(o.scoresOfGroups) {
			all = append(all, anyGroup+name)
		}
	}
	return all
}

// of returns the scores of a tally that has rows.
func of(all []named, t *tally) (scores []gate.Score) {
	for _, s := range all {
		v, why := s.value(t)
		scores = append(scores, gate.Score{Name: s.name, Value: v, Why: why})
	}
	return scores
}
