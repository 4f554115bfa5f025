package train

import (
	"beziergp/internal/limit"
	"beziergp/internal/process/descent"
)

// OptionError reports an option that is out of range.
type OptionError = limit.OptionError

// DivergedError reports that weights left the range of numbers.
type DivergedError = descent.DivergedError
