package record

import (
	"fmt"
	"math"
)

// score is one of a record's, and whether a change of it is told relative to what it was, or as the difference.
type score struct {
	name     string
	value    *float64
	relative bool
}

// scores returns those that a record may have.
func (r Record) scores() []score {
	return []score{
		{"RMSE", r.RMSE, true}, {"NLPD", r.NLPD, false}, {"CRPS", r.CRPS, true}, {"log loss", r.LogLoss, true}, {"deviance", r.Deviance, true},
		{"accuracy", r.Accuracy, false}, {"calibration error", r.ECE, false}, {"coverage", r.Coverage95, false}, {"conformal coverage", r.Conformal95, false},
	}
}

// Change is that of a score from one record to another.
type Change struct {
	Score     string
	From, To  float64 // NaN where the other has no such score
	Magnitude float64 // |To − From|, of errors and losses over |From|; infinite where one of them is no number
}

// Changes returns those of the scores of r, in order, that another record of the same fit has not to the last bit. A score that r lacks does not count:
// older programs knew fewer.
func (r Record) Changes(other Record) []Change {
	var found []Change
	others := other.scores()
	for i, s := range r.scores() {
		if s.value == nil {
			continue
		}
		from, to := *s.value, math.NaN()
		if others[i].value != nil {
			to = *others[i].value
		}
		if from == to {
			continue
		}
		size := math.Abs(to - from)
		if s.relative {
			size /= math.Abs(from)
		}
		if math.IsNaN(size) {
			size = math.Inf(1)
		}
		found = append(found, Change{s.name, from, to, size})
	}
	return found
}

// String tells both, or, where these differ in the last digits alone, by how much.
func (c Change) String() string {
	from, to := fmt.Sprintf("%.6g", c.From), fmt.Sprintf("%.6g", c.To)
	if from == to {
		return fmt.Sprintf("%s another by %.1g", c.Score, c.Magnitude)
	}
	return fmt.Sprintf("%s %s where it was %s", c.Score, to, from)
}
