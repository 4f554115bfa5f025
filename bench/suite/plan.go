package suite

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"beziergp/bench/data"
)

// Choice is the part of a suite that is asked for.
type Choice struct {
	Sets    []string // names; nil for all
	Methods []string // keys or names; nil for those of the suite
	Splits  int      // at most so many; 0 for the suite's number
}

// UnknownError is about a set or a method that a suite has not.
type UnknownError struct {
	Suite, What, Name string
	Known             []string
}

func (e *UnknownError) Error() string {
	return fmt.Sprintf("the suite %s has no %s %q; it has %s", e.Suite, e.What, e.Name, strings.Join(e.Known, ", "))
}

// Fit is one to be made.
type Fit struct {
	Set     Set
	Split   int
	Method  Method
	Options []string // of the method and of the set
	// Refused says why it is not even tried; empty where it is.
	Refused string
}

// Plan returns the fits of a suite and the sets that are not there, each with an
// error. Split comes before method, so that an unfinished run compares all methods.
func (s Suite) Plan(c Choice, p data.Places) (fits []Fit, absent []error, err error) {
	sets, err := s.sets(c.Sets)
	if err != nil {
		return nil, nil, err
	}
	methods, err := s.methods(c.Methods)
	if err != nil {
		return nil, nil, err
	}
	for _, set := range sets {
		splits, err := set.Source.Splits(p)
		if errors.Is(err, data.ErrAbsent) && set.Instead != nil {
			set = *set.Instead
			splits, err = set.Source.Splits(p)
		}
		if errors.Is(err, data.ErrAbsent) {
			absent = append(absent, fmt.Errorf("%s: %w", set.Name, err))
			continue
		}
		if err != nil {
			return nil, nil, err
		}
		wanted := set.Splits
		if c.Splits > 0 {
			wanted = c.Splits
		}
		for split := range min(wanted, splits) {
			for _, m := range methods {
				if c.Methods == nil && m.Sets != nil && !slices.Contains(m.Sets, set.Name) {
					continue
				}
				if m.Order == 0 || set.Orders == nil || slices.Contains(set.Orders, m.Order) {
					fits = append(fits, set.fit(split, m))
				}
			}
		}
	}
	return fits, absent, nil
}

func (s Set) fit(split int, m Method) Fit {
	f := Fit{Set: s, Split: split, Method: m, Options: slices.Concat([]string{}, m.Options, s.Options)}
	if m.Order > 0 {
		f.Options = append(f.Options, s.Paper...)
	}
	if m.Most > 0 && s.Rows > m.Most {
		f.Refused = fmt.Sprintf("does not fit: it is for at most %d rows", m.Most)
	}
	return f
}

func (s Suite) sets(names []string) ([]Set, error) {
	if names == nil {
		return s.Sets, nil
	}
	all := s.allSets()
	var chosen []Set
	for _, name := range names {
		at := slices.IndexFunc(all, func(set Set) bool { return strings.EqualFold(set.Name, name) })
		if at < 0 {
			return nil, &UnknownError{s.Name, "set", name, s.SetNames()}
		}
		chosen = append(chosen, all[at])
	}
	return chosen, nil
}

func (s Suite) methods(names []string) ([]Method, error) {
	if names == nil {
		return s.Methods, nil
	}
	all := slices.Concat(s.Methods, s.More)
	var chosen []Method
	for _, name := range names {
		at := slices.IndexFunc(all, func(m Method) bool { return strings.EqualFold(m.Key, name) || strings.EqualFold(m.Name, name) })
		if at < 0 {
			return nil, &UnknownError{s.Name, "method", name, append(keys(s.Methods), keys(s.More)...)}
		}
		chosen = append(chosen, all[at])
	}
	return chosen, nil
}
