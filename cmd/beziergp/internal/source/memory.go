package source

import (
	"os"
	"strconv"
	"strings"
)

// DefaultMemory returns half of the memory that is free, or a guess where the system
// does not tell.
func DefaultMemory() int64 {
	const guess = 2 << 30
	free := int64(0)
	text, err := os.ReadFile("/proc/meminfo")
	if err == nil {
		for line := range strings.Lines(string(text)) {
			fields := strings.Fields(line)
			if len(fields) >= 2 && fields[0] == "MemAvailable:" {
				kib, err := strconv.ParseInt(fields[1], 10, 64)
				if err == nil {
					free = kib << 10
				}
			}
		}
	}
	// A container may have less than its machine.
	text, err = os.ReadFile("/sys/fs/cgroup/memory.max")
	if limit, parseErr := strconv.ParseInt(strings.TrimSpace(string(text)), 10, 64); err == nil && parseErr == nil && (free == 0 || limit < free) {
		free = limit
	}
	if free == 0 {
		return guess
	}
	return free / 2
}

// ShareOfValues is the part of the memory that the values of the rows may take as
// they are read: they are copied as they are picked and scaled, and what is given
// back takes its time to be used again.
const ShareOfValues = 6
