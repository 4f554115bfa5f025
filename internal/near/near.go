// Package near finds the names that a mistyped one may stand for.
package near

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// Names returns up to three of have that name may stand for, nearest first. Case counts
// for nothing, and of four letters one may be wrong: one dropped, added, replaced or swapped
// with its neighbour. Shorter names have none replaced: what is left would be another name.
func Names(name string, have []string) []string {
	type candidate struct {
		name  string
		edits int
	}
	const longest = 200 // bytes: nobody mistypes more, and comparing takes the product of the lengths
	if len(name) > longest {
		return nil
	}
	want := []rune(strings.ToLower(name))
	var found []candidate
	for _, h := range have {
		if utf8.RuneCountInString(h) > 2*len(want)+1 {
			continue
		}
		other := []rune(strings.ToLower(h))
		if e := edits(want, other); e <= allowed(want, other) && e < max(len(want), 1) {
			found = append(found, candidate{h, e})
		}
	}
	slices.SortStableFunc(found, func(a, b candidate) int { return a.edits - b.edits })
	var names []string
	for _, c := range found[:min(3, len(found))] {
		names = append(names, c.name)
	}
	return names
}

// allowed returns how many edits two names may be apart.
func allowed(a, b []rune) int {
	const letters = 4 // of which one may be wrong
	most := max(len(a), len(b)) / letters
	if most == 0 && (len(a) != len(b) || slices.Equal(sorted(a), sorted(b))) {
		return 1
	}
	return most
}

func sorted(a []rune) []rune {
	a = slices.Clone(a)
	slices.Sort(a)
	return a
}

// edits returns the fewest insertions, deletions, substitutions and swaps of
// neighbours that turn a into b, no rune being touched twice (the optimal string
// alignment distance).
func edits(a, b []rune) int {
	d := make([][]int, len(a)+1) // d[i][j] is the distance of a[:i] and b[:j]
	for i := range d {
		d[i] = make([]int, len(b)+1)
		for j := range d[i] {
			switch {
			case i == 0 || j == 0:
				d[i][j] = i + j
				continue
			case a[i-1] == b[j-1]:
				d[i][j] = d[i-1][j-1]
			default:
				d[i][j] = 1 + min(d[i-1][j-1], d[i-1][j], d[i][j-1])
			}
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				d[i][j] = min(d[i][j], d[i-2][j-2]+1)
			}
		}
	}
	return d[len(a)][len(b)]
}
