package model

import (
	"fmt"
	"slices"
)

// Limits clamp the values of a surface: a product of many weights may be far off in a corner
// of the box without rows. A nil pointer clamps nothing.
type Limits struct {
	// Lo and Hi are an interval for the value; that of the mean in deviations of the target.
	Lo float64 `json:"lo"`
	Hi float64 `json:"hi"`
	// Variance is the largest of a · Var f, in squared deviations of the target; 0 for
	// none, as in files that were written before there was one.
	Variance float64 `json:"variance,omitempty"`
}

// beyond is by how much of the range of the targets the limits of a mean go beyond it.
const beyond = 0.1

// Around returns the limits of a mean where targets lie between lo and hi, a tenth of that range beyond them, and the largest
// variance that anything within has, (Hi − Lo)²/4 (Popoviciu).
func Around(lo, hi float64) *Limits {
	l := &Limits{Lo: lo - beyond*(hi-lo), Hi: hi + beyond*(hi-lo)}
	l.Variance = (l.Hi - l.Lo) * (l.Hi - l.Lo) / 4
	return l
}

// around returns what the limits of a mean are around.
func (l *Limits) around() (lo, hi float64) {
	share := beyond / (1 + 2*beyond) * (l.Hi - l.Lo)
	return l.Lo + share, l.Hi - share
}

func (l *Limits) check() error {
	switch {
	case l == nil:
		return nil
	case !(l.Lo <= l.Hi && isFinite(l.Lo) && isFinite(l.Hi)):
		return fmt.Errorf("limits [%g, %g] are not an interval", l.Lo, l.Hi)
	case !(l.Variance >= 0 && isFinite(l.Variance)):
		return fmt.Errorf("limit %g of the variance of f: it must not be negative", l.Variance)
	}
	return nil
}

// Clamp replaces values v by min(max(v, Lo), Hi) and reports whether one was above Hi;
// those that are no numbers stay what they are.
func (l *Limits) Clamp(values []float64) (above bool) {
	if l == nil {
		return false
	}
	for i, v := range values {
		above = above || v > l.Hi
		values[i] = min(max(v, l.Lo), l.Hi)
	}
	return above
}

// ClampClasses raises the values of the processes of a row's classes that lie further below the
// largest than half of Hi − Lo, as far as the log-odds of two classes reach, and reports whether there are any. Only differences of
// them tell classes apart: far from other rows all may lie beyond Hi, and of classes that were clamped there the more frequent would be
// the more likely.
func (l *Limits) ClampClasses(g []float64) (below bool) {
	if l == nil {
		return false
	}
	least := slices.Max(g) - (l.Hi-l.Lo)/2
	for k, v := range g {
		if v < least {
			g[k], below = least, true
		}
	}
	return below
}

// Scaled returns the limits of the values times a positive number.
func (l *Limits) Scaled(by float64) *Limits {
	return &Limits{Lo: by * l.Lo, Hi: by * l.Hi, Variance: by * by * l.Variance}
}

// variance returns a · Var f within its limit.
func (l *Limits) variance(v float64) float64 {
	if l == nil || l.Variance == 0 {
		return v
	}
	return min(v, l.Variance)
}
