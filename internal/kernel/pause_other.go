//go:build !amd64

package kernel

// pause does nothing for a moment.
func pause() {
	for range 16 {
	}
}
