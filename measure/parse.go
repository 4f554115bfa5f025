package measure

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Parse reads a law, like uniform(0,1), normal(10,2), lognormal(0,0.5), triangular(0,1,3),
// levels(red:2,blue:1), at(7), uniform or training. A level that holds a comma or a colon
// stands in double quotes.
func Parse(text string) (Law, error) {
	name, rest, open := strings.Cut(strings.TrimSpace(text), "(")
	name = strings.TrimSpace(name)
	if !open {
		if name == Training || name == uniform {
			return Law{name: name}, nil
		}
		return Law{}, fmt.Errorf("%q is no distribution: there are %s", text, strings.Join(Names(), ", "))
	}
	inner, closed := strings.CutSuffix(rest, ")")
	if !closed {
		return Law{}, fmt.Errorf("%q does not end in a bracket", text)
	}
	switch name {
	case uniform, normal, logNormal, triangular:
		var args []float64
		for field := range strings.SplitSeq(inner, ",") {
			v, err := strconv.ParseFloat(strings.TrimSpace(field), 64)
			if err != nil {
				return Law{}, fmt.Errorf("%q: %q is not a number", text, strings.TrimSpace(field))
			}
			args = append(args, v)
		}
		return of(name, args...)
	case levels, fixed:
		return parseLevels(name, text, inner)
	}
	return Law{}, fmt.Errorf("%q is no distribution: there are %s", text, strings.Join(Names(), ", "))
}

func parseLevels(name, text, inner string) (Law, error) {
	l := Law{name: name}
	fields, err := split(inner)
	if err != nil {
		return l, fmt.Errorf("%q: %w", text, err)
	}
	if name == fixed {
		if len(fields) != 1 {
			return l, fmt.Errorf("%q: at takes one value", text)
		}
		return At(fields[0].value), nil
	}
	known := map[string]bool{}
	for _, f := range fields {
		if known[f.value] {
			return l, fmt.Errorf("%q: %q stands twice", text, f.value)
		}
		known[f.value] = true
		weight := 1.0
		if f.weighted {
			if weight, err = strconv.ParseFloat(strings.TrimSpace(f.weight), 64); err != nil || !(weight > 0) || math.IsInf(weight, 0) {
				return l, fmt.Errorf("%q: the weight %q is not a number above 0", text, f.weight)
			}
		}
		l.levels, l.weights = append(l.levels, f.value), append(l.weights, weight)
	}
	return l, nil
}

// field is a value with or without a weight.
type field struct {
	value, weight string
	weighted      bool
}

// split reads value:weight, …, where values may be quoted.
func split(text string) (all []field, err error) {
	for {
		var f field
		text = strings.TrimSpace(text)
		if strings.HasPrefix(text, `"`) {
			prefix, err := strconv.QuotedPrefix(text)
			if err != nil {
				return nil, errors.New("a quoted value does not end")
			}
			if f.value, err = strconv.Unquote(prefix); err != nil {
				return nil, err
			}
			text = text[len(prefix):]
		} else {
			end := strings.IndexAny(text, ":,")
			if end < 0 {
				end = len(text)
			}
			f.value, text = strings.TrimSpace(text[:end]), text[end:]
		}
		if f.value == "" {
			return nil, errors.New("a value is empty")
		}
		text = strings.TrimSpace(text)
		if strings.HasPrefix(text, ":") {
			f.weight, text, _ = strings.Cut(text[1:], ",")
			f.weighted = true
			all = append(all, f)
			if text == "" {
				return all, nil
			}
			continue
		}
		all = append(all, f)
		if text == "" {
			return all, nil
		}
		if !strings.HasPrefix(text, ",") {
			return nil, fmt.Errorf("%q follows a value", text)
		}
		text = text[1:]
	}
}
