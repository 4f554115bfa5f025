// Package gate is --fail-if: conditions on scores under which a program that ran well ends
// with an error, so that a pipeline stops there.
//
// A condition is NAME OP BOUND, as in rmse>3 or coverage95<0.93, with >, >=, < or <=, or
// abs(NAME-CENTRE) OP BOUND. It says what must not be.
package gate

import (
	"errors"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/pflag"

	"beziergp/cmd/beziergp/internal/exit"
	"beziergp/internal/printable"
)

// Condition is one on the score of a name.
type Condition struct {
	Name   string
	Centre *float64 // of abs(NAME-CENTRE); nil without
	Op     string
	Bound  float64
}

const name, num = `([A-Za-z][\w.]*)`, `([-+]?[0-9.]+(?:[eE][-+]?[0-9]+)?)`

var form = regexp.MustCompile(`^\s*(?:` + name + `|abs\(\s*` + name + `\s*-\s*` + num + `\s*\))\s*(>=|<=|>|<)\s*` + num + `\s*$`)

// Parse returns the condition that a text says.
func Parse(text string) (Condition, error) {
	wrong := errors.New("write a score, one of > >= < <=, and a number, as in 'rmse>3' or 'abs(coverage95-0.95)>0.02'")
	parts := form.FindStringSubmatch(text)
	if parts == nil {
		return Condition{}, wrong
	}
	c := Condition{Name: parts[1], Op: parts[4]}
	var err error
	if c.Bound, err = strconv.ParseFloat(parts[5], 64); err != nil {
		return Condition{}, wrong
	}
	if c.Name == "" {
		centre, err := strconv.ParseFloat(parts[3], 64)
		if err != nil {
			return Condition{}, wrong
		}
		c.Name, c.Centre = parts[2], &centre
	}
	return c, nil
}

// String writes the condition as [Parse] reads it.
func (c Condition) String() string {
	name := c.Name
	if c.Centre != nil {
		name = fmt.Sprintf("abs(%s-%g)", c.Name, *c.Centre)
	}
	return fmt.Sprintf("%s%s%g", name, c.Op, c.Bound)
}

// holds tells whether a score is what it must not be.
func (c Condition) holds(v float64) bool {
	if c.Centre != nil {
		v = math.Abs(v - *c.Centre)
	}
	switch c.Op {
	case ">":
		return v > c.Bound
	case ">=":
		return v >= c.Bound
	case "<":
		return v < c.Bound
	}
	return v <= c.Bound
}

// Score is a number that has a name. Programs rely on the name.
type Score struct {
	Name  string
	Value float64 // NaN where there is none
	Of    string  // what of all it is the score of, as a group or a fold; empty for all
	Why   string  // why there is no value, or why it is infinite
}

// Conditions are those of a command line.
type Conditions []Condition

// Flag is the value of a flag that may stand more than once.
func Flag(dst *Conditions) pflag.Value { return flag{dst} }

type flag struct{ dst *Conditions }

func (f flag) Set(text string) error {
	c, err := Parse(text)
	if err == nil {
		*f.dst = append(*f.dst, c)
	}
	return err
}

func (f flag) String() string { return "" }

// Texts returns the conditions as they are read.
func (f flag) Texts() (all []string) {
	for _, c := range *f.dst {
		all = append(all, c.String())
	}
	return all
}

func (f flag) Type() string { return "CONDITION" }

// Check refuses, as a wrong command line, conditions on scores of other names than those
// that there will be. It is asked before anything is read.
func (all Conditions) Check(names []string) error {
	for _, c := range all {
		if !slices.Contains(names, c.Name) {
			return exit.Usagef("--fail-if %s: there is no score %s here; there are %s", printable.Quoted(c.String()), printable.Quoted(c.Name), strings.Join(names, ", "))
		}
	}
	return nil
}

// Judge returns an error that tells which conditions hold, of which scores, nil where none
// does. Every score of the name is judged. One without a value fails, for it is not known to
// be what is wanted, and so does a condition whose score is missing.
func (all Conditions) Judge(scores []Score) error {
	var failed []string
	for _, c := range all {
		failed = append(failed, c.judge(scores)...)
	}
	if failed == nil {
		return nil
	}
	return &exit.Error{Code: exit.Failed, Err: errors.New("--fail-if: " + strings.Join(failed, "; "))}
}

// judge returns what to say of the scores that are what they must not be.
func (c Condition) judge(scores []Score) (failed []string) {
	const most = 3
	judged, more := 0, 0
	for _, s := range scores {
		if s.Name != c.Name {
			continue
		}
		judged++
		switch value := c.value(s); {
		case value == "":
		case len(failed) == most:
			more++
		default:
			failed = append(failed, fmt.Sprintf("%s is %s%s, and may not be %s", s.name(), value, s.because(), c.limit()))
		}
	}
	switch {
	case judged == 0:
		return []string{fmt.Sprintf("%s is not known, and may not be %s", c.Name, c.limit())}
	case more > 0:
		failed[most-1] += fmt.Sprintf(", and %d more", more)
	}
	return failed
}

// value returns the text of a score that is what it must not be, empty for others.
func (c Condition) value(s Score) string {
	if math.IsNaN(s.Value) {
		return "undefined"
	}
	if !c.holds(s.Value) {
		return ""
	}
	short := fmt.Sprintf("%.6g", s.Value)
	if v, _ := strconv.ParseFloat(short, 64); c.holds(v) {
		return short
	}
	return strconv.FormatFloat(s.Value, 'g', -1, 64)
}

func (s Score) name() string {
	if s.Of == "" {
		return s.Name
	}
	return s.Name + " of " + printable.Line(s.Of)
}

func (s Score) because() string {
	if s.Why == "" {
		return ""
	}
	return " (" + s.Why + ")"
}

// limit says what the score may not be.
func (c Condition) limit() string {
	words := map[string]string{">": "above", ">=": "at or above", "<": "below", "<=": "at or below"}[c.Op]
	if c.Centre != nil {
		return fmt.Sprintf("off %g by an amount %s %g", *c.Centre, words, c.Bound)
	}
	return fmt.Sprintf("%s %g", words, c.Bound)
}
