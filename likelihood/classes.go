package likelihood

import (
	"errors"
	"fmt"
	"math"

	"beziergp/box"
	"beziergp/predictive"
)

const (
	gaussianName = "gaussian"
	classesName  = "categorical"
)

// Classes is the categorical law of K classes, y being the code of one, from 0 on:
//
//	p(y = k | f) = Floors_k + (1 − Σ_l Floors_l) exp f_k / Σ_l exp f_l,  f_k = Base_k + g_k
//
// with a process g_k for every class.
type Classes struct {
	// Base are the logarithms of the classes' shares; nil until training begins.
	Base []float64
	// Floors are the probabilities that classes have whatever f ([Floored]); nil for zeros.
	Floors []float64
}

var (
	_ Several = Classes{}
	_ Starter = Classes{}
)

// Name returns "categorical".
func (Classes) Name() string { return classesName }

// Latents returns K.
func (c Classes) Latents() int { return len(c.Base) }

func (c Classes) check() error {
	if len(c.Base) < 2 || !finite(c.Base...) {
		return fmt.Errorf("%q with bases %v: two classes at least are needed, and finite numbers", classesName, c.Base)
	}
	if c.Floors != nil && len(c.Floors) != len(c.Base) {
		return fmt.Errorf("%q with %d floors of %d classes", classesName, len(c.Floors), len(c.Base))
	}
	return checkFloors(classesName, c.Floors)
}

// rest is the share of the labels that follow f.
func (c Classes) rest() float64 {
	rest := 1.0
	for _, v := range c.Floors {
		rest -= v
	}
	return rest
}

// Losses returns −log p(y | f) and its derivatives by f_k: p₀(k) − 1{k = y}, of the softmax p₀, times the
// probability that the label follows f. y is the label, or the label and an offset of f for every class, [1+K].
func (c Classes) Losses(g []float64, y []float32, slope []float64) float64 {
	own := int(y[0])
	most := math.Inf(-1)
	for k, b := range c.Base {
		slope[k] = b + g[k]
		if len(y) > 1 {
			slope[k] += float64(y[1+k])
		}
		most = max(most, slope[k])
	}
	sum, of := 0.0, slope[own]
	for k := range c.Base {
		slope[k] = math.Exp(slope[k] - most)
		sum += slope[k]
	}
	for k := range slope[:len(c.Base)] {
		slope[k] /= sum
	}
	loss := math.Log(sum) + most - of
	if c.Floors == nil {
		slope[own]--
		return loss
	}
	rest := c.rest() * slope[own]
	p := c.Floors[own] + rest
	slope[own]--
	for k := range slope[:len(c.Base)] {
		slope[k] *= rest / p
	}
	return -math.Log(p)
}

// Probabilities writes E[p(k | f)] by the softmax of means that are shrunk as the logit of a
// Gaussian is (MacKay, Neural Computation 4, 1992), the difference of two processes having
// the variance of both:
//
//	p₀(k) ∝ exp((Base_k + E g_k) / √(1 + π/8 · 2 Var g))
func (c Classes) Probabilities(mean []float64, variance float64, p []float64) {
	shrink := 1 / math.Sqrt(1+math.Pi/4*variance)
	most := math.Inf(-1)
	for k, b := range c.Base {
		p[k] = shrink * (b + mean[k])
		most = max(most, p[k])
	}
	sum := 0.0
	for k := range c.Base {
		p[k] = math.Exp(p[k] - most)
		sum += p[k]
	}
	for k := range c.Base {
		p[k] /= sum
	}
	if rest := c.rest(); c.Floors != nil {
		for k, floor := range c.Floors {
			p[k] = floor + rest*p[k]
		}
	}
}

// Scale leaves the codes as they are.
func (c Classes) Scale(t box.Target, _ int, values Values) (box.Target, error) {
	t.Mean, t.SD = 0, 1
	if t.Levels == nil {
		return t, fmt.Errorf("target %q holds numbers, and the likelihood %s takes classes: read the column as a category", t.Name, classesName)
	}
	counts, err := c.count(len(t.Levels), values)
	var bad *box.LawError
	if errors.As(err, &bad) {
		bad.Column = t.Name
	}
	if err != nil {
		return t, err
	}
	for k, n := range counts {
		if n == 0 {
			return t, fmt.Errorf("target %q: no training row is of the class %.40q; leave the level out", t.Name, t.Levels[k])
		}
	}
	return t, nil
}

// count returns the numbers of rows of every class, of so many at least.
func (Classes) count(classes int, values Values) ([]int, error) {
	counts, row := make([]int, classes), 0
	err := values(func(part []float64) error {
		for _, v := range part {
			row++
			if !(v >= 0 && v < mostCodes) {
				return &box.LawError{Place: box.Place{Row: row}, Value: v, Problem: "is no class", Remedy: "give one or remove the row"}
			}
			for int(v) >= len(counts) {
				counts = append(counts, 0)
			}
			counts[int(v)]++
		}
		return nil
	})
	return counts, err
}

// mostCodes bounds the codes of classes.
const mostCodes = 1 << 20

// Started returns the law of as many classes as the targets have.
func (c Classes) Started(n int, values, offsets Values) (Likelihood, error) {
	if offsets != nil {
		return nil, errors.New("classes take no offset")
	}
	counts, err := c.count(0, values)
	if err != nil {
		return nil, err
	}
	base := make([]float64, len(counts))
	for k, own := range counts {
		base[k] = math.Log(float64(own) / float64(n))
	}
	law := Classes{Base: base}
	return law, law.check()
}

const errSeveral = "likelihood: classes have a process each"

// The rest of a [Likelihood] is of laws of one process; recipes ask for [Latents] first.

func (Classes) Offset([]float32, []float64) { panic(errSeveral) }

func (Classes) Expectation([]float32, []float64, []float64, []float64) float64 { panic(errSeveral) }

func (Classes) VarianceSlope() (slope float64, constant bool) { return 0, false }

func (Classes) LogNormaliser([]float32, []float64, float64) float64 { return 0 }

func (Classes) Loss(float64, []float32) (value, slope float64) { panic(errSeveral) }

func (Classes) Response(float64) float64 { panic(errSeveral) }

func (Classes) Predictive(_, _, _ float64) predictive.Distribution {
	return predictive.Distribution{}
}

func (Classes) NewStatistics() Statistics { panic(errSeveral) }

func finite(all ...float64) bool {
	for _, v := range all {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return false
		}
	}
	return true
}
