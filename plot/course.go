package plot

import (
	"math"
	"slices"

	"beziergp/train"
)

// trial is a candidate that was tried, with its RMSE on rows held out, in deviations.
type trial struct {
	number int // in the order of the candidates, in all rounds
	shape  string
	rmse   float64
	round  int // from 1
	chosen bool
}

// course is the RMSE on training rows by steps, in deviations, and the bound where there is
// one, thinned as it comes.
type course struct {
	step, rmse, elbo []float64
	heldOut          float64 // RMSE on rows held out; 0 for none
	every, seen      int     // steps that a point stands for; steps since the last one
	running          float64 // mean of squared errors of the last steps
}

const (
	// mostPoints is less than twice the points that a panel is wide.
	mostPoints = 600
	// averagedSteps is about how many steps a running mean is over.
	averagedSteps = 20
)

// Add takes what an event of a fit tells.
func (l *Learning) Add(e train.Event) {
	l.score = e.Score.RMSE
	switch {
	case e.Phase == train.PhaseWeights:
		l.bound.addSmooth(e.Step, e.RMSE, e.ELBO)
	case e.Phase == train.PhaseSelection && e.Fit.HeldOut > 0:
		l.trials = append(l.trials, trial{number: e.Fit.Number, shape: e.Fit.Shape, rmse: e.Fit.HeldOut})
	case e.Phase == train.PhaseMembers && e.Fit.Number > 0:
		for len(l.members) < e.Fit.Number {
			l.members = append(l.members, &course{})
		}
		l.shapes = append(l.shapes, e.Fit.Shape)
		l.shapes = slices.Compact(l.shapes)
		if m := l.members[e.Fit.Number-1]; e.Fit.HeldOut > 0 {
			m.heldOut = e.Fit.HeldOut
		} else if e.Fit.Step <= e.Fit.Steps && e.RMSE > 0 {
			m.add(e.Fit.Step, e.RMSE)
		}
	}
}

// Empty tells whether there is nothing to draw.
func (l *Learning) Empty() bool {
	return len(l.trials) == 0 && len(l.bound.step) == 0 && len(l.trained()) == 0
}

// trained returns the members of which there is a step.
func (l *Learning) trained() (all []*course) {
	for _, m := range l.members {
		if len(m.step) > 0 {
			all = append(all, m)
		}
	}
	return all
}

// choice returns the trials by their numbers, for workers end them in any order. A shape is
// tried once a round, and the last trial of one that members have is that of a choice.
func (l *Learning) choice() []trial {
	all := slices.SortedFunc(slices.Values(l.trials), func(a, b trial) int { return a.number - b.number })
	rounds := map[string]int{}
	for i := range all {
		rounds[all[i].shape]++
		all[i].round = rounds[all[i].shape]
	}
	for i, t := range all {
		all[i].chosen = t.round == rounds[t.shape] && slices.Contains(l.shapes, t.shape)
	}
	return all
}

// add adds a point, or passes it over; of a bound that is not finite there is no curve.
func (c *course) add(step int, rmse float64, elbo ...float64) {
	if c.seen++; c.seen < c.every {
		return
	}
	c.seen = 0
	c.step, c.rmse = append(c.step, float64(step)), append(c.rmse, rmse)
	for _, v := range elbo {
		if !math.IsInf(v, 0) {
			c.elbo = append(c.elbo, v)
		}
	}
	if len(c.step) == mostPoints {
		c.every = max(2, 2*c.every)
		c.step, c.rmse, c.elbo = halved(c.step), halved(c.rmse), halved(c.elbo)
	}
}

// addSmooth adds the running error of mini-batches, and the bound.
func (c *course) addSmooth(step int, rmse, elbo float64) {
	if len(c.step) == 0 && c.seen == 0 {
		c.running = rmse * rmse
	}
	c.running += (rmse*rmse - c.running) / averagedSteps
	c.add(step, math.Sqrt(c.running), elbo)
}

// halved returns every second value, the last one among them.
func halved(values []float64) []float64 {
	kept := values[:0]
	for i := 1; i < len(values); i += 2 {
		kept = append(kept, values[i])
	}
	return kept
}
