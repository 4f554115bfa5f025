package plot

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"beziergp/plot/canvas"
	"beziergp/train"
)

// learned returns the picture of some events.
func learned(t *testing.T, l *Learning, events ...train.Event) string {
	t.Helper()
	for _, e := range events {
		l.Add(e)
	}
	c, err := l.Draw()
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := c.Encode(&b, canvas.SVG); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func tried(number int, shape string, rmse float64) train.Event {
	return train.Event{Phase: train.PhaseSelection, Parts: 9, Fit: train.Fit{Number: number, Shape: shape, HeldOut: rmse}}
}

// Trials come in any order and are drawn by their numbers; the chosen one is the last of its
// shape that members have.
func TestTrialsAreInOrder(t *testing.T) {
	events := []train.Event{
		tried(2, "b", 0.5), tried(1, "a", 0.6), tried(3, "c", 0.9), tried(5, "a", 0.3), tried(4, "b", 0.4),
		{Phase: train.PhaseMembers, Parts: 2, RMSE: 0.7, Fit: train.Fit{Number: 1, Shape: "b", Step: 1, Steps: 2}},
	}
	l := &Learning{Target: "price"}
	first := learned(t, l, events...)
	var told []string
	for _, c := range l.choice() {
		told = append(told, fmt.Sprintf("%d%s%d%t", c.number, c.shape, c.round, c.chosen))
	}
	if want := "1a1false 2b1false 3c1false 4b2true 5a2false"; strings.Join(told, " ") != want {
		t.Errorf("trials %q, want %q", told, want)
	}
	slices.Reverse(events[:5])
	if again := learned(t, &Learning{Target: "price"}, events...); again != first {
		t.Error("the picture depends on the order of the events")
	}
	for _, want := range []string{"round 1", "round 2", "chosen", "held-out RMSE of price", "on mini-batches"} {
		if !strings.Contains(first, want) {
			t.Errorf("%q is missing", want)
		}
	}
	if strings.Contains(first, "round 3") || strings.Contains(first, "Evidence") {
		t.Error("it draws what there is not")
	}
}

// A long run is no larger a picture than a short one, and its last step is there.
func TestCoursesAreThinned(t *testing.T) {
	var c course
	for step := 1; step <= 1<<16; step++ {
		c.add(step, float64(step), -float64(step))
	}
	n := len(c.step)
	if n < mostPoints/2 || n >= mostPoints || c.step[n-1] < 0.99*(1<<16) || len(c.rmse) != n || len(c.elbo) != n {
		t.Fatalf("%d points, the last one is step %g", n, c.step[n-1])
	}
	for i, step := range c.step {
		if c.rmse[i] != step || c.elbo[i] != -step || i > 0 && step <= c.step[i-1] {
			t.Fatalf("point %d: %g, %g, %g", i, step, c.rmse[i], c.elbo[i])
		}
	}
}

// The recipe paper has error and bound, and no curve of a bound that overflows; errors are in
// the units of the target.
func TestLearningOfTheBound(t *testing.T) {
	run := func(elbo float64) string {
		l := &Learning{Target: "y", Deviation: 1000}
		if _, err := l.Draw(); !l.Empty() || !errors.Is(err, errNothing) {
			t.Error("it is not empty")
		}
		for step := 1; step < 50; step++ {
			l.Add(train.Event{Phase: train.PhaseWeights, Step: step, Steps: 50, RMSE: 0.1, ELBO: elbo * float64(50-step)})
		}
		return learned(t, l)
	}
	if text := run(-1); !strings.Contains(text, "Evidence lower bound") || !strings.Contains(text, ">100.0<") {
		t.Error("no bound, or no error of 100")
	}
	if strings.Contains(run(math.Inf(-1)), "Evidence") {
		t.Error("a bound that is not finite is drawn")
	}
}

// learningOf is a curve of several rounds and members.
func learningOf(target string) *Learning {
	l := &Learning{Target: target, Deviation: 1e4}
	for k := range 40 {
		l.Add(tried(k+1, fmt.Sprint(k%16), 0.2+0.02*float64(k%7)))
	}
	for step := 1; step <= 5000; step++ {
		l.Add(train.Event{Phase: train.PhaseMembers, Parts: 2, RMSE: 1 / float64(step), Fit: train.Fit{Number: 2, Shape: "3", Step: step, Steps: 5000}, Score: train.Score{RMSE: 0.1}})
	}
	l.Add(train.Event{Phase: train.PhaseMembers, Parts: 2, Fit: train.Fit{Number: 2, Shape: "3", HeldOut: 0.2}, Score: train.Score{RMSE: 0.1}})
	return l
}
