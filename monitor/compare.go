package monitor

import (
	"math"
	"slices"

	"beziergp/box"
	"beziergp/dataset/profile"
	"beziergp/metric/shift"
	"beziergp/table"
)

// A column has moved where its index is above Moved, and far where it is above MovedFar, if
// the probability of as much by chance, all tests allowed for, is below Level: of many rows
// no difference is chance, and of few a large one may be.
const (
	Moved    = 0.1
	MovedFar = 0.25
	Level    = 0.05
)

// Verdict says in a word what became of a column.
type Verdict string

// The verdicts.
const (
	Stable Verdict = "stable"
	Chance Verdict = "chance" // its index is above Moved, which may be chance
	Some   Verdict = "moved"
	Far    Verdict = "moved far"
	GoesOn Verdict = "time" // the time itself of a date-time, which goes on
)

// Shift is how far a column is from that of the training rows.
type Shift struct {
	Name string     `json:"name"`
	Kind table.Kind `json:"kind,omitempty"` // empty for a number
	// PSI is the population stability index ([shift.PSI]) over the bins of the profile and
	// one more, of the rows without a value.
	PSI float64 `json:"psi"`
	// KS is the Kolmogorov–Smirnov distance at the edges of the bins, and Direction says
	// which way most of it is: "higher", "lower" or neither. Nil and empty of a category.
	KS        *float64 `json:"ks"`
	Direction string   `json:"direction,omitempty"`
	// P is the least probability of as much by chance, with all tests of the report allowed
	// for ([shift.Holm]): of the distance of a number ([shift.KS]) or the counts of a boolean
	// or a category ([shift.ChiSquare]), of the share of missing values, and of that of new
	// levels ([shift.Share]).
	P float64 `json:"p"`
	// The shares of the rows without a value, of training and now; and of the rows now whose
	// level is new, and whose number is below the lowest of the training rows or above the
	// highest.
	MissingTrained float64 `json:"missing_trained"`
	Missing        float64 `json:"missing"`
	NewLevels      float64 `json:"new_levels"`
	Beyond         float64 `json:"beyond"`
	// Level is the one whose share changed most, of an input that is a category.
	Level   *LevelShift `json:"level,omitempty"`
	Verdict Verdict     `json:"verdict"`
}

// LevelShift is how the share of a level changed among the rows that have one. The name is
// empty of rare levels that share a node.
type LevelShift struct {
	Name         string  `json:"name"`
	ShareTrained float64 `json:"share_trained"`
	Share        float64 `json:"share"`
}

// HasMoved tells whether the column has moved, far or not.
func (s *Shift) HasMoved() bool { return s.Verdict == Some || s.Verdict == Far }

// tests are those of a report.
type tests struct {
	probabilities []float64
	of            [][2]int // of every shift: its first and the end of its tests
}

// compare compares a column with that of the training rows, but for the verdict.
func (t *tests) compare(in box.Input, trained, now *profile.Column) Shift {
	s := Shift{Name: in.Name, Kind: in.Kind}
	if s.Kind == table.Numeric {
		s.Kind = ""
	}
	from := len(t.probabilities)
	n, m := float64(max(trained.Rows(), 1)), float64(max(now.Rows(), 1))
	s.MissingTrained, s.Missing = float64(trained.Missing)/n, float64(now.Missing)/m
	s.NewLevels, s.Beyond = float64(now.Unseen())/m, float64(now.Beyond())/m
	s.PSI = shift.PSI(append(slices.Clone(trained.Counts), trained.Missing), append(slices.Clone(now.Counts), now.Missing))
	d, p := shift.KS(trained.Counts, now.Counts)
	unordered := trained.Nodes > 0 || in.Kind == table.Category
	if !unordered {
		s.KS, s.Direction = &d, direction(trained.Counts, now.Counts)
	} else if trained.Nodes > 0 {
		s.Level = mostMoved(in, trained, now)
	}
	if unordered || in.Kind == table.Boolean { // of two values D is a share
		p = shift.ChiSquare(trained.Counts, now.Counts)
	}
	t.probabilities = append(t.probabilities, p)
	if trained.Missing+now.Missing > 0 {
		t.probabilities = append(t.probabilities, shift.Share(trained.Missing, trained.Known(), now.Missing, now.Known()))
	}
	if now.Unseen() > 0 {
		t.probabilities = append(t.probabilities, shift.Share(trained.Unseen(), trained.Known()-trained.Unseen(), now.Unseen(), now.Known()-now.Unseen()))
	}
	t.of = append(t.of, [2]int{from, len(t.probabilities)})
	return s
}

// direction says which way numbers moved, where they moved one way for the most part.
func direction(before, after []int) string {
	const most = 3
	switch higher, lower := shift.Sided(before, after); {
	case higher > most*lower:
		return "higher"
	case lower > most*higher:
		return "lower"
	}
	return ""
}

// mostMoved returns the level whose share changed most, new ones aside; nil where none did.
func mostMoved(in box.Input, trained, now *profile.Column) *LevelShift {
	if trained.Known() == 0 || now.Known() == 0 {
		return nil
	}
	var best *LevelShift
	for k := range trained.Nodes {
		s := LevelShift{ShareTrained: float64(trained.Counts[k]) / float64(trained.Known()), Share: float64(now.Counts[k]) / float64(now.Known())}
		if k < len(in.Levels) {
			s.Name = in.Levels[k]
		}
		if change := math.Abs(s.Share - s.ShareTrained); change > 0 && (best == nil || change > math.Abs(best.Share-best.ShareTrained)) {
			best = &s
		}
	}
	return best
}

// judge fills in the probability from those of all tests, and the verdict.
func (s *Shift) judge(probabilities []float64, own [2]int) {
	s.P = slices.Min(probabilities[own[0]:own[1]])
	switch {
	case s.Verdict == GoesOn:
	case s.PSI <= Moved:
		s.Verdict = Stable
	case s.P >= Level:
		s.Verdict = Chance
	case s.PSI > MovedFar:
		s.Verdict = Far
	default:
		s.Verdict = Some
	}
}
