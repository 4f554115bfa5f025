package splitmix

import "testing"

// The numbers are those of the authors' generator in Java, java.util.SplittableRandom,
// and of Vigna's in C (prng.di.unimi.it), seeded with 0.
func TestAt(t *testing.T) {
	for i, want := range []uint64{0xe220a8397b1dcdaf, 0x6e789e6aa1b965f4, 0x06c45d188009454f, 0xf88bb8a8724c81ec} {
		if got := At(uint64(i)); got != want {
			t.Errorf("number %d is %#x, want %#x", i, got, want)
		}
	}
}
