package auto

import (
	"errors"
	"slices"

	"beziergp/internal/process/descent"
	"beziergp/split"
	"beziergp/train"
)

// checkKeys refuses keys that share no row out.
func checkKeys(keys train.Split) error {
	several := func(n int) bool { return n == 0 || n > 1 }
	held := 0
	for _, is := range keys.Held {
		if is {
			held++
		}
	}
	switch {
	case keys.Groups != nil && !several(slices.Max(keys.Groups)+1):
		return errors.New("all rows are of one group: at least two are needed, to learn from and to choose by")
	case keys.Times != nil && slices.Min(keys.Times) == slices.Max(keys.Times):
		return errors.New("all rows have the same time: at least two are needed, to learn from and to choose by")
	case keys.Held != nil && (held == 0 || len(keys.Held)-held < 2):
		return errors.New("the marked rows are none, or all but one: some are needed to choose by, and two at least to learn from")
	}
	return nil
}

// ofFewGroups returns the factor of a variance that the errors of G groups tell of others, 1
// where rows have none. Errors of a group are alike, and so count once: of a Gaussian whose mean
// and variance are known from G draws, another draw has a Student's t distribution of G − 1
// degrees of freedom, and its variance is larger by
//
//	(1 + 1/G) · (G − 1)/(G − 3)
func (p plan) ofFewGroups() float64 {
	if p.groups == 0 {
		return 1
	}
	g := float64(p.groups)
	return (1 + 1/g) * (g - 1) / max(1, g-3)
}

// byGroups shares rows out to at most k folds, whole groups each, about equally many rows a
// fold and equally large groups at random; nil where there are fewer than two groups.
func byGroups(numbers, groups []int, k int, seed uint64) [][]int {
	numbers = mixed(numbers, seed)
	order := descent.Random(seed, descent.StreamFolds).Perm(slices.Max(groups) + 1)
	own := make([]int, len(numbers))
	for i, j := range numbers {
		own[i] = order[groups[j]]
	}
	return fewer(k, numbers, func(k int) ([][]int, error) { return split.Groups(own, k) })
}

// stretches are those of time at least that rows are cut into. Longer ones leave whole
// seasons out of what a member learns from, and rows held out are further from it than new
// rows are from all rows.
const stretches = 16

// byTimes shares rows out to at most k folds of whole stretches of time: of every k that
// follow one another each fold has one, at random. It is nil where there are fewer than two
// times.
func byTimes(numbers []int, times []float64, k int, seed uint64) [][]int {
	numbers = mixed(numbers, seed)
	own := make([]float64, len(numbers))
	for i, j := range numbers {
		own[i] = times[j]
	}
	rng := descent.Random(seed, descent.StreamFolds)
	folds := fewer(k, numbers, func(k int) ([][]int, error) {
		parts, err := split.Blocks(own, k)
		for each := (stretches + k - 1) / k; each > 1; each-- { // as many as times allow
			if more, tooMany := split.Blocks(own, k*each); tooMany == nil {
				parts, err = more, nil
				break
			}
		}
		if err != nil {
			return nil, err
		}
		folds := make([][]int, k)
		for run := range slices.Chunk(parts, k) {
			for i, fold := range rng.Perm(k) {
				folds[fold] = append(folds[fold], run[i]...)
			}
		}
		return folds, nil
	})
	for k := range folds {
		folds[k] = mixed(folds[k], seed+uint64(k))
	}
	return folds
}

// fewer shares numbers out to k folds, or as many fewer as there can be.
func fewer(k int, numbers []int, share func(k int) ([][]int, error)) [][]int {
	for ; k > 1; k-- {
		folds, err := share(k)
		if err != nil {
			continue
		}
		for _, fold := range folds {
			for i, at := range fold {
				fold[i] = numbers[at]
			}
		}
		return folds
	}
	return nil
}

// mixed returns numbers in a random order, so that the first of them are a sample.
func mixed(numbers []int, seed uint64) []int {
	numbers = slices.Clone(numbers)
	descent.Random(seed, descent.StreamMixed).Shuffle(len(numbers), func(a, b int) { numbers[a], numbers[b] = numbers[b], numbers[a] })
	return numbers
}
