// Package kernel holds the arithmetic that training and prediction spend
// their time in. Every kernel has a body in plain Go, which is its reference.
//
// # Layout
//
// A strip is a block of up to [Strip] points that go through a buttress
// together, points along lanes: a matrix of m nodes at n points is stored node
// by node, element (i, p) at [i*ld+p], with n ≤ ld. All matrices of one call
// share ld. Elements between n and ld are neither read nor written.
//
// # Errors
//
// The kernels panic when a slice is too short for the shape that it is given:
// that is a mistake of the programmer, never of the data. Slices of a call must
// not overlap, unless a function says so.
package kernel

// Strip is the number of points that training and prediction send through a
// buttress together: states and basis of a layer then stay in the first cache.
const Strip = 128
