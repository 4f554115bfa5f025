package model

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"beziergp/internal/limit"
	"beziergp/likelihood"
)

// setLevels are the coverages for which a model keeps what its prediction sets need.
var setLevels = func() (levels []float64) {
	for percent := 50; percent < 95; percent++ {
		levels = append(levels, float64(percent)/100)
	}
	for thousandth := 950; thousandth < 990; thousandth += 5 {
		levels = append(levels, float64(thousandth)/1000)
	}
	for thousandth := 990; thousandth < 1000; thousandth++ {
		levels = append(levels, float64(thousandth)/1000)
	}
	return levels
}()

// NewSets returns what [Output.Sets] are, given the probabilities that n rows were said to
// have, by what had not seen them, for the classes that they turned out to be of: the
// ⌈(n+1) level⌉-th smallest of 1 − p at every level, 1 where n is too small for one.
func NewSets(observed []float64) []float64 {
	scores := make([]float64, len(observed))
	for i, p := range observed {
		scores[i] = 1 - p
	}
	slices.Sort(scores)
	sets := make([]float64, len(setLevels))
	for i, level := range setLevels {
		sets[i] = 1
		if at := int(math.Ceil(float64(len(scores)+1) * level)); at <= len(scores) {
			sets[i] = scores[at-1]
		}
	}
	return sets
}

// checkSets returns an error unless sets are those of a target with classes.
func (o *Output) checkSets() error {
	switch {
	case o.Sets == nil:
		return nil
	case o.classes() == 0 || len(o.Sets) != len(setLevels) || !slices.IsSorted(o.Sets) || !(o.Sets[0] >= 0 && o.Sets[len(o.Sets)-1] <= 1):
		return fmt.Errorf("%d numbers for prediction sets of %d classes: there must be %d, ascending, from 0 to 1", len(o.Sets), o.classes(), len(setLevels))
	}
	return nil
}

// LeastProbability returns the probability that a class has at least to be in the prediction
// sets of a coverage, above 0 and below 1: on average over rows like those of the training
// they hold the class observed with this probability, whatever the calibration (Sadinle, Lei
// & Wasserman, JASA 114, 2019, cross-fitted). A row that tells little has many classes in its set, or
// none where no class is as probable. Levels are kept by 0.01 up to 0.95, by 0.005 up to
// 0.99 and by 0.001 up to 0.999, and others are rounded up. It fails where the model has no
// sets: the recipe auto makes them, of targets with classes.
func (m *Model) LeastProbability(level float64) (float64, error) {
	o := &m.outputs[0]
	switch {
	case !(level > 0 && level < 1):
		return 0, &limit.OptionError{Option: "level", Problem: fmt.Sprintf("%g; it must be above 0 and below 1", level)}
	case o.classes() == 0:
		return 0, errors.New("the target has no classes, and so no prediction sets; its intervals tell where it lies")
	case o.Sets == nil:
		return 0, errors.New("the model has no prediction sets: the recipe auto makes them; fit again")
	}
	if at, _ := slices.BinarySearch(setLevels, level); at < len(setLevels) {
		return 1 - o.Sets[at], nil
	}
	return 0, nil
}

// Set returns the classes of a row that have a probability at least, in the order of their
// codes.
func (m *Marginal) Set(row int, least float64) (classes []int) {
	for k, p := range m.Probabilities(row) {
		if p >= least {
			classes = append(classes, k)
		}
	}
	return classes
}

// Classes returns the names of the classes that predictions have probabilities of
// ([Marginal.Classes]); nil where the target has none. Those of a law of truth values whose
// target holds numbers are 0 and 1.
func (m *Model) Classes() []string { return m.outputs[0].names() }

func (o *Output) names() []string {
	switch names := o.Target.Classes(); {
	case o.classes() == 0:
		return nil
	case names == nil:
		return []string{"0", "1"}
	default:
		return names
	}
}

// Likelihood returns the law of the target given the process.
func (m *Model) Likelihood() likelihood.Likelihood { return m.outputs[0].Likelihood }
