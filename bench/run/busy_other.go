//go:build !linux

package run

import "math"

// busy is not known on this system.
func busy() float64 { return math.NaN() }
