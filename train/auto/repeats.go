package auto

import (
	"cmp"
	"slices"

	"beziergp/internal/process/descent"
	"beziergp/train"
)

// byContent returns the numbers of the rows in an order that their content alone
// decides, by their inputs and then by the target and the keys, so that random draws do not
// depend on how a table is sorted.
func byContent(rows descent.Rows, keys train.Split) []int {
	numbers := upTo(rows.Len())
	slices.SortStableFunc(numbers, func(a, b int) int { return compareAll(rows, keys, a, b) })
	return numbers
}

// compareAll orders rows by their content and then by what holds them out together. Most differ in their first inputs.
func compareAll(rows descent.Rows, keys train.Split, a, b int) int {
	if order := slices.Compare(rows.Row(a), rows.Row(b)); order != 0 {
		return order
	}
	return cmp.Or(slices.Compare(rows.Targets(a, a+1), rows.Targets(b, b+1)), cmp.Compare(rows.Weight(a), rows.Weight(b)), compareKeys(keys, a, b))
}

// compareKeys orders rows by what holds them out together.
func compareKeys(keys train.Split, a, b int) (order int) {
	if keys.Groups != nil {
		order = cmp.Compare(keys.Groups[a], keys.Groups[b])
	}
	if keys.Times != nil {
		order = cmp.Or(order, cmp.Compare(keys.Times[a], keys.Times[b]))
	}
	if keys.Held != nil && keys.Held[a] != keys.Held[b] {
		order = cmp.Or(order, map[bool]int{false: -1, true: 1}[keys.Held[a]])
	}
	return order
}

// copies returns for every row the first in the order that has the same inputs, or −1
// where no other row has.
func copies(rows descent.Rows, byContent []int) []int {
	first := make([]int, rows.Len())
	for i, j := range byContent {
		first[j] = -1
		if i == 0 {
			continue
		}
		if before := byContent[i-1]; slices.Compare(rows.Row(before), rows.Row(j)) == 0 {
			if first[before] < 0 {
				first[before] = before
			}
			first[j] = first[before]
		}
	}
	return first
}

// withoutRepeats returns the smallest table of which the rows are copies, every row equally
// often, and the order of its rows by content, given that of the rows. A table that was
// appended to itself holds no more information, and rows held out would have their own
// copies among the training rows. Rows that recur less regularly stay, because new rows may
// recur as well.
func withoutRepeats(rows descent.Rows, keys train.Split, order []int) (once descent.Rows, onceKeys train.Split, onceOrder []int) {
	copies, run := 0, 0
	for i, j := range order {
		run++
		if i == len(order)-1 || compareAll(rows, keys, j, order[i+1]) != 0 {
			copies, run = divisor(copies, run), 0
		}
	}
	if copies < 2 {
		return rows, keys, order
	}
	var kept []int
	for i := 0; i < len(order); i += copies {
		kept = append(kept, order[i])
	}
	slices.Sort(kept) // as they stood
	once.X, once.Inputs, once.Outputs = rows.Coordinates(kept), rows.Inputs, rows.Outputs
	onceKeys = keys.Of(kept)
	for _, j := range kept {
		once.Y = append(once.Y, rows.Targets(j, j+1)...)
		if rows.Weights != nil {
			once.Weights = append(once.Weights, rows.Weights[j])
		}
	}
	return once, onceKeys, byContent(once, onceKeys)
}

// divisor returns the greatest common divisor.
func divisor(a, b int) int {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

// upTo returns the numbers below n.
func upTo(n int) []int {
	numbers := make([]int, n)
	for i := range numbers {
		numbers[i] = i
	}
	return numbers
}
