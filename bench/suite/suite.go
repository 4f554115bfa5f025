// Package suite is what the benchmarks consist of: data sets, methods, and which of
// them are fitted together.
package suite

import (
	"slices"

	"beziergp/bench/data"
)

// Suite is methods that are fitted on sets.
type Suite struct {
	Name, About string
	Notes       string // what a reader of its figures should know; may be empty
	Varies      Axis
	Sets        []Set
	Methods     []Method
	More        []Method // that are fitted only when asked for
}

// Set is a data set and what the methods are told of it.
type Set struct {
	Name    string
	Source  data.Source
	Rows    int      // about; methods that do not scale are refused by it
	Splits  int      // that are fitted unless more or fewer are asked for
	Options []string // flags of fit for all methods
	Orders  []int    // of the paper's recipe here; nil for all
	Paper   []string // further flags of the paper's recipe here
	Instead *Set     // what is fitted where the user has not this one
}

// Method is a way to learn, as flags of fit.
type Method struct {
	Key     string // on the command line
	Name    string // in records and tables
	Options []string
	Order   int // of the paper's recipe; 0 for other methods
	Most    int // rows that it takes; 0 is any number
	// Sets are those that it is fitted on unless it is asked for; nil for all.
	Sets []string
	// Conformal tells that its models have conformal intervals.
	Conformal bool
}

// Axis is what a suite varies.
type Axis string

const (
	OverMethods   Axis = "" // compares methods
	OverOrderings Axis = "orderings"
	OverSizes     Axis = "sizes"   // of generated tables and of models
	OverSeconds   Axis = "seconds" // compares methods by the time that they take to be as good
)

// Named returns the suite of that name; there may be none.
func Named(name string) (s Suite, ok bool) {
	all := All()
	at := slices.IndexFunc(all, func(s Suite) bool { return s.Name == name })
	if at < 0 {
		return s, false
	}
	return all[at], true
}

// Names returns the names of all suites.
func Names() (names []string) {
	for _, s := range All() {
		names = append(names, s.Name)
	}
	return names
}

// All returns the suites.
func All() []Suite {
	return []Suite{uci(), permutations(), large(), scaling(), quality(), classes(), counts(), amounts()}
}
