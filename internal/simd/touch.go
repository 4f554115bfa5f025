package simd

// fewPoints is the number of points up to which a run of local layers fetches its weights
// at once. At many points others' weights are worked on while some arrive; at a single one
// every layer waits for four rows of its block, of a model that may be larger than a
// core's own caches. Of runs of few layers a processor sees the next by itself. Measured.
const (
	fewPoints  = 2
	manyLayers = 6
)

// touch reads an element of every row of the blocks that a run of local layers takes at a
// point: no read waits for another, so that they arrive together.
//
//go:noinline
func touch(blocks []block, first []int32, w []float32, p, ld int) (sum float32) {
	for k := range blocks {
		l := &blocks[k]
		if l.fromSupport == 0 || l.toSupport == 0 {
			continue
		}
		at := int(l.w) + int(first[int(l.fromFirst)*ld+p])*int(l.cols) + int(first[int(l.toFirst)*ld+p])
		for range l.fromSupport {
			sum += w[at]
			at += int(l.cols)
		}
	}
	return sum
}
