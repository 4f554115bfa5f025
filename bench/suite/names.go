package suite

import "slices"

// allSets returns the sets, each before the one that stands in for it.
func (s Suite) allSets() (all []Set) {
	for _, set := range s.Sets {
		all = append(all, set)
		if set.Instead != nil {
			all = append(all, *set.Instead)
		}
	}
	return all
}

// SetNames returns the names of all sets, those that stand in for others included.
func (s Suite) SetNames() (names []string) {
	for _, set := range s.allSets() {
		names = append(names, set.Name)
	}
	return names
}

// MethodNames returns the names of all methods, as in tables.
func (s Suite) MethodNames() (names []string) {
	for _, m := range slices.Concat(s.Methods, s.More) {
		names = append(names, m.Name)
	}
	return names
}

// MethodKeys returns the keys of the methods that are fitted unless others are asked
// for, and of the others.
func (s Suite) MethodKeys() (usual, more []string) { return keys(s.Methods), keys(s.More) }

func keys(methods []Method) (all []string) {
	for _, m := range methods {
		all = append(all, m.Key)
	}
	return all
}
