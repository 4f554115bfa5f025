// Package option is the values of flags that are checked as they are parsed, so
// that a wrong command line is refused before anything is read, and the order in
// which a verb's help shows its flags.
package option

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"beziergp/internal/limit"
	"beziergp/plot/canvas"
	"beziergp/predictive"
)

// value is a flag's value of any type.
type value[T comparable] struct {
	dst   *T
	kind  string
	parse func(text string) (T, error)
	text  string // that it was set by
}

// New returns a flag's value that parse checks and that is put in dst. What dst
// holds is the default; a zero one is not shown.
func New[T comparable](dst *T, kind string, parse func(text string) (T, error)) pflag.Value {
	return &value[T]{dst: dst, kind: kind, parse: parse}
}

func (v *value[T]) Set(text string) error {
	parsed, err := v.parse(text)
	if err == nil {
		*v.dst, v.text = parsed, text
	}
	return err
}

// String returns the text that it was set by, or that of the default.
func (v *value[T]) String() string {
	var zero T
	if v.text != "" {
		return v.text
	}
	if v.dst == nil || *v.dst == zero {
		return ""
	}
	return fmt.Sprint(*v.dst)
}

func (v *value[T]) Type() string { return v.kind }

// Int is a whole number from low to high.
func Int(dst *int, low, high int) pflag.Value {
	return New(dst, "int", func(text string) (int, error) { return parseInt(text, low, high) })
}

// Count is a whole number from 1 on, and not above all reason.
func Count(dst *int) pflag.Value { return Int(dst, 1, limit.Count) }

// Rows is a whole number from 1 on.
func Rows(dst *int) pflag.Value { return Int(dst, 1, math.MaxInt) }

// Workers is a number of goroutines.
func Workers(dst *int) pflag.Value { return Int(dst, 1, limit.Workers) }

func parseInt(text string, low, high int) (int, error) {
	n, err := strconv.Atoi(text)
	switch {
	case errors.Is(err, strconv.ErrSyntax):
		return 0, errors.New("it must be a whole number")
	case (err != nil || n < low || n > high) && high == math.MaxInt:
		return 0, fmt.Errorf("it must be a whole number of at least %d", low)
	case err != nil || n < low || n > high:
		return 0, fmt.Errorf("it must be from %d to %d", low, high)
	}
	return n, nil
}

// Share is a number above 0 and below 1.
func Share(dst *float64) pflag.Value { return New(dst, "SHARE", parseShare) }

func parseShare(text string) (float64, error) {
	v, err := strconv.ParseFloat(text, 64)
	if err != nil || !(v > 0 && v < 1) {
		wrong := "it must be above 0 and below 1"
		if percent, err := strconv.ParseFloat(strings.TrimSuffix(text, "%"), 64); err == nil && percent >= 1 && percent < 100 {
			wrong += fmt.Sprintf("; for %g %% write %g", percent, percent/100)
		}
		return 0, errors.New(wrong)
	}
	return v, nil
}

// list is values separated by commas, no two of them alike. It may be given in parts.
type list[T comparable] struct {
	dst   *[]T
	kind  string
	text  string // that it was set by
	parse func(text string) (T, error)
}

// Shares is a list of numbers above 0 and below 1, separated by commas.
func Shares(dst *[]float64) pflag.Value {
	return &list[float64]{dst: dst, kind: "SHARES", parse: parseShare}
}

// Counts is a list of whole numbers from 0 on, separated by commas.
func Counts(dst *[]int) pflag.Value { return &list[int]{dst: dst, kind: "NUMBERS", parse: parseCount} }

func parseCount(text string) (int, error) {
	n, err := strconv.Atoi(text)
	switch {
	case errors.Is(err, strconv.ErrRange):
		return 0, errors.New("it is beyond all counts; give a smaller number")
	case err != nil || n < 0:
		return 0, errors.New("it is not a whole number from 0 on")
	}
	return n, nil
}

func (l *list[T]) Set(text string) error {
	all := slices.Clone(*l.dst) // of the flag before, where it is given twice
	for part := range strings.SplitSeq(text, ",") {
		v, err := l.parse(strings.TrimSpace(part))
		if err != nil {
			return fmt.Errorf("%q: %w", part, err)
		}
		if slices.Contains(all, v) {
			return fmt.Errorf("%v stands twice", v)
		}
		all = append(all, v)
	}
	*l.dst, l.text = all, strings.TrimPrefix(l.text+","+text, ",")
	return nil
}

func (l *list[T]) String() string { return l.text }

func (l *list[T]) Type() string { return l.kind }

// Seed is the start of random numbers.
func Seed(dst *uint64) pflag.Value {
	return New(dst, "uint", func(text string) (uint64, error) {
		n, err := strconv.ParseUint(text, 10, 64)
		if err != nil {
			err = errors.New("it must be a whole number from 0 to 2^64 − 1")
		}
		return n, err
	})
}

// Positive is a finite number above 0.
func Positive(dst *float64) pflag.Value {
	return New(dst, "float", func(text string) (float64, error) {
		v, err := parseFinite(text)
		if err == nil && v <= 0 {
			err = errors.New("it must be above 0")
		}
		return v, err
	})
}

func parseFinite(text string) (float64, error) {
	v, err := strconv.ParseFloat(text, 64)
	if err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
		return 0, fmt.Errorf("%q is not a finite number", text)
	}
	return v, nil
}

// Duration is a time above 0.
func Duration(dst *time.Duration) pflag.Value {
	return New(dst, "duration", func(text string) (time.Duration, error) {
		d, err := time.ParseDuration(text)
		if err != nil || d <= 0 {
			return 0, errors.New("it must be a time above 0 with its unit, as in 90s or 5m")
		}
		return d, nil
	})
}

// Choice is one of names.
func Choice[T ~string](dst *T, names ...T) pflag.Value {
	return New(dst, "string", func(text string) (T, error) {
		if !slices.Contains(names, T(text)) {
			var known []string
			for _, name := range names {
				known = append(known, string(name))
			}
			return "", errors.New("choose one of " + strings.Join(known, ", "))
		}
		return T(text), nil
	})
}

// Picture is a file for a picture, whose ending says in which format it is written.
func Picture(dst *string) pflag.Value {
	return New(dst, "FILE", func(path string) (string, error) {
		_, err := canvas.FormatOf(path)
		return path, err
	})
}

// rangeValue is an interval of numbers.
type rangeValue struct {
	dst  **predictive.Range
	text string // that it was set by
}

// Range is an interval of numbers whose ends may be open.
func Range(dst **predictive.Range) pflag.Value { return &rangeValue{dst: dst} }

func (v *rangeValue) Set(text string) error {
	r, err := predictive.ParseRange(text)
	if err == nil {
		*v.dst, v.text = &r, text
	}
	return err
}

func (v *rangeValue) String() string { return v.text }

func (v *rangeValue) Type() string { return "LO:HI" }
