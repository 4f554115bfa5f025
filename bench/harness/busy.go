package harness

import (
	"math"
	"strconv"
	"strings"
)

// beside returns how many processors other programs kept busy, in the mean: they used
// so many seconds of processors in so many seconds. It is nil where that is not known.
func beside(others, seconds float64) *float64 {
	if math.IsNaN(others) || !(seconds > 0) {
		return nil
	}
	// Accounts are kept in hundredths of a second, so that a short fit may use more than all.
	mean := math.Round(100*max(0, others)/seconds) / 100
	return &mean
}

// hertz is the unit of the times in /proc/stat.
const hertz = 100

// busyOf returns the seconds that all processors together have been busy, from the first
// line of /proc/stat; NaN where there is no such line. What a hypervisor gave to others
// counts: it is time that nothing here had.
func busyOf(stat string) float64 {
	line, _, _ := strings.Cut(stat, "\n")
	fields := strings.Fields(line)
	if len(fields) < 9 || fields[0] != "cpu" {
		return math.NaN()
	}
	total := 0.0
	for i, name := range [...]string{"user", "nice", "system", "idle", "iowait", "irq", "softirq", "steal"} {
		v, err := strconv.ParseFloat(fields[1+i], 64)
		if err != nil {
			return math.NaN()
		}
		if name != "idle" && name != "iowait" {
			total += v
		}
	}
	return total / hertz
}
