package modelfile

import (
	"encoding/json"
	"fmt"
	"math"

	"beziergp/box"
	"beziergp/internal/safetensors"
)

// most is how many bytes of a file's head the scalings of inputs may take: they are all
// but a few megabytes of it.
const most = safetensors.MaxHeader - 10_000_000

// place is one whose digits are many.
var place = Place{math.MaxInt32, 1e5}

// CheckStorable returns an error that names a column where no file could hold a model of
// these inputs: names and levels are too long for a head. It is asked before the
// training, which would be lost.
func CheckStorable(target string, inputs []box.Input) error {
	return checkStorable(target, inputs, most)
}

func checkStorable(target string, inputs []box.Input, most int) error {
	if len(target) > most/8 { // up to 7 bytes a byte
		return fmt.Errorf("target %.40q…: its name has %d bytes, and a model file has no room for it; rename it", target, len(target))
	}
	columns, all := map[string]int{}, 8*len(target)
	largest := ""
	for _, in := range inputs {
		bytes := stored(in, most)
		all += bytes
		name := in.Source()
		if columns[name] += bytes; columns[name] > columns[largest] {
			largest = name
		}
	}
	if all <= most {
		return nil
	}
	return fmt.Errorf("column %.40q: names and levels of all %d inputs take %.1f MB in the head of a model file, which has room for %.1f MB, and this column's take most, %.1f MB; exclude it, or shorten its name or its levels",
		largest, len(inputs), mega(all), mega(most), mega(columns[largest]))
}

func mega(bytes int) float64 { return float64(bytes) / 1e6 }

// stored returns the bytes of an input in a head, which is a text within a text, or some
// number above most.
func stored(in box.Input, most int) int {
	plain := len(in.Name) + len(in.Column)
	for _, level := range in.Levels {
		plain += len(level)
	}
	if plain > most {
		return plain
	}
	h := Input{Input: in}
	if in.Knots != nil {
		h.Scale = &ranks{place, place}
	}
	if in.Pooled != nil {
		h.Rare = &pooled{"00112233445566778899aabbccddeeff", place, true}
	}
	// What is no text has a JSON, once the scaling is sound.
	text, _ := json.Marshal(h)
	text, _ = json.Marshal(string(text))
	const again = 200 // the variance's scaling of the same input, which has no names
	return len(text) + again
}
