package table

import (
	"math"
	"strconv"
	"strings"
)

// As returns the values of a column as those of another field, whose name counts
// for nothing: levels of a category find their own index, or the one that stands
// for none of them; numbers and booleans become levels by their text, and the
// levels true and false become booleans. It fails with a [*KindError] where there
// is no such way. What need not change is not copied.
func (c Column) As(to Field) ([]float64, error) {
	have, want := c.Field().kind(), to.kind()
	switch {
	case have == want && want != Category, have == Boolean && want == Numeric:
		return c.Values, nil
	case have == Numeric && want == Boolean:
		for _, v := range c.Values {
			if to.Problem(v) != "" {
				return nil, &KindError{c.Name, have, want}
			}
		}
		return c.Values, nil
	case want == Category && have != DateTime:
		return c.levelsAs(to), nil
	case want == Boolean && have == Category:
		return c.truths()
	}
	return nil, &KindError{c.Name, have, want}
}

func (f Field) kind() Kind {
	if f.Kind == "" {
		return Numeric
	}
	return f.Kind
}

// levelsAs returns the numbers that the column's values have among the levels of a
// category.
func (c Column) levelsAs(to Field) []float64 {
	values := make([]float64, len(c.Values))
	if c.Kind == Category {
		Recode(values, c.Values, c.Field().Codes(to))
		return values
	}
	find := to.finder()
	for i, v := range c.Values {
		switch {
		case math.IsNaN(v):
			values[i] = v
		case c.Kind == Boolean:
			values[i] = find(strconv.FormatBool(v != 0))
		default:
			values[i] = find(strconv.FormatFloat(v, 'g', -1, 64))
		}
	}
	return values
}

// Codes returns, for every number that stands for a level of a category, in order, the
// number that stands for the same level in another.
func (f Field) Codes(to Field) []float64 {
	find := to.finder()
	codes := make([]float64, 0, len(f.Levels)+2)
	for _, level := range f.Levels {
		codes = append(codes, find(level))
	}
	same := f.Pooled.equal(to.Pooled)
	for number := range f.Pooled.Numbers() { // of which there are no names to look for
		pooled := to.Other()
		if same {
			pooled = len(to.Levels) + number
		}
		codes = append(codes, float64(pooled))
	}
	return append(codes, float64(to.Other()))
}

// Recode writes the codes of levels to dst, [n], in the place of values; what is missing
// stays so.
func Recode(dst, values, codes []float64) {
	for i, v := range values {
		if v == v {
			v = codes[int(v)]
		}
		dst[i] = v
	}
}

// finder returns what finds the number of a level by its name.
func (f Field) finder() func(level string) float64 {
	index := make(map[string]int, len(f.Levels))
	for i, level := range f.Levels {
		index[level] = i
	}
	return func(level string) float64 {
		i, ok := index[level]
		if !ok {
			i = f.Further(level)
			index[level] = i
		}
		return float64(i)
	}
}

// truths returns the values of a category whose levels are true and false.
func (c Column) truths() ([]float64, error) {
	truth := make([]float64, c.Field().Other()+1)
	for i := len(c.Levels); i < len(truth); i++ {
		truth[i] = -1
	}
	for i, level := range c.Levels {
		switch strings.ToLower(level) {
		case "true":
			truth[i] = 1
		case "false":
		default:
			truth[i] = -1
		}
	}
	values := make([]float64, len(c.Values))
	for i, v := range c.Values {
		values[i] = v
		if v == v {
			values[i] = truth[int(v)]
		}
		if values[i] < 0 {
			return nil, &KindError{c.Name, Category, Boolean}
		}
	}
	return values, nil
}
