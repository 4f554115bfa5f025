package descent

import "math/rand/v2"

// Streams of the random source, so that what one part draws does not move another.
const (
	StreamOrderings = iota
	StreamWeights
	StreamBatches // and those after it, one an epoch or a step
)

// These are far from the epochs of any run.
const (
	StreamFolds = 1<<62 + iota
	StreamSample
	StreamRedrawn
	StreamMixed
	StreamScreen
)

// Random returns the random source of a seed for one of the streams.
func Random(seed, stream uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, stream)) }
