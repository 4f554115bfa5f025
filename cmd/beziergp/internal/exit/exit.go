// Package exit says with which code the program ends: scripts rely on the codes,
// so the rules stand in one place for all verbs.
package exit

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"beziergp"
	"beziergp/box"
	"beziergp/internal/comm"
	"beziergp/model"
	"beziergp/tablefile"
	"beziergp/train/paper"
)

// The codes.
const (
	Done        = 0
	Failed      = 1   // while running
	Usage       = 2   // the command line is wrong
	Data        = 3   // a table, a model file or a checkpoint cannot be used
	Requeue     = 75  // told by a signal to be started again: EX_TEMPFAIL of sysexits.h
	Interrupted = 130 // as a shell reports SIGINT
)

// Error is an error with the code that it ends the program with.
type Error struct {
	Code int
	Err  error
	Try  string // a command line to type instead; empty for none
}

func (e *Error) Error() string { return e.Err.Error() }

// Unwrap returns the error without its code.
func (e *Error) Unwrap() error { return e.Err }

// Usagef returns an error about the command line.
func Usagef(format string, args ...any) error {
	return &Error{Code: Usage, Err: fmt.Errorf(format, args...)}
}

// Dataf returns an error about a table or a model file.
func Dataf(format string, args ...any) error {
	return &Error{Code: Data, Err: fmt.Errorf(format, args...)}
}

// Run returns a command's RunE whose errors all have a code.
func Run(run func(cmd *cobra.Command, args []string) error) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, args []string) error {
		err := run(cmd, args)
		var coded *Error
		if err == nil || errors.As(err, &coded) {
			return err
		}
		return &Error{Code: Classify(err), Err: err}
	}
}

// Code returns the code of an error that came out of a command. One that has none
// comes from the parser of the command line, before any verb ran.
func Code(err error) int {
	var coded *Error
	switch {
	case err == nil:
		return Done
	case errors.As(err, &coded):
		return coded.Code
	}
	return Usage
}

// Classify returns the code of an error of a verb, or of one that it passes on from a
// library.
func Classify(err error) int {
	var coded *Error
	switch {
	case errors.As(err, &coded):
		return coded.Code
	case errors.Is(err, context.Canceled):
		return Interrupted
	case is[*beziergp.OptionError](err):
		return Usage
	case is[*tablefile.Error](err), is[*model.FileError](err), is[*beziergp.DataError](err),
		is[*paper.CheckpointError](err), is[*box.OutsideError](err), is[*box.ValueError](err), is[*comm.SetUpError](err):
		return Data
	}
	return Failed
}

func is[T error](err error) bool {
	var target T
	return errors.As(err, &target)
}
