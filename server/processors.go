package server

import "runtime"

// Spare returns how many lanes an engine should have, by default one a processor, and has Go run
// goroutines on one thread more than lanes and readers of bodies take, of which there are as many.
// Then a request that is not predicted, as for health, or that is turned away, is not behind
// those that take every thread: the system, which gives a thread that mostly waits its turn at
// once, puts it before them. It is for a program that does nothing but serve, before [New].
func Spare(lanes int) int {
	if lanes == 0 {
		lanes = runtime.GOMAXPROCS(0)
	}
	runtime.GOMAXPROCS(max(runtime.GOMAXPROCS(0), 2*lanes+1))
	return lanes
}
