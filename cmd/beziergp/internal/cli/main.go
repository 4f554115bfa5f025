package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"strings"
	"syscall"

	"beziergp/cmd/beziergp/internal/console"
	"beziergp/cmd/beziergp/internal/exit"
	"beziergp/cmd/beziergp/internal/sink"
	"beziergp/cmd/beziergp/internal/streams"
	"beziergp/cmd/beziergp/internal/wait"
)

// Main runs the program and returns the code that it ends with.
func Main(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	hangup := &streams.Hangup{}
	ctx, stop := interruptible(context.Background(), hangup)
	defer stop()
	out := wait.NewWriter(ctx, stdout)
	s := &streams.Streams{In: stdin, Out: out, Console: console.New(stderr), Args: args, Hangup: hangup}
	root := newRoot(s)
	root.SetErr(stderr)
	root.SetArgs(args)
	cmd, err := root.ExecuteContextC(ctx)
	s.Console.EndProgress()
	if err != nil {
		err = suggestPattern(args, suggestVerb(root, err))
	}
	err = withOutput(err, out.Err())
	code := exit.Code(err)
	if err != nil && !errors.Is(err, syscall.EPIPE) {
		say(s.Console, err, code, cmd.CommandPath())
	}
	return part(s, err, code, stderr)
}

// withOutput returns the error of a run whose standard output failed. Not every verb
// asks whether what it prints is written.
func withOutput(err, output error) error {
	var coded *exit.Error
	switch {
	case output == nil, errors.As(err, &coded) && !errors.Is(err, output):
		return err
	case errors.Is(output, context.Canceled):
		return &exit.Error{Code: exit.Interrupted, Err: output}
	}
	return &exit.Error{Code: exit.Failed, Err: sink.Failed(output)}
}

// say says why the program ends.
func say(c *console.Console, err error, code int, command string) {
	message := oneLine(err.Error())
	if errors.Is(err, context.Canceled) {
		message = "interrupted"
	}
	fields := []slog.Attr{slog.Int("code", code)}
	var coded *exit.Error
	if errors.As(err, &coded) && coded.Try != "" {
		fields = append(fields, slog.String("try", coded.Try))
		if c.Format == console.Text {
			message += "\ntry " + coded.Try
		}
	}
	if code == exit.Usage && c.Format == console.Text {
		message += fmt.Sprintf("\nsee '%s --help'", command)
	}
	c.Error(message, fields...)
}

// oneLine keeps a message to the line that those who read logs expect.
func oneLine(message string) string {
	var parts []string
	for line := range strings.Lines(message) {
		if line = strings.TrimSpace(line); line != "" {
			parts = append(parts, line)
		}
	}
	return strings.Join(parts, " ")
}
