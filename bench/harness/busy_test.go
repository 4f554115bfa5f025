package harness

import (
	"math"
	"testing"
)

func TestBusy(t *testing.T) {
	// user 1, nice 2, system 4, irq 8, softirq 16 and steal 32 s by hand; guests are in user.
	stat := "cpu  100 200 400 99900 99900 800 1600 3200 50 50\ncpu0 1 1 1 1 1 1 1 1 1 1\n"
	if got := busyOf(stat); got != 63 {
		t.Errorf("%g s, want 63", got)
	}
	for _, bad := range []string{"", "cpu 1 2 3", "intr 1 2 3 4 5 6 7 8 9", "cpu 1 2 x 4 5 6 7 8"} {
		if got := busyOf(bad); !math.IsNaN(got) {
			t.Errorf("%q: %g", bad, got)
		}
	}
}

func TestBeside(t *testing.T) {
	if got := beside(3, 2); got == nil || *got != 1.5 {
		t.Errorf("3 s in 2 s are %v processors", got)
	}
	if got := beside(-0.004, 2); got == nil || *got != 0 {
		t.Errorf("less than nothing is %v", got)
	}
	if got := beside(math.NaN(), 2); got != nil {
		t.Errorf("unknown is %g", *got)
	}
}
