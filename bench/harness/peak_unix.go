//go:build unix

package harness

import (
	"os"
	"runtime"
	"syscall"
)

// peak returns the largest resident memory that a finished process had, in bytes.
func peak(p *os.ProcessState) int64 {
	usage, ok := p.SysUsage().(*syscall.Rusage)
	if !ok {
		return 0
	}
	if runtime.GOOS == "darwin" {
		return int64(usage.Maxrss)
	}
	return int64(usage.Maxrss) << 10 // in kibibytes
}
