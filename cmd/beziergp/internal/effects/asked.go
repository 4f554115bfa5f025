package effects

import (
	"slices"
	"strings"

	"beziergp/analysis"
	"beziergp/box"
	"beziergp/cmd/beziergp/internal/exit"
)

// names are those of the inputs that effects are told of.
type names []string

func namesOf(inputs []box.Input) (all names) {
	for _, in := range inputs {
		all = append(all, in.Name)
	}
	return all
}

// input returns the number of an input.
func (n names) input(name string) (int, error) {
	if i := slices.Index(n, name); i >= 0 {
		return i, nil
	}
	return 0, &analysis.InputError{Name: name, Have: n}
}

// asked returns the inputs and the pairs that are asked for: all inputs by default. A name may
// hold a comma.
func (o *Options) asked(n names) (singles []int, pairs [][2]int, err error) {
	if len(o.Of) == 0 {
		for i := range n {
			singles = append(singles, i)
		}
		return singles, nil, nil
	}
	for _, text := range o.Of {
		if i, err := n.input(text); err == nil {
			if !slices.Contains(singles, i) {
				singles = append(singles, i)
			}
			continue
		}
		pair, err := pairOf(n, text)
		if err != nil {
			return nil, nil, err
		}
		pairs = append(pairs, pair)
	}
	return singles, pairs, nil
}

// pairOf reads two names with a comma between them.
func pairOf(n names, text string) (pair [2]int, err error) {
	_, err = n.input(text)
	for at := range text {
		if text[at] != ',' {
			continue
		}
		first, bad := n.input(text[:at])
		second, worse := n.input(text[at+1:])
		switch {
		case bad == nil && worse == nil && first == second:
			return pair, exit.Usagef("--of %s: the effect of two inputs is of two that differ", text)
		case bad == nil && worse == nil:
			return [2]int{first, second}, nil
		case bad == nil:
			err = worse
		case strings.Count(text, ",") == 1:
			err = bad
		}
	}
	unknown := func(name string) bool { return !slices.Contains(n, name) }
	if parts := strings.Split(text, ","); len(parts) > 2 && !slices.ContainsFunc(parts, unknown) {
		err = exit.Usagef("--of %s: an effect is of two inputs at most; give each input or pair an --of of its own", text)
	}
	return pair, err
}
