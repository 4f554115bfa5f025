package printable

import "fmt"

// Size returns a number of bytes in three digits or so, 1 kB being 1000 bytes.
func Size(bytes int64) string {
	value, unit := float64(bytes), 0
	units := []string{"bytes", "kB", "MB", "GB", "TB"}
	for value >= 999.5 && unit < len(units)-1 {
		value /= 1000
		unit++
	}
	return fmt.Sprintf("%.3g %s", value, units[unit])
}
