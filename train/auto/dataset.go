package auto

import (
	"slices"
	"strconv"
	"sync"

	"beziergp/box"
	"beziergp/internal/distinct"
	"beziergp/internal/process/basis"
	"beziergp/internal/process/descent"
	"beziergp/likelihood"
	"beziergp/model"
	"beziergp/train"
)

// dataset is the training rows with their inputs in one scaling. It is immutable: another
// scaling is another dataset, made once.
type dataset struct {
	descent.Rows               // in memory
	stream       *stream       // all rows, where these are a sample and members learn from more; else nil
	keys         train.Split   // by which they are held out together
	bases        []basis.Basis // tell what kind of input each is
	inputs       []box.Input   // the scalings that made the coordinates
	kept         []int         // of the inputs that were given, those that these are; nil for all
	absences     *dataset      // the rows with inputs that tell where columns lack a value; nil for none
	distinct     []int         // values that every input takes, maxDistinct where there are more
	order        []int         // the rows by their content
	given        []int         // those that were given, by their content: as many for each of these
	copies       []int         // of every row the first of the same inputs, −1 for none
	limits       *model.Limits // of a member's predictions; nil for none
	law          likelihood.Likelihood
	ties         []int           // of every input the values that components of ties tell apart, 0 for none; nil for no input
	levels       []*train.Levels // of every input, of a category that has more than its basis has functions; else nil
	few          *dataset        // the rows without those levels that components of ties tell apart; nil where these tell none apart
	averages     *averages
	effects      *knownEffects
	neighbours   *neighbours     // that inputs are made of, the last ones; nil for none
	whole        *dataset        // whose rows averages are taken over; nil for these
	linear       func() *dataset // in a linear scaling
	wide         func() *dataset // in a box that is wider than the rows
}

// newDataset returns the rows, without repeats where all rows are repeated equally often.
// Inputs without scalings have that of the unit interval.
func newDataset(rows descent.Rows, keys train.Split, bases []basis.Basis, inputs []box.Input, law likelihood.Likelihood) *dataset {
	if inputs == nil {
		for i := range bases {
			inputs = append(inputs, box.Input{Name: strconv.Itoa(i), Hi: 1})
		}
	}
	given := byContent(rows, keys)
	rows, keys, order := withoutRepeats(rows, keys, given)
	d := dataset{
		Rows: rows, keys: keys, bases: bases, distinct: distinctValues(rows),
		order: order, given: given, copies: copies(rows, order), law: law,
	}
	d.limits = d.limitsOfLaw()
	return d.scaled(rows.X, inputs)
}

// scaled returns the rows with other coordinates.
func (d dataset) scaled(x []float32, inputs []box.Input) *dataset {
	d.X, d.inputs, d.averages, d.effects = x, inputs, newAverages(), newKnownEffects()
	d.linear = sync.OnceValue(func() *dataset { return d.toLinear() })
	d.wide = sync.OnceValue(func() *dataset { return d.widen() })
	return &d
}

// maxDistinct is where counting the distinct values of an input ends: no basis has more nodes.
const maxDistinct = basis.MaxSplineNodes

// distinctValues returns the number of values that every input has in the rows,
// maxDistinct where there are more.
func distinctValues(rows descent.Rows) []int {
	counts := make([]int, rows.Inputs)
	for i := range counts {
		counts[i] = countValues(rows, i, maxDistinct)
	}
	return counts
}

// countValues returns the number of values of input i, or most where there are more.
func countValues(rows descent.Rows, i, most int) int {
	var values distinct.Numbers
	for j := 0; j < rows.Len() && values.Len() < most; j++ {
		values.Add(float64(rows.Row(j)[i]))
	}
	return values.Len()
}

// gaps tells what rows lack on average.
type gaps struct {
	rows   float64 // the share of the rows that lack a number
	values float64 // the numbers that a row lacks
}

// gapsOf returns what the rows lack.
func (d *dataset) gapsOf() gaps {
	rows, values := 0, 0
	for j := range d.Len() {
		before := values
		for _, v := range d.Row(j) {
			if v != v {
				values++
			}
		}
		if values > before {
			rows++
		}
	}
	n := float64(d.Len())
	return gaps{float64(rows) / n, float64(values) / n}
}

// functions returns those of categories, 0 for numbers.
func (d *dataset) functions() []int {
	functions := make([]int, len(d.bases))
	for i, b := range d.bases {
		if !basis.Ordered(b) {
			functions[i] = b.Nodes()
		}
	}
	return functions
}

// with returns the rows with other targets, y, and one more input, of coordinates last.
// Predictions of these targets have no limits.
func (d *dataset) with(last, y []float32) (*dataset, error) {
	one, err := basis.NewBernstein(1)
	if err != nil {
		return nil, err
	}
	more := &dataset{
		keys: d.keys, bases: append(slices.Clone(d.bases), one), distinct: append(slices.Clone(d.distinct), maxDistinct), averages: newAverages(),
	}
	more.Inputs, more.Y, more.Weights = d.Inputs+1, y, d.Weights
	more.X = make([]float32, len(y)*more.Inputs)
	for j, v := range last {
		copy(more.Row(j), d.Row(j))
		more.Row(j)[d.Inputs] = v
	}
	return more, nil
}

// averages keeps the bases of all inputs with their averages over the rows, which all
// members share.
type averages struct {
	mu    sync.Mutex // locked while an average is made: the other members need the same one
	known map[inputBasis]basis.Basis
}

type inputBasis struct {
	kind         basis.Kind
	nodes, input int
}

func newAverages() *averages { return &averages{known: map[inputBasis]basis.Basis{}} }

// averaged returns a basis of input i with its averages over the rows, E φ(x_i), which
// stand for φ where x_i is missing.
func (d *dataset) averaged(b basis.Basis, i int) (basis.Basis, error) {
	spec := b.Spec()
	if spec.Average != nil {
		return b, nil
	}
	d.averages.mu.Lock()
	defer d.averages.mu.Unlock()
	key := inputBasis{spec.Kind, spec.Nodes, i}
	if known, ok := d.averages.known[key]; ok {
		return known, nil
	}
	over := d
	if d.whole != nil {
		over = d.whole
	}
	a, err := basis.AverageOverColumn(b, over.X, over.Inputs, i)
	if err == nil {
		d.averages.known[key] = a
	}
	return a, err
}
