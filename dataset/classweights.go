package dataset

import (
	"context"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"beziergp/internal/limit"
	"beziergp/internal/printable"
	"beziergp/table"
	"beziergp/table/cell"
)

// ClassWeights are factors of the weights of rows, by the class of their target. What is learned is
// the table in which every class counts so many times as often: probabilities are those there, and
// no longer the shares of classes in rows as they come.
type ClassWeights struct {
	// Balanced gives all classes the same sum of weights: that of class c has the factor
	//
	//	w_c = Σ_k W_k / (K W_c)
	//
	// of K classes, whose rows have the weights W_k together.
	Balanced bool
	// Of are factors above 0 by the names of classes, or words for truth values such as yes and 0; those of others are 1.
	Of map[string]float64
}

// None tells whether there are none.
func (c ClassWeights) None() bool { return !c.Balanced && len(c.Of) == 0 }

func classWeightsError(problem string, args ...any) error {
	return &limit.OptionError{Option: "class weights", Problem: fmt.Sprintf(problem, args...)}
}

// checkClassWeights refuses those that are none, and of what are no classes.
func (o Options) checkClassWeights(t *table.Table) error {
	c := o.ClassWeights
	if c.None() {
		return nil
	}
	if c.Balanced && len(c.Of) > 0 {
		return classWeightsError("balanced ones follow from the rows; leave them, or those of single classes, out")
	}
	if len(o.Targets) > 1 || o.Some {
		return classWeightsError("they are of one target, and there are %d", len(o.Targets))
	}
	f, _ := t.Field(o.Targets[0].Name)
	names := classNames(f)
	if names == nil {
		return classWeightsError("the target %q is no column of classes: make its kind boolean or category, or leave them out", f.Name)
	}
	codes := map[int]string{}
	for _, class := range slices.Sorted(maps.Keys(c.Of)) {
		if v := c.Of[class]; !(v > 0 && v <= math.MaxFloat64) {
			return classWeightsError("that of %q is %g; it must be a number above 0", class, v)
		}
		code := codeOf(f, class)
		if code < 0 {
			return classWeightsError("the target %q has no class %s; there are %s", f.Name, printable.Quoted(class), listed(names))
		}
		if other, twice := codes[code]; twice {
			return classWeightsError("%q and %q are one class of the target %q; leave one out", other, class, f.Name)
		}
		codes[code] = class
	}
	return nil
}

// listed returns names in quotes, the first of very many.
func listed(names []string) string {
	const most = 20
	var quoted []string
	for _, name := range names[:min(most, len(names))] {
		quoted = append(quoted, printable.Quoted(name))
	}
	if len(names) > most {
		quoted = append(quoted, fmt.Sprintf("%d more", len(names)-most))
	}
	return strings.Join(quoted, ", ")
}

// codeOf returns the code of a class of a target, and −1 where it is none.
func codeOf(f table.Field, class string) int {
	if f.Kind == table.Boolean {
		if v, ok := cell.Value(f.Kind, []byte(class)); ok && v == v {
			return int(v)
		}
		return -1
	}
	return slices.Index(f.Levels, class)
}

// classNames returns the names of a target's classes by their code; nil where it has none.
func classNames(f table.Field) []string {
	switch f.Kind {
	case table.Boolean:
		return []string{"false", "true"}
	case table.Category:
		return f.Levels
	}
	return nil
}

// classSums are the weights of the rows of a class, divided as a [weighing] does.
type classSums struct{ lo, hi, sum float64 }

// fitClassWeights finds the factors of classes and the average of the weights with them.
func (s *Set) fitClassWeights(ctx context.Context, c ClassWeights) error {
	w := s.newWeighing()
	sums, err := s.sumClasses(ctx, w.exponent)
	if err != nil {
		return err
	}
	target := s.rows.Fields()[s.columns.targets[0]]
	names := classNames(target)
	if w.ofClass, err = c.factors(target, sums); err != nil {
		return err
	}
	for k, own := range sums {
		w.sum += own.sum * w.ofClass[k]
	}
	s.weights = w
	for k, own := range sums {
		for _, v := range []float64{own.lo, own.hi} {
			bad := w.check(math.Ldexp(v, w.exponent), w.ofClass[k])
			if own.sum > 0 && bad != nil {
				problem, _ := bad.Fault()
				return classWeightsError("that of %q, %g, times the weight %g of a row %s; give factors that lie closer together", names[k], w.ofClass[k], bad.Value, problem)
			}
		}
	}
	return nil
}

// factors returns those of classes by their code.
func (c ClassWeights) factors(target table.Field, sums []classSums) ([]float64, error) {
	factors := slices.Repeat([]float64{1}, len(sums))
	var all, classes float64
	for _, own := range sums {
		if own.sum > 0 {
			all, classes = all+own.sum, classes+1
		}
	}
	for k, own := range sums {
		if c.Balanced && own.sum > 0 {
			factors[k] = all / (classes * own.sum)
		}
	}
	for _, class := range slices.Sorted(maps.Keys(c.Of)) { // the same one is told of in every run
		code := codeOf(target, class) // −1 where the rows that are left have none of the class
		if code < 0 || sums[code].sum == 0 {
			return nil, classWeightsError("no training row of the target %q has the class %s; leave its weight out", target.Name, printable.Quoted(class))
		}
		factors[code] = c.Of[class]
	}
	return factors, nil
}

// sumClasses sums the weights of all rows by the class of their target.
func (s *Set) sumClasses(ctx context.Context, exponent int) ([]classSums, error) {
	target, weights := s.columns.targets[0], s.columns.weights
	sums := make([]classSums, len(classNames(s.rows.Fields()[target])))
	add := func(y, v float64) error {
		k := int(y)
		if k < 0 || k >= len(sums) {
			return fmt.Errorf("target %q: a row has a class that the column has no name of", s.rows.Fields()[target].Name)
		}
		v = math.Ldexp(v, -exponent)
		if own := &sums[k]; own.sum == 0 {
			*own = classSums{v, v, v}
		} else {
			*own = classSums{min(own.lo, v), max(own.hi, v), own.sum + v}
		}
		return nil
	}
	if weights < 0 {
		return sums, values(ctx, s.rows, target, func(part []float64) error {
			for _, y := range part {
				if err := add(y, 1); err != nil {
					return err
				}
			}
			return nil
		})
	}
	if s.Apart() != nil { // whose columns are exchanged one by one
		return nil, classWeightsError("beside a column of weights they have work for one rank: multiply that column, or start the fit without mpirun")
	}
	return sums, each(ctx, s.rows, func(block [][]float64, n int) error {
		for i, y := range block[target][:n] {
			if err := add(y, block[weights][i]); err != nil {
				return err
			}
		}
		return nil
	})
}
