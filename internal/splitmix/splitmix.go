// Package splitmix is the generator SplitMix64 (Steele, Lea and Flood, Fast splittable
// pseudorandom number generators, OOPSLA 2014) as a function of a counter: numbers that
// need no state and can be had in any order.
package splitmix

// Gamma is what the generator's state grows by, 2⁶⁴ over the golden ratio, odd.
const Gamma = 0x9e3779b97f4a7c15

// Mix is its finaliser, a bijection in which every bit depends on every other.
func Mix(x uint64) uint64 {
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// At returns number i, from 0 on, of the generator that starts at 0.
func At(i uint64) uint64 { return Mix((i + 1) * Gamma) }
