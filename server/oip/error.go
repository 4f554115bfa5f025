package oip

import (
	"errors"
	"fmt"
	"time"
)

// Code says what kind of failure an error is, the same for every transport.
type Code int

// The codes, each with the status of HTTP and the code of gRPC that it becomes.
const (
	Internal        Code = iota // 500, INTERNAL
	Invalid                     // 400, INVALID_ARGUMENT
	Unauthenticated             // 401, UNAUTHENTICATED
	Forbidden                   // 403, PERMISSION_DENIED
	NotFound                    // 404, NOT_FOUND
	TooLarge                    // 413, RESOURCE_EXHAUSTED
	Unsupported                 // 415, UNIMPLEMENTED
	Busy                        // 429, RESOURCE_EXHAUSTED
	Unavailable                 // 503, UNAVAILABLE
	Late                        // 504, DEADLINE_EXCEEDED
)

// Error is a failure that a client is told of. Its message is fit for one.
type Error struct {
	Code    Code
	Message string
	// RetryAfter is when a busy server may be asked again; 0 where it does not matter.
	RetryAfter time.Duration
}

func (e *Error) Error() string { return e.Message }

// Errorf returns an error of a code.
func Errorf(code Code, format string, args ...any) error {
	return &Error{Code: code, Message: fmt.Sprintf(format, args...)}
}

// CodeOf returns the code of an error, [Internal] where it has none.
func CodeOf(err error) Code {
	var own *Error
	if errors.As(err, &own) {
		return own.Code
	}
	return Internal
}
