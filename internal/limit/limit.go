// Package limit is how large the counts may be that users choose. What is above
// would end in a panic, in all of the memory, or in the next century; it is refused
// before anything of that size is made.
package limit

import "fmt"

// The largest counts.
const (
	Workers   = 1 << 10       // goroutines; each has memory of its own
	Orderings = 100_000       // the paper has 20
	Inducing  = 1 << 14       // points; their covariances take 2 GiB
	Count     = 1_000_000_000 // of anything else: steps, rows of a batch
	// Bytes is the memory that the weights of a surface may take while they are
	// trained.
	Bytes = 32 << 30
)

// OptionError reports an option that is out of range.
type OptionError struct {
	Option  string
	Problem string
}

func (e *OptionError) Error() string { return e.Option + ": " + e.Problem }

// Check fails with an [*OptionError] unless n is from 1 to most.
func Check(option string, n, most int) error {
	if n < 1 || n > most {
		return &OptionError{option, fmt.Sprintf("%d; it must be from 1 to %d", n, most)}
	}
	return nil
}

// CheckWorkers is Check for a number of goroutines, of which 0 is the default.
func CheckWorkers(n int) error {
	if n == 0 {
		return nil
	}
	return Check("workers", n, Workers)
}
