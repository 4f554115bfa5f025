package simd

// native returns the tiers in assembly that this machine can run, best first:
// every arm64 machine that Go runs on has NEON.
func native() []*tier {
	return []*tier{{
		name:  "neon",
		lanes: 4,
		layer: layerNEON,
		outer: outerNEON,

		blockForward:  blockForwardNEON,
		blockBackward: blockBackwardNEON,
		blockGradient: blockGradientNEON,

		adamBlocks: adamBlocksNEON,
		smooth:     smoothNEON,
		keepTimes:  keepTimesNEON,
		addTimes:   addTimesNEON,

		peak: peakNEON,
	}}
}
