package simd

import "testing"

func TestPeak(t *testing.T) {
	for _, tier := range tiers {
		peak := Peak(tier.name)
		// A core does a billion operations a second or more, an emulated one
		// far fewer, and none a trillion.
		if measured := peak > 1e6 && peak < 1e12; measured != (tier.peak != nil) {
			t.Errorf("peak of %s: %v", tier.name, peak)
		}
		t.Logf("%s: %.0f GFLOP/s", tier.name, peak/1e9)
	}
	if peak := Peak("none such"); peak != 0 {
		t.Errorf("peak of no tier: %v", peak)
	}
}
