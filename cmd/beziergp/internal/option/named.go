package option

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/pflag"

	"beziergp/box"
	"beziergp/internal/process/basis"
	"beziergp/table"
)

// named is a flag that gives a value to a column, and may stand once a column.
type named[T any] struct {
	dst   map[string]T
	form  string
	parse func(text string) (T, error)
	texts []string
}

// Repeated is a value of a flag that may stand more than once.
type Repeated interface {
	Texts() []string // that it was set by, one by one
}

func (v *named[T]) Texts() []string { return v.texts }

func (v *named[T]) Set(text string) error {
	// A column's name may hold the sign, its value does not.
	at := strings.LastIndex(text, "=")
	if at < 1 || at == len(text)-1 {
		return errors.New("write " + v.form)
	}
	name := text[:at]
	if _, twice := v.dst[name]; twice {
		return fmt.Errorf("column %q has one already", name)
	}
	parsed, err := v.parse(text[at+1:])
	if err != nil {
		return err
	}
	v.dst[name] = parsed
	v.texts = append(v.texts, text)
	return nil
}

func (v *named[T]) String() string { return strings.Join(v.texts, ",") }

func (v *named[T]) Type() string { return v.form }

// Orders gives columns an order of their own.
func Orders(dst map[string]int) pflag.Value {
	return &named[int]{dst: dst, form: "NAME=N", parse: func(text string) (int, error) {
		return parseInt(text, 1, basis.MaxPriorOrder)
	}}
}

// Drop is the kind of columns that are not read.
const Drop table.Kind = "drop"

// Kinds tells what columns hold.
func Kinds(dst map[string]table.Kind) pflag.Value {
	return &named[table.Kind]{dst: dst, form: "NAME=KIND", parse: func(text string) (table.Kind, error) {
		switch kind := table.Kind(text); kind {
		case table.Numeric, table.Boolean, table.Category, table.DateTime, Drop:
			return kind, nil
		}
		return "", errors.New("choose one of numeric, boolean, category, datetime, drop")
	}}
}

// Bounds gives columns the interval of their values.
func Bounds(dst map[string]box.Bounds) pflag.Value {
	return &named[box.Bounds]{dst: dst, form: "NAME=LO:HI", parse: parseBounds}
}

func parseBounds(text string) (box.Bounds, error) {
	low, high, ok := strings.Cut(text, ":")
	if !ok {
		return box.Bounds{}, errors.New("write NAME=LO:HI")
	}
	var b box.Bounds
	var err error
	if b.Lo, err = parseFinite(low); err != nil {
		return b, err
	}
	if b.Hi, err = parseFinite(high); err != nil {
		return b, err
	}
	if b.Lo >= b.Hi {
		return b, fmt.Errorf("the lower bound %g must be below the upper one, %g", b.Lo, b.Hi)
	}
	return b, nil
}
