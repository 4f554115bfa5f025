// Package laws has a table of one input for every likelihood, drawn from a process that is
// known, and what the default recipe learns of it.
package laws

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"beziergp"
	"beziergp/likelihood"
	"beziergp/table"
	"beziergp/train/auto"
)

const rows, grid = 400, 120

// Learned is what was learned of the table of a law.
type Learned struct {
	Name string
	X, Y []float64 // the rows; of classes Y is the number of the class
	At   []float64 // a grid of x, in order
	// Truth and Mean are curves along At: E[y | x], or the probability of every class, of two
	// that of the second.
	Truth, Mean [][]float64
	// Lower and Upper are the 95 % interval of an observation; nil where the target is a class.
	Lower, Upper []float64
}

// All fits a table of every law at effort fast. Equal seeds draw equal rows.
func All(ctx context.Context, seed uint64) (all []*Learned, err error) {
	for i, name := range likelihood.Names() {
		l := &Learned{Name: name}
		if err := l.learn(ctx, rand.New(rand.NewPCG(seed, uint64(i)))); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		all = append(all, l)
	}
	return all, nil
}

func (l *Learned) learn(ctx context.Context, rng *rand.Rand) error {
	t, err := truthOf(l.Name)
	if err != nil {
		return err
	}
	for range rows {
		x := rng.Float64()
		l.X, l.Y = append(l.X, x), append(l.Y, t.draw(x, rng))
	}
	l.Truth = make([][]float64, t.curves)
	for i := range grid + 1 {
		x := float64(i) / grid
		l.At = append(l.At, x)
		for k, v := range t.mean(x) {
			l.Truth[k] = append(l.Truth[k], v)
		}
	}
	y := beziergp.Column{Name: "y", Values: l.Y}
	if t.classes {
		y.Kind, y.Levels = table.Category, []string{"0", "1", "2"}[:max(2, t.curves)]
	}
	observed, err := beziergp.NewTable(beziergp.Column{Name: "x", Values: l.X}, y)
	if err != nil {
		return err
	}
	law, err := likelihood.Named(l.Name)
	if err != nil {
		return err
	}
	m, err := beziergp.Fit(ctx, observed, "y", beziergp.Options{Likelihood: law, Recipe: auto.Recipe{Effort: auto.Fast, StepsFactor: 0.4}})
	if err != nil {
		return err
	}
	at, err := beziergp.NewTable(beziergp.Column{Name: "x", Values: l.At})
	if err != nil {
		return err
	}
	p, err := m.Predict(ctx, at, beziergp.PredictOptions{})
	if err != nil {
		return err
	}
	l.Mean = [][]float64{p.Mean}
	switch {
	case t.curves > 1:
		l.Mean = make([][]float64, t.curves)
		for row := range l.At {
			for k, v := range p.Probabilities(row) {
				l.Mean[k] = append(l.Mean[k], v)
			}
		}
	case !t.classes:
		l.Lower, l.Upper = p.Lower, p.Upper
	}
	return nil
}

// truth is what a table is drawn from.
type truth struct {
	draw    func(x float64, rng *rand.Rand) float64
	mean    func(x float64) []float64 // the values of the curves
	curves  int
	classes bool
}

func wave(x float64) float64 { return math.Sin(2 * math.Pi * x) }

// truthOf returns the truth of the table of a law.
func truthOf(name string) (truth, error) {
	switch name {
	case likelihood.Gaussian{}.Name():
		return truth{
			draw:   func(x float64, rng *rand.Rand) float64 { return wave(x) + (0.1+0.4*x)*rng.NormFloat64() },
			mean:   func(x float64) []float64 { return []float64{wave(x)} },
			curves: 1,
		}, nil
	case likelihood.Classes{}.Name():
		return truth{draw: func(x float64, rng *rand.Rand) float64 {
			p, u := threeClasses(x), rng.Float64()
			for k, share := range p {
				if u -= share; u < 0 {
					return float64(k)
				}
			}
			return float64(len(p) - 1)
		}, mean: threeClasses, curves: 3, classes: true}, nil
	}
	law, err := lawOf(name)
	if err != nil {
		return truth{}, err
	}
	f := func(x float64) float64 { return 1 + wave(x) } // of counts and amounts the logarithm of their mean
	switch law.(type) {
	case likelihood.Bernoulli, likelihood.Probit, likelihood.Beta, likelihood.Ordinal:
		f = func(x float64) float64 { return 2 * wave(x) }
	case likelihood.Student:
		f = wave
	}
	_, classes := law.(likelihood.Bernoulli)
	_, probit := law.(likelihood.Probit)
	return truth{
		draw:    func(x float64, rng *rand.Rand) float64 { return quantile(law, f(x), rng.Float64()) },
		mean:    func(x float64) []float64 { return []float64{law.Mean(f(x))} },
		curves:  1,
		classes: classes || probit,
	}, nil
}

// lawOf returns the law that rows are drawn from: with parameters that a picture shows.
func lawOf(name string) (likelihood.Scalar, error) {
	switch name {
	case likelihood.Gamma{}.Name():
		return likelihood.Gamma{Shape: 4}, nil
	case likelihood.Student{}.Name():
		return likelihood.Student{Scale: 0.2, Tails: 3}, nil
	case likelihood.Ordinal{}.Name():
		return likelihood.NewOrdinal(4)
	}
	return likelihood.ScalarNamed(name)
}

// threeClasses returns the probabilities of three classes at x.
func threeClasses(x float64) []float64 {
	p := []float64{math.Exp(2 * wave(x)), 1, math.Exp(2 * math.Cos(2*math.Pi*x))}
	sum := p[0] + p[1] + p[2]
	for k := range p {
		p[k] /= sum
	}
	return p
}

// quantile returns the least y of which F(y | f) is at least u, by bisection.
func quantile(law likelihood.Scalar, f, u float64) float64 {
	lo, hi := law.Support()
	if math.IsInf(lo, -1) {
		lo = -1e3
	}
	if law.CDF(lo, f) >= u {
		return lo
	}
	for hi = min(hi, 1e3); hi-lo > 1e-9; {
		if middle := (lo + hi) / 2; law.CDF(middle, f) >= u {
			hi = middle
		} else {
			lo = middle
		}
	}
	if law.Discrete() {
		return math.Round(hi)
	}
	return hi
}
