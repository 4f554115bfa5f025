package cell

import (
	"encoding/json"
	"slices"
	"strings"

	"beziergp/table"
)

// Words are the texts that stand for a missing value; an empty cell always does. A nil
// *Words is the default: ?, and NA, N/A, #N/A, NaN, -NaN, NULL and None in letters of any
// case. It is immutable.
//
// Words that were chosen count as they are written, and a number or a time by its value:
// -999 is -999.0 too. They say which texts are no levels of a category. Among numbers, times
// and truth values the default words stand for a missing value besides: none is written so.
type Words struct {
	list  []string
	texts map[string]bool
	// What of the list is a number or a time.
	numbers, times []float64
}

// NewWords returns the words of a list, which may be empty.
func NewWords(list []string) *Words {
	w := &Words{texts: make(map[string]bool, len(list))}
	for _, word := range list {
		word = strings.TrimSpace(word)
		if word == "" || w.texts[word] {
			continue
		}
		w.list = append(w.list, word)
		w.texts[word] = true
		if v, ok := Number([]byte(word)); ok {
			w.numbers = append(w.numbers, v)
		}
		if v, ok := Time([]byte(word)); ok {
			w.times = append(w.times, v)
		}
	}
	return w
}

// List returns the words, in a slice of the caller's; nil for the default ones.
func (w *Words) List() []string {
	if w == nil {
		return nil
	}
	return append([]string{}, w.list...)
}

// MarshalJSON writes the list.
func (w *Words) MarshalJSON() ([]byte, error) { return json.Marshal(w.List()) }

// UnmarshalJSON reads a list.
func (w *Words) UnmarshalJSON(text []byte) error {
	var list []string
	err := json.Unmarshal(text, &list)
	*w = *NewWords(list)
	return err
}

// Missing tells whether a cell says that there is no value of the kind.
func (w *Words) Missing(kind table.Kind, text []byte) bool {
	switch {
	case w == nil:
		return missing(text)
	case w.Chosen(text):
		return true
	}
	return kind != table.Category && missing(text)
}

// Gap tells whether a cell is missing among numbers and times alone.
func (w *Words) Gap(text []byte) bool { return w != nil && missing(text) && !w.Chosen(text) }

// Chosen tells whether a cell is empty or one of the words that were chosen.
func (w *Words) Chosen(text []byte) bool {
	if len(text) == 0 {
		return true
	}
	if w == nil {
		return false
	}
	if w.texts[string(text)] {
		return true
	}
	if len(w.numbers) > 0 {
		if v, ok := Number(text); ok {
			return w.Number(v)
		}
	}
	if len(w.times) > 0 {
		if v, ok := Time(text); ok {
			return w.Time(v)
		}
	}
	return false
}

// Number tells whether a number stands for a missing value.
func (w *Words) Number(v float64) bool { return w != nil && slices.Contains(w.numbers, v) }

// Numbers tells whether some numbers stand for missing values.
func (w *Words) Numbers() bool { return w != nil && len(w.numbers) > 0 }

// Time tells whether a time stands for a missing value, in seconds as [Time] has it.
func (w *Words) Time(v float64) bool { return w != nil && slices.Contains(w.times, v) }

// missing tells whether a cell is empty or one of the default words.
func missing(text []byte) bool {
	switch len(text) {
	case 0:
		return true
	case 1:
		return text[0] == '?'
	case 2, 3, 4:
		switch strings.ToLower(string(text)) {
		case "na", "n/a", "#n/a", "nan", "-nan", "null", "none":
			return true
		}
	}
	return false
}
