//go:build !linux

package harness

import "math"

// busy is not known on this system.
func busy() float64 { return math.NaN() }
