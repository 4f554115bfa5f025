package simd

import "time"

const (
	peakChains = 12 // as in the assembly
	peakRounds = 200_000
)

// Peak measures the arithmetic limit of a tier on the core that it runs on:
// independent chains of multiply-adds in registers, in floating-point
// operations a second, the best of several runs of a fraction of a
// millisecond. It is 0 for generic and for a tier that this machine cannot run.
func Peak(tierName string) float64 {
	t, err := pick(tiers, tierName)
	if err != nil || t.peak == nil {
		return 0
	}
	best := time.Duration(1<<63 - 1)
	for range 20 {
		start := time.Now()
		t.peak(peakRounds)
		best = min(best, time.Since(start))
	}
	return float64(peakRounds) * peakChains * float64(t.lanes) * 2 / best.Seconds()
}
