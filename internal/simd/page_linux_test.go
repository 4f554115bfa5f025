package simd

import (
	"fmt"
	"runtime/debug"
	"syscall"
	"testing"
	"unsafe"
)

// A fence is memory between two pages that may not be touched. Slices of it lie
// flush against one of them, so that a single byte read too far is a fault.
type fence struct {
	memory []byte
	end    bool // against the upper page, or else the lower one
}

func newFence(t *testing.T, size int) *fence {
	page := syscall.Getpagesize()
	size = (size + page - 1) / page * page
	all, err := syscall.Mmap(-1, 0, size+2*page, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		t.Skip(err)
	}
	t.Cleanup(func() { syscall.Munmap(all) })
	for _, guard := range [][]byte{all[:page], all[page+size:]} {
		if err := syscall.Mprotect(guard, syscall.PROT_NONE); err != nil {
			t.Skip(err)
		}
	}
	return &fence{memory: all[page : page+size]}
}

// fenced is a slice of n ones against the fence.
func fenced[T float32 | float64 | int32](f *fence, n int) []T {
	if n == 0 {
		return nil
	}
	var one T = 1
	at := 0
	if f.end {
		at = len(f.memory) - n*int(unsafe.Sizeof(one))
	}
	s := unsafe.Slice((*T)(unsafe.Pointer(&f.memory[at])), n)
	for i := range s {
		s[i] = one
	}
	return s
}

// No kernel may touch a byte beyond its slices, even where no store shows it.
func TestPages(t *testing.T) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	var f [4]*fence
	for i := range f {
		f[i] = newFence(t, 8*64*300)
	}
	for _, end := range []bool{false, true} {
		for i := range f {
			f[i].end = end
		}
		for _, tier := range tiers {
			for _, m := range []int{1, 2, 3, 4, 5, 6, 7, 8, 13, 21, 64} {
				for _, n := range counts {
					name := fmt.Sprintf("%s m=%d n=%d end=%v", tier.name, m, n, end)
					const ld = 260
					size := max(0, (m-1)*ld+n)
					matrix := func(i int) []float32 { return fenced[float32](f[i], size) }
					square := func(i int) []float32 { return fenced[float32](f[i], m*m) }
					points := func(i int) []float32 { return fenced[float32](f[i], n) }
					line := func(i int) []float64 { return fenced[float64](f[i], m) }
					for kernel, call := range map[string]func(){
						"Layer":                func() { tier.Layer(matrix(0), matrix(1), square(2), matrix(3), m, 1, m, m, n, ld) },
						"Layer backward":       func() { tier.Layer(matrix(0), matrix(1), square(2), matrix(3), 1, m, m, m, n, ld) },
						"Outer":                func() { tier.Outer(square(0), matrix(1), matrix(2), m, m, n, ld) },
						"Bernstein":            func() { tier.Bernstein(matrix(0), points(1), m-1, n, ld) },
						"ScaledSquare":         func() { tier.ScaledSquare(matrix(0), matrix(1), fenced[float32](f[2], m), m, n, ld) },
						"Rescale":              func() { tier.Rescale(matrix(0), points(1), fenced[int32](f[2], n), m, n, ld) },
						"Scale":                func() { tier.Scale(matrix(0), points(1), m, n, ld) },
						"Exp":                  func() { tier.Exp(points(0), points(1)) },
						"Adam":                 func() { tier.Adam(points(0), points(1), points(2), points(3), AdamStep{Epsilon: 1}) },
						"PathForward":          func() { tier.PathForward(line(0), line(1), line(2), square(3), 2) },
						"PathBackward":         func() { tier.PathBackward(line(0), line(1), square(2), 1) },
						"PathGradientMean":     func() { tier.PathGradientMean(square(0), square(1), line(2), line(3)) },
						"PathGradientVariance": func() { tier.PathGradientVariance(square(0), square(1), line(2), line(3), 1) },
					} {
						if v := panics(call); v != nil {
							t.Fatalf("%s %s: %v", kernel, name, v)
						}
					}
				}
			}
		}
	}
}
