package simd

import (
	"syscall"
	"testing"
	"time"
)

// cpuTime is what the process has used so far.
func cpuTime(t *testing.T) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		t.Skip(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// Workers without work use no processor.
func TestPoolSleeps(t *testing.T) {
	p := NewPool(4)
	defer p.Close()
	p.Do(8, func(_, _ int) {})
	time.Sleep(4 * patience)
	const idle = 100 * time.Millisecond
	before := cpuTime(t)
	time.Sleep(idle)
	if used := cpuTime(t) - before; used > idle/5 {
		t.Errorf("an idle pool used %v of processor time in %v", used, idle)
	}
}
