package harness

import (
	"math"
	"os"
)

// busy returns the seconds that all processors together have been busy; NaN where the
// system does not tell.
func busy() float64 {
	stat, err := os.ReadFile("/proc/stat")
	if err != nil {
		return math.NaN()
	}
	return busyOf(string(stat))
}
