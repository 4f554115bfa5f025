package split

import (
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
)

func upTo(n int) []int {
	all := make([]int, n)
	for i := range all {
		all[i] = i
	}
	return all
}

// The folds are those that scikit-learn 1.9.1 prints.
func TestFoldsOfScikitLearn(t *testing.T) {
	inOrder, err := InOrder(upTo(11), 4)
	if want := [][]int{{0, 1, 2}, {3, 4, 5}, {6, 7, 8}, {9, 10}}; err != nil || !reflect.DeepEqual(inOrder, want) {
		t.Errorf("KFold: %v, %v, want %v", inOrder, err, want)
	}
	groups, err := Groups([]int{3, 1, 3, 0, 1, 3, 2, 0, 3, 1, 4, 4, 4, 4, 4, 2, 5, 5, 5, 5, 5, 5, 5}, 3)
	if want := [][]int{{3, 7, 16, 17, 18, 19, 20, 21, 22}, {6, 10, 11, 12, 13, 14, 15}, {0, 1, 2, 4, 5, 8, 9}}; err != nil || !reflect.DeepEqual(groups, want) {
		t.Errorf("GroupKFold: %v, %v, want %v", groups, err, want)
	}
	times := make([]float64, 11)
	for i := range times {
		times[i] = float64(i)
	}
	forward, err := Forward(times, 3)
	want := []Fold{{upTo(5), []int{5, 6}}, {upTo(7), []int{7, 8}}, {upTo(9), []int{9, 10}}}
	if err != nil || !reflect.DeepEqual(forward, want) {
		t.Errorf("TimeSeriesSplit: %v, %v, want %v", forward, err, want)
	}
}

// Every row is tested once; rows of a group or of a time are never on both sides; the past
// alone predicts the future.
func TestFoldsKeepTogether(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		n, k := 2+rng.IntN(200), 2+rng.IntN(5)
		key, times := make([]int, n), make([]float64, n)
		for i := range key {
			key[i] = rng.IntN(1 + n/2)
			times[i] = float64(key[i])
		}
		grouped, err := Groups(key, k)
		blocks, err2 := Blocks(times, k)
		for _, folds := range [][][]int{grouped, blocks} {
			if folds == nil {
				continue
			}
			if all := slices.Sorted(slices.Values(slices.Concat(folds...))); !slices.Equal(all, upTo(n)) {
				t.Fatalf("%d folds of %v hold %v", k, key, all)
			}
			for _, f := range Of(folds) {
				if len(f.Train)+len(f.Test) != n || len(f.Test) == 0 {
					t.Fatalf("%d and %d of %d rows", len(f.Train), len(f.Test), n)
				}
				apart(t, key, f)
			}
		}
		if distinct := len(slices.Compact(slices.Sorted(slices.Values(key)))); (err != nil) != (distinct < k) || distinct < k && err2 == nil {
			t.Errorf("%d folds of %d groups: %v, %v", k, distinct, err, err2)
		}
		forward, _ := Forward(times, k)
		for _, f := range forward {
			apart(t, key, f)
			for _, i := range f.Train {
				if times[i] >= times[f.Test[0]] {
					t.Fatalf("row %d of time %g is learned from to predict %g", i, times[i], times[f.Test[0]])
				}
			}
		}
	}
}

func apart(t *testing.T, key []int, f Fold) {
	t.Helper()
	tested := map[int]bool{}
	for _, i := range f.Test {
		tested[key[i]] = true
	}
	for _, i := range f.Train {
		if tested[key[i]] {
			t.Fatalf("%d is on both sides", key[i])
		}
	}
}

func TestTooManyFolds(t *testing.T) {
	for _, k := range []int{-1, 0, 1, 4} {
		if f, err := InOrder(upTo(3), k); err == nil {
			t.Errorf("InOrder gives %d folds: %v", k, f)
		}
		if f, err := Groups([]int{0, 1, 2}, k); err == nil {
			t.Errorf("Groups gives %d folds: %v", k, f)
		}
		if f, err := Blocks([]float64{0, 1, 2}, k); err == nil {
			t.Errorf("Blocks gives %d folds: %v", k, f)
		}
		if f, err := Forward([]float64{0, 1, 2}, k); err == nil {
			t.Errorf("Forward gives %d folds: %v", k, f)
		}
	}
}
