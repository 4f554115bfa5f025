package harness

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"time"
)

// ErrSlow is the cause of a ctx that ends a command which takes too long.
var ErrSlow = errors.New("slower than the time limit")

// interrupted is the code that the program ends with when it is.
const interrupted = 130

// Program is the program whose commands are measured.
type Program struct {
	Path string // of the executable
	Name string // what it is called as
	Dir  string // for its temporary files
	// Launch is what starts it, as mpirun; nil for nothing. An outcome then is of all that it starts,
	// the peak that of the largest process.
	Launch []string
}

// Outcome is what came of a command.
type Outcome struct {
	Stdout  []byte
	Seconds float64
	CPU     float64          // seconds, user and system
	Beside  *float64         // processors that others kept busy; nil is unknown
	Peak    int64            // resident memory in bytes; 0 is unknown
	said    []map[string]any // on standard error, an object a line
}

// Event returns the last thing said of a kind, or nothing.
func (o Outcome) Event(kind string) map[string]any {
	for i := len(o.said) - 1; i >= 0; i-- {
		if o.said[i]["event"] == kind {
			return o.said[i]
		}
	}
	return nil
}

// Failure is an error that a command ended with.
type Failure struct {
	Code    int // of the command; −1 where a signal ended it
	Message string
}

func (f *Failure) Error() string { return f.Message }

// Call runs a command to its end. A done ctx interrupts it, as the user would, and is
// the error then; where [ErrSlow] is its cause, the command is killed, and that is the error; a command that fails by itself gives a [*Failure].
func (p Program) Call(ctx context.Context, args ...string) (Outcome, error) {
	// Behind the verb and before flags that it may refuse, so that it says so in JSON.
	args = slices.Insert(slices.Clone(args), 1, "--log-format=json", "--progress=never")
	cmd := exec.CommandContext(ctx, p.Path, args...)
	cmd.Args[0] = p.Name
	if p.Launch != nil {
		cmd = exec.CommandContext(ctx, p.Launch[0], slices.Concat(p.Launch[1:], []string{p.Path}, args)...)
	}
	if p.Dir != "" {
		cmd.Env = append(os.Environ(), "TMPDIR="+p.Dir, "TMP="+p.Dir)
	}
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	cmd.Cancel = func() error {
		if errors.Is(context.Cause(ctx), ErrSlow) || cmd.Process.Signal(os.Interrupt) != nil {
			return cmd.Process.Kill()
		}
		return nil
	}
	cmd.WaitDelay = 10 * time.Second // then it is killed
	dieWithParent(cmd)
	// The parent that a child dies with is the thread that started it.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	began, before := time.Now(), busy()
	err := cmd.Run()
	o := Outcome{Stdout: stdout.Bytes(), Seconds: time.Since(began).Seconds()}
	if cmd.ProcessState != nil {
		o.Peak = peak(cmd.ProcessState)
		o.CPU = (cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Seconds()
		o.Beside = beside(busy()-before-o.CPU, o.Seconds)
	}
	for line := range bytes.Lines(stderr.Bytes()) {
		var said map[string]any
		if json.Unmarshal(line, &said) == nil {
			o.said = append(o.said, said)
		}
	}
	switch {
	case errors.Is(context.Cause(ctx), ErrSlow):
		return o, ErrSlow
	case ctx.Err() != nil:
		return o, ctx.Err()
	case cmd.ProcessState != nil && cmd.ProcessState.ExitCode() == interrupted:
		// ctrl-C reaches the child as soon as this program.
		return o, context.Canceled
	case err != nil:
		return o, &Failure{cmd.ProcessState.ExitCode(), o.why(err, stderr.Bytes())}
	}
	return o, nil
}

// why returns the reason that a command itself gave for its failure, or the end of
// what it said, which a crash may have written.
func (o Outcome) why(err error, stderr []byte) string {
	for i := len(o.said) - 1; i >= 0; i-- {
		if o.said[i]["level"] == "ERROR" {
			return fmt.Sprint(o.said[i]["msg"])
		}
	}
	message := err.Error()
	if text := strings.TrimSpace(string(stderr)); text != "" {
		first, _, _ := strings.Cut(text, "\n")
		message += ": " + first
	}
	return message
}
