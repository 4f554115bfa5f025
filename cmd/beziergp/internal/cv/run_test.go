package cv

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"beziergp/cmd/beziergp/internal/console"
	"beziergp/cmd/beziergp/internal/exit"
	"beziergp/cmd/beziergp/internal/streams"
)

// stopping interrupts a run when so many lines are written.
type stopping struct {
	bytes.Buffer
	lines int
	stop  func()
}

func (w *stopping) Write(p []byte) (int, error) {
	n, err := w.Buffer.Write(p)
	if strings.Count(w.String(), "\n") >= w.lines {
		w.stop()
	}
	return n, err
}

// An interrupted run has printed the folds that were done, their mean and their rows' scores.
func TestInterruptedRun(t *testing.T) {
	var b strings.Builder
	b.WriteString("x,y\n")
	for i := range 40 {
		fmt.Fprintf(&b, "%d,%d\n", i%7, 3*i%11)
	}
	path := filepath.Join(t.TempDir(), "t.csv")
	if err := os.WriteFile(path, []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	out := &stopping{lines: 3, stop: stop}
	o := options(func(o *Options) {
		o.Folds, o.Fit.Method = 4, "linear"
		o.Fit.Policy, o.Out = "extrapolate", filepath.Join(filepath.Dir(path), "out.csv")
	})
	err := Run(ctx, streams.Streams{Out: out, Console: console.New(io.Discard)}, path, o)
	if exit.Code(err) != exit.Interrupted || !strings.Contains(err.Error(), "interrupted in fold 3 of 4") {
		t.Fatalf("error %v", err)
	}
	said := regexp.MustCompile(" +").ReplaceAllString(out.String(), " ")
	for _, line := range []string{"\n1 ", "\n2 ", "\nmean ", "\nn 20\n"} {
		if !strings.Contains(said, line) {
			t.Errorf("no line %q in\n%s", line, out)
		}
	}
	if strings.Contains(out.String(), "\n3 ") {
		t.Errorf("the third fold is there:\n%s", out)
	}
	if _, err := os.Stat(o.Out); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("predictions of some folds are written: %v", err)
	}
}
