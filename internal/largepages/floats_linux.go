// Package largepages allocates memory in large pages where the system has some to give:
// of small ones the processor knows too few by heart, and every one is a fault when it is
// first touched.
package largepages

import (
	"syscall"
	"unsafe"
)

// Floats returns a slice of n zeros.
func Floats(n int) []float32 {
	const page, adviseHuge = 2 << 20, 14
	table := make([]float32, n)
	if 4*n < 2*page {
		return table
	}
	from := (page - int(uintptr(unsafe.Pointer(&table[0]))%page)) % page / 4
	inner := table[from : from+(n-from)/(page/4)*(page/4)]
	memory := unsafe.Slice((*byte)(unsafe.Pointer(&inner[0])), 4*len(inner))
	_ = syscall.Madvise(memory, adviseHuge) // a wish: where it is not granted pages are small
	return table
}
