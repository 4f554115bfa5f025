// Package simd holds the arithmetic that training and prediction spend
// their time in. Every kernel has a body in plain Go, which is its reference.
//
// # Layout
//
// A tile is a block of points that go through a buttress together, points along
// lanes: a matrix of m nodes at n points is stored node by node, element (i, p) at
// [i*ld+p], with n ≤ ld. All matrices of one call
// share ld. Elements between n and ld are neither read nor written. Any alignment
// works; rows that begin on a multiple of 64 bytes are up to a third faster.
//
// # Instruction sets
//
// A table of bodies in assembly is chosen once, by what the machine can run:
// AVX-512, AVX2 with FMA, NEON, or none. [Tier] tells which; the environment
// variable BEZIERGP_KERNEL picks another one by name, for tests and debugging, and
// [Check] fails where the machine has none of that name.
// A kernel gives the same bits for the same arguments on one instruction set,
// and [Layer] for a point whatever the points beside it are.
//
// The assembly is generated: go generate, in this directory, runs the module in
// asm. Where a body is missing, as some are for NEON, the Go one runs.
//
// # Errors
//
// The kernels panic when a slice is too short for the shape that it is given:
// that is a mistake of the programmer, never of the data. Slices of a call must
// not overlap, unless a function says so.
package simd

//go:generate go -C asm run .
