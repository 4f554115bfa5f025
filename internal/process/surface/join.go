package surface

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"beziergp/internal/largepages"
)

// joined returns the parts one after the other, size numbers, or what is wrong with them.
func joined(parts [][]float32, size int) ([]float32, error) {
	have := 0
	for _, p := range parts {
		have += len(p)
	}
	if have != size {
		return nil, fmt.Errorf("%d parameters for a surface of %d", have, size)
	}
	if len(parts) == 1 {
		return parts[0], checkFinite(parts[0])
	}
	// What was just copied is in a cache, where it is checked in a fraction of the time.
	const atOnce = 1 << 14
	all := largepages.Floats(size)[:0]
	for _, p := range parts {
		for chunk := range slices.Chunk(p, atOnce) {
			from := len(all)
			all = append(all, chunk...)
			if err := checkFinite(all[from:]); err != nil {
				return nil, err
			}
		}
	}
	return all, nil
}

func checkFinite(params []float32) error {
	var all uint32
	for _, p := range params {
		// An exponent of ones alone, which infinities and NaN have, carries to the highest bit.
		all |= math.Float32bits(p)&(255<<23) + 1<<23
	}
	if all>>31 != 0 {
		return errors.New("a weight is not a finite number")
	}
	return nil
}
