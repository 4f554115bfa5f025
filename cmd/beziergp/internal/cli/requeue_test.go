//go:build unix

package cli_test

import (
	"bytes"
	"strings"
	"syscall"
	"testing"
)

// A run that is told to be queued again says so by its code, and goes on from its checkpoint.
func TestRequeuedRunGoesOnFromItsCheckpoint(t *testing.T) {
	p := newPlace(t)
	whole, _ := p.finish("whole.bgp")
	cmd, said := p.fit("queued.bgp", "--requeue-signal", "usr1")
	p.startAndAwait(cmd, "queued.bgp.ckpt")
	if err := cmd.Process.Signal(syscall.SIGUSR1); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait()
	if code := cmd.ProcessState.ExitCode(); code != 75 || !strings.Contains(said.String(), "the same command goes on from there") {
		t.Errorf("code %d: %s", code, said)
	}
	if p.exists("queued.bgp") || !p.exists("queued.bgp.ckpt") {
		t.Error("it leaves a model, or no checkpoint")
	}
	if queued, _ := p.finish("queued.bgp", "--requeue-signal", "SIGUSR1"); !bytes.Equal(queued, whole) {
		t.Error("the models differ")
	}
	for _, args := range [][]string{{"--requeue-signal", "HUP"}, {"--requeue-signal", "USR1", "--no-checkpoint"}, {"--requeue-signal", "USR1", "--recipe", "auto"}} {
		cmd, said := p.fit("queued.bgp", args...)
		_ = cmd.Run()
		if code := cmd.ProcessState.ExitCode(); code != 2 {
			t.Errorf("%v: code %d: %s", args, code, said)
		}
	}
}
