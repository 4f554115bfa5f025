package plot

import (
	"fmt"
	"math"
	"slices"

	"beziergp/plot/canvas"
)

// Learning is the learning curve of a fit, which its events make, one by one: the candidates
// that were tried with their errors on rows held out, and the errors of the members by
// steps; of the recipe paper error and bound. The zero value is one of no event.
type Learning struct {
	Target    string  // the target's name
	Deviation float64 // of the target, in whose units errors are drawn; 0 for errors in deviations

	trials  []trial
	members []*course // by number
	shapes  []string  // of the members
	bound   course    // of the recipe paper
	score   float64   // out of fold; 0 for none
}

// Draw draws a panel for the choice among candidates and one for the members, or one for the
// error and one for the bound. It fails where nothing is to draw.
func (l *Learning) Draw() (*canvas.Canvas, error) {
	var panels []func(*figure, rect)
	if len(l.trials) > 0 {
		panels = append(panels, l.drawChoice)
	}
	if len(l.trained()) > 0 {
		panels = append(panels, l.drawMembers)
	}
	if b := &l.bound; len(b.step) > 0 {
		panels = append(panels, func(f *figure, r rect) {
			f.course(r, "Error on mini-batches", "RMSE of "+l.Target, b.step, l.scaled(b.rmse))
		})
		if len(b.elbo) == len(b.step) {
			panels = append(panels, func(f *figure, r rect) {
				f.course(r, "Evidence lower bound", "bound, nats", b.step, b.elbo)
			})
		}
	}
	if len(panels) == 0 {
		return nil, errNothing
	}
	f := newFigure(pictureWidth, 262)
	for i, r := range f.Inset(6, 4, 6, 8).Columns(len(panels), 16) {
		panels[i](f, r)
	}
	return f.Canvas, nil
}

// scaled returns errors in the units of the target.
func (l *Learning) scaled(errors []float64) []float64 {
	if l.Deviation == 0 {
		return errors
	}
	errors = slices.Clone(errors)
	for i := range errors {
		errors[i] *= l.Deviation
	}
	return errors
}

// drawChoice draws the candidates in their order, and the best so far.
func (l *Learning) drawChoice(f *figure, r rect) {
	trials, inks := l.choice(), []ink{sky, blue, black}
	var order, errors, best []float64
	least, rounds := math.Inf(1), 0
	for _, t := range trials {
		least, rounds = min(least, t.rmse), max(rounds, t.round)
		order, errors, best = append(order, float64(t.number)), append(errors, t.rmse), append(best, least)
	}
	errors, best = l.scaled(errors), l.scaled(best)
	p := f.panel(r, "Choosing among candidates", spanning("candidate, in the order tried", order), spanning("held-out RMSE of "+l.Target, errors))
	p.curve(line(thinLine, gray), order, best)
	chosen := glyph{shape: ring, radius: 4, ink: orange}
	for i, t := range trials {
		p.scatter(dot(2.2, inks[min(t.round, len(inks))-1]), order[i:i+1], errors[i:i+1])
		if t.chosen {
			p.scatter(chosen, order[i:i+1], errors[i:i+1])
		}
	}
	var keys []key
	for k := range min(rounds, len(inks)) {
		keys = append(keys, key{means: fmt.Sprintf("round %d", k+1), glyph: dot(2.2, inks[k])})
	}
	p.legend(append(keys, key{means: "best so far", line: line(thinLine, gray)}, key{means: "chosen", glyph: chosen})...)
}

// drawMembers draws the members' errors on the rows that they learn from and, at the end,
// on those that they were trained without.
func (l *Learning) drawMembers(f *figure, r rect) {
	members, score := l.trained(), l.scaled([]float64{l.score})
	var steps, errors, ends, held [][]float64
	for _, m := range members {
		steps, errors = append(steps, m.step), append(errors, l.scaled(m.rmse))
		if m.heldOut > 0 {
			ends, held = append(ends, m.step[len(m.step)-1:]), append(held, l.scaled([]float64{m.heldOut}))
		}
	}
	all := slices.Concat(errors, held)
	if l.score > 0 {
		all = append(all, score)
	}
	x := spanning("step", steps...)
	p := f.panel(r, "Members", x, spanningLog("RMSE of "+l.Target, all...))
	for k := range members {
		p.curve(line(thinLine, sky), steps[k], errors[k])
	}
	for k := range held {
		p.scatter(dot(2.2, orange), ends[k], held[k])
	}
	keys := []key{{means: "on mini-batches", line: line(thinLine, sky)}, {means: "on the fold left out", glyph: dot(2.2, orange)}}
	if l.score > 0 {
		p.segment(dashed(thinLine, black), x.lo, score[0], x.hi, score[0])
		keys = append(keys, key{means: "out of fold, all", line: dashed(thinLine, black)})
	}
	p.legend(keys...)
}

// course draws values by steps; the beginning, which may be far off, is cut.
func (f *figure) course(r rect, title, label string, steps, values []float64) {
	p := f.panel(r, title, spanning("step", steps), spanning(label, values[len(values)/20:]))
	p.curve(line(thickLine, blue), steps, values)
}
