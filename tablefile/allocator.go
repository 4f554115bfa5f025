//go:build !lean && !wasm

package tablefile

import (
	"fmt"

	"github.com/apache/arrow-go/v18/arrow/memory"
)

// allocator gives the library memory in pieces that a file of this size can have
// use for, so that a damaged length does not ask for all that there is.
func (f *encoded) allocator() memory.Allocator {
	return bounded{memory.NewGoAllocator(), int(min(1<<28+64*f.size, 1<<40))}
}

// bounded panics, as allocators do, when it is asked for too much at once.
type bounded struct {
	memory.Allocator
	most int
}

func (b bounded) Allocate(size int) []byte {
	b.check(size)
	return b.Allocator.Allocate(size)
}

func (b bounded) Reallocate(size int, old []byte) []byte {
	b.check(size)
	return b.Allocator.Reallocate(size, old)
}

func (b bounded) check(size int) {
	if size < 0 || size > b.most {
		panic(fmt.Sprintf("%d bytes asked for at once", size))
	}
}
