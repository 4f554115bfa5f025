package modelfile

import (
	"encoding/hex"
	"encoding/json"
	"fmt"

	"beziergp/box"
	"beziergp/table"
)

// Input is a scaling as it lies in a head.
type Input struct {
	box.Input
	Scale *ranks  `json:"by_ranks,omitempty"`
	Rare  *pooled `json:"rare_levels,omitempty"`
	// What older formats have in the place of these.
	Knots  []float64 `json:"knots,omitempty"`
	Ranks  []float64 `json:"ranks,omitempty"`
	Pooled []string  `json:"pooled,omitempty"`
}

type ranks struct {
	Knots Place `json:"knots"`
	Ranks Place `json:"ranks"`
}

type pooled struct {
	Key          string `json:"key"` // hexadecimal
	Fingerprints Place  `json:"fingerprints"`
	Apart        bool   `json:"apart,omitempty"`
}

// Describe returns a scaling for a head, its long lists in n.
func Describe(in box.Input, n *Numbers) Input {
	h := Input{Input: in}
	if in.Knots != nil {
		h.Scale = &ranks{n.Add(in.Knots), n.Add(in.Ranks)}
	}
	if f := in.Pooled; f != nil {
		h.Rare = &pooled{hex.EncodeToString(f.Key[:]), AddInts(n, f.Sums), f.Apart}
	}
	return h
}

// Restore returns the scaling again. It does not check it. Names of pooled levels, which
// older formats have, are forgotten.
func (h Input) Restore(l Lists) (box.Input, error) {
	in := h.Input
	in.Knots, in.Ranks = h.Knots, h.Ranks
	if s := h.Scale; s != nil {
		if h.Knots != nil || h.Ranks != nil {
			return in, fmt.Errorf("input %.40q has its knots twice", in.Name)
		}
		var err error
		if in.Knots, err = l.At(s.Knots); err != nil {
			return in, fmt.Errorf("input %.40q: %w", in.Name, err)
		}
		if in.Ranks, err = l.At(s.Ranks); err != nil {
			return in, fmt.Errorf("input %.40q: %w", in.Name, err)
		}
	}
	in.Pooled = box.Pool(in.Source(), in.Levels, h.Pooled)
	if r := h.Rare; r != nil {
		if h.Pooled != nil {
			return in, fmt.Errorf("input %.40q has its rare levels twice", in.Name)
		}
		in.Pooled = &table.Fingerprints{Apart: r.Apart}
		if n, err := hex.Decode(in.Pooled.Key[:], fit(r.Key, 2*len(in.Pooled.Key))); err != nil || n != len(in.Pooled.Key) {
			return in, fmt.Errorf("input %.40q: %.40q is no key", in.Name, r.Key)
		}
		var err error
		if in.Pooled.Sums, err = WholeAt[uint64](l, r.Fingerprints, len(l)); err != nil {
			return in, fmt.Errorf("input %.40q: %w", in.Name, err)
		}
	}
	return in, nil
}

// fit returns a text if it has the length wanted.
func fit(text string, length int) []byte {
	if len(text) != length {
		return nil
	}
	return []byte(text)
}

// WriteInputs returns scalings for a head, their long lists in n.
func WriteInputs(inputs []box.Input, n *Numbers) (json.RawMessage, error) {
	all := make([]Input, len(inputs))
	for i, in := range inputs {
		all[i] = Describe(in, n)
	}
	return json.Marshal(all)
}

// fewestBytes are those of an input in a list.
const fewestBytes = len(`{"lo":0,"hi":0},`)

// ReadInputs returns the scalings that text lists, unless they are more than most, which
// is what the rest of the file has room for, or unless one that is to have a name has
// none. It does not check them further.
func ReadInputs(text json.RawMessage, l Lists, most int, named bool) ([]box.Input, error) {
	inputs := make([]box.Input, 0, min(most, len(text)/fewestBytes+1))
	err := Each(text, func(h Input) error {
		if len(inputs) == most {
			return fmt.Errorf("it lists more than %d inputs, and has no more numbers for them", most)
		}
		if named && h.Name == "" {
			return fmt.Errorf("input %d has no name", len(inputs)+1)
		}
		in, err := h.Restore(l)
		inputs = append(inputs, in)
		return err
	})
	return inputs, err
}
