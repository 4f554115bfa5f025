//go:build !linux

package largepages

// Floats returns a slice of n zeros.
func Floats(n int) []float32 { return make([]float32, n) }
