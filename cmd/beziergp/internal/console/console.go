// Package console is all that the program says besides data: messages and
// progress, as text or as JSON lines, in one voice for all verbs. Whatever a message
// is made of, what comes out is printable and of bounded length.
package console

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"os"
	"strings"
	"time"

	"golang.org/x/term"

	"beziergp/internal/printable"
)

// Format is the form of what is said.
type Format string

// The formats.
const (
	Text Format = "text"
	JSON Format = "json" // a line each
)

// When says when progress is a bar.
type When string

// The choices: a bar on a terminal and lines elsewhere, always a bar, or nothing.
const (
	Auto   When = "auto"
	Always When = "always"
	Never  When = "never"
)

// Console speaks to the user. Its fields may be set until it first speaks. It is
// used by one goroutine at a time.
type Console struct {
	Quiet    bool // say warnings and errors only
	Format   Format
	Progress When
	// Part is said before every task, as "fold 2 of 5"; empty for a whole.
	Part string

	w       io.Writer
	now     func() time.Time
	json    slog.Handler
	display display // of the task that runs; nil between tasks
	task    task
}

// New returns a console that writes text to w.
func New(w io.Writer) *Console {
	return &Console{Format: Text, Progress: Auto, w: w, now: time.Now, json: slog.NewJSONHandler(printable.Writer(w), nil)}
}

// Note says what is good to know. Only JSON holds the fields: the message says
// them in words.
func (c *Console) Note(message string, fields ...slog.Attr) {
	if !c.Quiet {
		c.say(slog.LevelInfo, "", message, fields)
	}
}

// NoteUnsealed says that a file of an older version has no digest.
func (c *Console) NoteUnsealed(file string) {
	c.Note(file+" has no digest, for an older version wrote it: damage would not be noticed; one that is written now has one",
		slog.String("event", "no_digest"), slog.String("file", file))
}

// Warn says what may be wrong.
func (c *Console) Warn(message string, fields ...slog.Attr) {
	c.say(slog.LevelWarn, "warning: ", strings.ReplaceAll(message, "\n", `\n`), fields)
}

// Error says why the program ends.
func (c *Console) Error(message string, fields ...slog.Attr) {
	c.say(slog.LevelError, "error: ", message, fields)
}

// say takes the progress away and writes a message. Nobody can be told when
// standard error fails.
func (c *Console) say(level slog.Level, prefix, message string, fields []slog.Attr) {
	c.EndProgress()
	message = printable.Message(strings.TrimRight(message, "\n"))
	if c.Format == JSON {
		c.record(level, message, fields)
		return
	}
	fmt.Fprintf(c.w, "%s%s\n", prefix, message)
}

func (c *Console) record(level slog.Level, message string, fields []slog.Attr) {
	r := slog.NewRecord(c.now(), level, message, 0)
	r.AddAttrs(fields...)
	_ = c.json.Handle(context.Background(), r)
}

// IsTerminal tells whether a stream, or the one behind it, is one.
func IsTerminal(stream any) bool {
	if around, ok := stream.(interface{ Unwrap() io.Writer }); ok {
		stream = around.Unwrap()
	}
	file, ok := stream.(*os.File)
	return ok && term.IsTerminal(int(file.Fd()))
}
