//go:build !amd64

package simd

// pause does nothing for a moment.
func pause() {
	for range 16 {
	}
}
