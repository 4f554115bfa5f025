//go:build !amd64 && !arm64

package simd

// native returns nothing: there is no assembly for this architecture.
func native() []*tier { return nil }
