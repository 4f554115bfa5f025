package tablefile

import (
	"fmt"
	"math"
	"strconv"
)

// Gaps are written as [Floats] are, but NaN as no value at all, which is what
// programs that read CSV take for a missing one.
type Gaps []float64

// Truths are written as true and false, the words that data frames read as truth
// values.
type Truths []bool

func (v Gaps) len() int   { return len(v) }
func (v Truths) len() int { return len(v) }

func (v Gaps) appendText(dst []byte, i int) []byte {
	if math.IsNaN(v[i]) {
		return dst
	}
	return Floats(v).appendText(dst, i)
}

func (v Truths) appendText(dst []byte, i int) []byte {
	return strconv.AppendBool(dst, v[i])
}

// Words are written as they say, without quotes: they hold no commas.
type Words[T fmt.Stringer] []T

func (v Words[T]) len() int { return len(v) }

func (v Words[T]) appendText(dst []byte, i int) []byte { return append(dst, v[i].String()...) }
