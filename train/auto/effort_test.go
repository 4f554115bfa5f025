package auto

import "testing"

// A tall table has choices of its own where the effort can pay for them, and a member of
// any of its structures keeps to the arithmetic of a member.
func TestTallTablesHaveTheirOwnChoices(t *testing.T) {
	for name, e := range efforts {
		if got := e.choices(tallRows, 0); got.steps != e.many.steps {
			t.Errorf("%s: %d rows are tall", name, tallRows)
		}
		tall := e.choices(tallRows+1, tallLevels)
		if name == Fast {
			if tall.steps != e.many.steps {
				t.Errorf("fast has %d steps for a tall table", tall.steps)
			}
			continue
		}
		if got := e.choices(tallRows+1, tallLevels+1); got.steps != e.many.steps {
			t.Errorf("%s: %d steps where a category has %d levels", name, got.steps, tallLevels+1)
		}
		if tall.steps <= e.many.steps {
			t.Errorf("%s: %d steps for a tall table, %d for one of many rows", name, tall.steps, e.many.steps)
		}
		for _, d := range []int{4, 14, 50} {
			p := plan{figures: e.figures, choices: tall, distinct: make([]int, d)}
			for i := range p.distinct {
				p.distinct[i] = maxDistinct
			}
			for _, sum := range p.affordable(p.sums) {
				s := structure{Components: sum}
				weights := 0.0
				for _, c := range sum {
					weights += c.weights(p.distinct)
				}
				if steps := p.stepsOf(s); steps > fewestSteps && float64(steps)*weights > tall.updates {
					t.Errorf("%s: %v takes %d steps of %g weights", name, s, steps, weights)
				}
			}
		}
	}
}
