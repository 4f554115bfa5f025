package main

import (
	"math"
	"math/rand/v2"
	"slices"
)

// step is a step of training of one surface on many ranks, which share out its orderings.
type step struct {
	Work      float64 // seconds of arithmetic on one rank
	Spread    float64 // mean share of its time by which a rank is late, exponentially distributed
	Values    float64 // bytes of the values of all orderings at the rows of a step, means and variances
	Exchanges int     // in which they go, and with them the word whether all go on
	Latency   float64 // α: seconds of a message however short
	Bandwidth float64 // β⁻¹: bytes a second, of one rank, each way
	Adding    float64 // bytes of values that a rank reads and adds a second
}

// time returns what a step on R ranks takes by the formula
//
//	T(R) = A/R · (1 + s H_R) + [R > 1] ((R − 1) (2 E α + U/(R b)) + U/a)
//
// with H_R = Σ_{i≤R} 1/i: the slowest of R ranks, each late by an exponential share of mean s, is
// late by s H_R on average. An exchange is two all-gathers of R − 1 messages each, of the lengths
// and of the values.
func (s step) time(ranks int) float64 {
	r := float64(ranks)
	t := s.Work / r * (1 + s.Spread*harmonic(ranks))
	if ranks > 1 {
		t += (r-1)*(2*float64(s.Exchanges)*s.Latency+s.Values/(r*s.Bandwidth)) + s.Values/s.Adding
	}
	return t
}

func harmonic(n int) (sum float64) {
	for i := 1; i <= n; i++ {
		sum += 1 / float64(i)
	}
	return sum
}

// simulate returns the mean time of so many steps, message by message: every rank computes until
// an exchange, in round k of which it passes on to its neighbour what came in the round before. A
// message leaves when the sender has its last one behind it, and ends when the receiver is there,
// too. A step begins when all have ended the one before.
func (s step) simulate(ranks, steps int, rng *rand.Rand) float64 {
	share := 1 / float64(ranks*s.Exchanges)
	now, next := make([]float64, ranks), make([]float64, ranks)
	var sum float64
	for range steps {
		clear(now)
		for range s.Exchanges {
			for i := range now {
				now[i] += s.Work * share * (1 + s.Spread*rng.ExpFloat64())
			}
			if ranks == 1 {
				continue
			}
			for _, bytes := range []float64{0, s.Values * share} { // lengths, values
				for range ranks - 1 {
					for i := range now {
						next[i] = max(now[i], now[(i+ranks-1)%ranks]) + s.Latency + bytes/s.Bandwidth
					}
					now, next = next, now
				}
			}
			for i := range now {
				now[i] += s.Values / float64(s.Exchanges) / s.Adding
			}
		}
		sum += slices.Max(now)
	}
	return sum / float64(steps)
}

// pays returns the largest power of two of ranks, up to most, up to which doubling them takes
// the time of a step to three quarters or less.
func (s step) pays(most int) int {
	ranks := 1
	for 2*ranks <= most && s.time(2*ranks) <= 0.75*s.time(ranks) {
		ranks *= 2
	}
	return ranks
}

// line returns α and β of times = α + β sizes by least squares in relative terms: each point
// counts by its share, so that short messages tell α and long ones β.
func line(sizes, times []float64) (alpha, beta float64) {
	var w, x, y, xx, xy float64
	for i, n := range sizes {
		own := 1 / (times[i] * times[i])
		w, x, y, xx, xy = w+own, x+own*n, y+own*times[i], xx+own*n*n, xy+own*n*times[i]
	}
	beta = (w*xy - x*y) / (w*xx - x*x)
	return math.Max(0, (y-beta*x)/w), beta
}
