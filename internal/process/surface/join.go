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
	if all := reached(parts); len(all) == size {
		return all, checkFinite(all)
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

// reached returns the first part and those behind it in memory, as far as each lies next
// to the one before: so they come from a file, and are not copied.
func reached(parts [][]float32) []float32 {
	if len(parts) == 0 {
		return nil
	}
	all := parts[0]
	for _, p := range parts[1:] {
		end := len(all) + len(p)
		if cap(all) < end || len(p) > 0 && &all[:end][len(all)] != &p[0] {
			break
		}
		all = all[:end]
	}
	return slices.Clip(all)
}

func checkFinite(params []float32) error {
	// Memory answers four runs in a third of the time of one.
	n := len(params) / 4
	a, b, c, d := params[:n], params[n:2*n], params[2*n:3*n], params[3*n:4*n]
	var all uint32
	for i, p := range a {
		all |= exponentOnes(p) | exponentOnes(b[i]) | exponentOnes(c[i]) | exponentOnes(d[i])
	}
	for _, p := range params[4*n:] {
		all |= exponentOnes(p)
	}
	if all>>31 != 0 {
		return errors.New("a weight is not a finite number")
	}
	return nil
}

// exponentOnes has its highest bit set where the exponent is ones alone, as that of
// infinities and NaN is.
func exponentOnes(p float32) uint32 { return math.Float32bits(p)&(255<<23) + 1<<23 }
