package metric

import (
	"cmp"
	"math"
	"slices"
)

// Classes gathers scores of probabilities of K classes, 0 to K − 1, that come row by row, in
// memory that does not grow beyond some 32 MB. All its methods but [Classes.Add] and
// [Classes.N] panic before the first row. It is used by one goroutine at a time.
type Classes struct {
	// Brief says that neither AUC nor Confusion is asked for, and spares their memory.
	Brief bool

	right       int
	classes, n  int
	log, brier  sum
	confusion   [][]int
	reliability Reliability
	kept        places // of the rows whose probabilities are kept, for the areas
	codes       []int32
	p           []float64 // [kept, K]
}

// keptValues bounds the probabilities that are kept.
const keptValues = 1 << 22

// NewClasses returns scores of no rows. It panics where there are fewer than two classes.
func NewClasses(k int) *Classes {
	if k < 2 {
		panic("metric: fewer than two classes")
	}
	c := &Classes{classes: k, kept: places{room: max(1, keptValues/k)}}
	return c
}

// Add takes in a row: the class that was observed, and the probabilities that were predicted
// of all, [K]. It panics where the class is none of K, or the probabilities are not as many.
func (c *Classes) Add(observed int, p []float64) {
	if len(p) != c.classes || observed < 0 || observed >= c.classes {
		panic("metric: a class, or probabilities, of other classes")
	}
	c.n++
	c.log.add(-math.Log(p[observed]))
	brier := 0.0
	for k, v := range p {
		if k == observed {
			v--
		}
		brier += v * v
	}
	if c.classes == 2 {
		brier /= 2
	}
	c.brier.add(brier)
	likely := Likeliest(p)
	if likely == observed {
		c.right++
	}
	c.reliability.Add(p[likely], likely == observed)
	if c.Brief {
		return
	}
	for len(c.confusion) < c.classes {
		c.confusion = append(c.confusion, make([]int, c.classes))
	}
	c.confusion[observed][likely]++
	switch at := c.kept.next(); {
	case at == len(c.codes):
		c.codes, c.p = append(c.codes, int32(observed)), append(c.p, p...)
	case at >= 0:
		c.codes[at] = int32(observed)
		copy(c.p[at*c.classes:], p)
	}
}

// Likeliest returns the class of the highest probability, the first of those that are equal.
func Likeliest(p []float64) int {
	best := 0
	for k, v := range p {
		if v > p[best] {
			best = k
		}
	}
	return best
}

// N returns the number of rows so far.
func (c *Classes) N() int { return c.n }

// LogLoss returns minus the mean logarithm of the probability of the class observed, in nats;
// infinite where that was 0.
func (c *Classes) LogLoss() float64 { return c.mean(c.log) }

// Brier returns the mean squared error of the probabilities: of two classes that of one of
// them, (p − 1{y})², and of more the sum over all.
func (c *Classes) Brier() float64 { return c.mean(c.brier) }

// Accuracy returns the share of rows whose likeliest class was observed.
func (c *Classes) Accuracy() float64 {
	c.check()
	return float64(c.right) / float64(c.n)
}

// Confusion returns the numbers of rows by the class observed and the likeliest one,
// [observed, likeliest]. It must not be changed.
func (c *Classes) Confusion() [][]int {
	c.check()
	return c.confusion
}

// ECE returns the expected calibration error of the likeliest class: over 15 equal parts of
// [0, 1], the mean distance of the share of rows that were right and of the mean probability
// that was claimed, weighted by rows (Naeini, Cooper & Hauskrecht, AAAI 2015).
func (c *Classes) ECE() float64 {
	c.check()
	return c.reliability.ECE()
}

// ChanceECE returns about what the expectation of [Classes.ECE] is where the probabilities are right: see [Reliability.ChanceECE].
func (c *Classes) ChanceECE() float64 {
	c.check()
	return c.reliability.ChanceECE()
}

// AUC returns the area under the receiver operating characteristic: of two classes the
// probability that a row of the second has a higher probability of it than a row of the
// first, ties counting half; of more the mean of each class against all others, weighted by
// its rows. NaN where all rows are of one class. Of rows beyond 2²²/K it is that of a sample
// of so many.
func (c *Classes) AUC() float64 {
	c.check()
	if c.classes == 2 {
		return c.area(1)
	}
	var total sum
	weight := 0
	for k := range c.classes {
		own := 0
		for _, code := range c.codes {
			if int(code) == k {
				own++
			}
		}
		if area := c.area(k); area == area {
			total.add(float64(own) * area)
			weight += own
		}
	}
	return total.value() / float64(weight)
}

// area returns that of class k against the others, by the sum of the ranks of its rows
// (Mann & Whitney); NaN where rows are of one kind.
func (c *Classes) area(k int) float64 {
	n := len(c.codes)
	order := make([]int32, n)
	for i := range order {
		order[i] = int32(i)
	}
	of := func(i int32) float64 { return c.p[int(i)*c.classes+k] }
	slices.SortFunc(order, func(a, b int32) int { return cmp.Compare(of(a), of(b)) })
	ranks, own := 0.0, 0 // twice the sum of ranks, which is whole
	for from := 0; from < n; {
		to, mine := from, 0
		for ; to < n && of(order[to]) == of(order[from]); to++ {
			if int(c.codes[order[to]]) == k {
				mine++
			}
		}
		ranks += float64(mine) * float64(from+to+1)
		own += mine
		from = to
	}
	pairs := float64(own) * float64(n-own)
	if pairs == 0 {
		return math.NaN()
	}
	return (ranks/2 - float64(own)*float64(own+1)/2) / pairs
}

func (c *Classes) check() {
	if c.n == 0 {
		panic(errEmpty)
	}
}

func (c *Classes) mean(s sum) float64 {
	c.check()
	return s.value() / float64(c.n)
}
