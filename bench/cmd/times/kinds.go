package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"strconv"
)

// kind is what the inputs of a table are.
type kind struct {
	name, about string
	categories  float64 // share of the inputs
	mostLevels  int     // of a category; the first has 3, and those between grow by the same factor
	missing     float64 // share of the numbers
}

var kinds = []kind{
	{"numbers", "normal numbers, all there", 0, 0, 0},
	{"gaps", "numbers of which 3 % are missing", 0, 0, 0.03},
	{"categories", "two fifths are categories of 3 to 100 levels", 0.4, 100, 0},
	{"large categories, gaps", "two fifths are categories of 3 to 2000 levels, or a fifth of as many as there are rows, and 3 % of the numbers are missing", 0.4, 2000, 0.03},
}

// law is what a target is, given f.
type law struct {
	name, likelihood string
	event, measure   string // where fit tells the score out of fold
	draw             func(f float64, rng *rand.Rand) string
}

var laws = []law{
	{"number", "gaussian", "out_of_fold", "nlpd", func(f float64, rng *rand.Rand) string { return number(f + 0.5*rng.NormFloat64()) }},
	{"two classes", "bernoulli", "out_of_fold_classes", "log_loss", func(f float64, rng *rand.Rand) string {
		return strconv.FormatBool(rng.Float64() < 1/(1+math.Exp(-2*f)))
	}},
	{"count", "negative-binomial", "out_of_fold", "deviance", func(f float64, rng *rand.Rand) string {
		// A Poisson with a mean of exp f times a gamma of mean 1 and variance 1/2: the times of a process of that rate.
		rate, n := math.Exp(f)*(rng.ExpFloat64()+rng.ExpFloat64())/2, 0
		for at := rng.ExpFloat64(); at < rate; at += rng.ExpFloat64() {
			n++
		}
		return strconv.Itoa(n)
	}},
	{"amount", "gamma", "out_of_fold", "deviance", func(f float64, rng *rand.Rand) string {
		return number(math.Exp(f) * (rng.ExpFloat64() + rng.ExpFloat64()) / 2)
	}},
}

// shape is a table to fit.
type shape struct {
	rows, inputs int
	kind         kind
	law          law
}

// shapes returns all: every kind and law in the sizes that keep to a time, and one size between.
func shapes() (all []shape) {
	for _, size := range [][2]int{{100_000, 50}, {20_000, 35}, {3000, 150}} {
		for _, k := range kinds {
			for _, l := range laws {
				all = append(all, shape{size[0], size[1], k, l})
			}
		}
	}
	return all
}

func (s shape) name() string {
	return fmt.Sprintf("%d×%d, %s, %s", s.rows, s.inputs, s.kind.name, s.law.name)
}

// levels returns the number of levels of each input, 0 for a number.
func (s shape) levels() []int {
	levels := make([]int, s.inputs)
	n := int(math.Round(s.kind.categories * float64(s.inputs)))
	most := float64(min(s.kind.mostLevels, s.rows/5))
	for i := range n {
		levels[i] = int(math.Round(3 * math.Pow(most/3, float64(i)/float64(n-1))))
	}
	return levels
}

// effects are what a table's f consists of: waves of numbers, pairs of numbers and values
// of levels. Their sum has a variance of about 1.
type effects struct {
	levels []int
	parts  float64      // sums of terms of one kind, which share the variance
	waves  [][2]float64 // of an input: amplitude and turns; 0 for none
	pairs  [][2]int
	values [][]float64 // of the levels
}

// terms is the number of numbers, of pairs and of categories that tell something, at most.
const terms = 8

func (s shape) effects(rng *rand.Rand) effects {
	e := effects{levels: s.levels(), parts: 2, waves: make([][2]float64, s.inputs), values: make([][]float64, s.inputs)}
	var numbers, categories []int
	for _, i := range rng.Perm(s.inputs) {
		if e.levels[i] > 0 {
			categories = append(categories, i)
		} else {
			numbers = append(numbers, i)
		}
	}
	if len(categories) > 0 {
		e.parts = 3
	}
	chosen := numbers[:min(terms, len(numbers))]
	for at, i := range chosen {
		e.waves[i] = [2]float64{math.Sqrt(2 / (e.parts * float64(len(chosen)))), 0.5 + 0.5*float64(at%3)}
		e.pairs = append(e.pairs, [2]int{i, chosen[(at+1)%len(chosen)]})
	}
	chosen = categories[:min(terms, len(categories))]
	for _, i := range chosen {
		for range e.levels[i] {
			e.values[i] = append(e.values[i], rng.NormFloat64()/math.Sqrt(e.parts*float64(len(chosen))))
		}
	}
	return e
}

// of returns f at a row of numbers and levels.
func (e effects) of(x []float64) (f float64) {
	for i, v := range x {
		if e.values[i] != nil {
			f += e.values[i][int(v)]
		} else if w := e.waves[i]; w[0] > 0 {
			f += w[0] * math.Sin(2*w[1]*v)
		}
	}
	for _, p := range e.pairs {
		f += x[p[0]] * x[p[1]] / math.Sqrt(e.parts*float64(len(e.pairs)))
	}
	// A product of two normal numbers has heavy tails, which a count cannot bear.
	return 3 * math.Tanh(f/3)
}

// write writes the table as CSV.
func (s shape) write(ctx context.Context, w io.Writer, seed uint64) error {
	rng := rand.New(rand.NewPCG(seed, uint64(s.rows)<<32+uint64(s.inputs)))
	e := s.effects(rng)
	buffered := bufio.NewWriterSize(w, 1<<20)
	for i := range s.inputs {
		fmt.Fprintf(buffered, "x%d,", i+1)
	}
	fmt.Fprintln(buffered, "y")
	x := make([]float64, s.inputs)
	for row := range s.rows {
		if row%1000 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		for i, n := range e.levels {
			switch {
			case n > 0:
				u := rng.Float64()
				x[i] = math.Floor(float64(n) * u * u) // the first levels have more rows than the last
				fmt.Fprintf(buffered, "L%d,", int(x[i]))
			default:
				if x[i] = rng.NormFloat64(); rng.Float64() < s.kind.missing {
					buffered.WriteByte(',')
				} else {
					buffered.WriteString(number(x[i]))
					buffered.WriteByte(',')
				}
			}
		}
		fmt.Fprintln(buffered, s.law.draw(e.of(x), rng))
	}
	return buffered.Flush()
}

func number(v float64) string { return strconv.FormatFloat(v, 'g', 6, 64) }
