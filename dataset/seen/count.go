package seen

import "math"

// Count counts the rows that equal one that a model was trained on.
type Count struct {
	rows    *Rows
	All     int // rows counted
	covered int // of them, those whose hashes would be kept
	equal   int // of these, those whose hashes are
}

// Count returns a count of none.
func (r *Rows) Count() *Count { return &Count{rows: r} }

// Add takes a row.
func (c *Count) Add(sum uint64) {
	c.All++
	if !c.rows.covers(sum) {
		return
	}
	c.covered++
	if c.rows.has(sum) {
		c.equal++
	}
}

// Equal returns how many of the rows equal one that was trained on: exactly, where all
// hashes are kept, else an estimate.
func (c *Count) Equal() int {
	if c.covered == 0 {
		return 0
	}
	return int(math.Round(float64(c.equal) / float64(c.covered) * float64(c.All)))
}

// Sampled tells whether the model keeps the hashes of a sample of its rows only.
func (c *Count) Sampled() bool { return len(c.rows.Sums) == Most }

// Expected returns how many of as many new rows would equal one that was trained on if
// they repeat as these do: a training row is one that the others have not seen.
func (c *Count) Expected() float64 { return c.rows.Repeated * float64(c.All) }

// Chance tells whether rows that repeat explain that rows equal trained ones: where the
// split is that of the training rows, so that none was trained on, or nothing is equal.
func (c *Count) Chance(split string) bool {
	if c.equal == 0 {
		return true
	}
	if split == "" || split != c.rows.Split {
		return false
	}
	// Four standard errors of both shares; by the rule of succession, that of the training
	// rows is never 0.
	n, m := float64(c.covered), min(float64(c.rows.Trained), Most)
	p := (c.rows.Repeated*m + 1) / (m + 2)
	return float64(c.equal)/n <= p+4*math.Sqrt(p*(1-p)*(1/n+1/m))
}
