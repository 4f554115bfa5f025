package metric

import "beziergp/internal/splitmix"

// stream keeps these numbers apart from those that choose rows by their number.
const stream = 1 << 62

// places chooses a uniform sample of things that come one by one, by algorithm R (Vitter,
// Random sampling with a reservoir, 1985): all while there is room, and the same for the same
// number of things.
type places struct {
	room, n int
}

// next returns the place that the next thing takes, which is one after the last while there
// is room; −1 for none.
func (p *places) next() int {
	at := p.n
	if at >= p.room {
		if at = int(splitmix.At(uint64(p.n)|stream) % uint64(p.n+1)); at >= p.room {
			at = -1
		}
	}
	p.n++
	return at
}
