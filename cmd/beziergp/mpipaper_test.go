//go:build linux

package main_test

import (
	"bytes"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"beziergp/internal/testkit"
)

// started returns the ranks that a launcher has started, once it has, by their processes.
func started(t *testing.T, launcher *exec.Cmd, ranks int) (processes []int) {
	t.Helper()
	for deadline := time.Now().Add(20 * time.Second); time.Now().Before(deadline); time.Sleep(50 * time.Millisecond) {
		children, _ := exec.Command("pgrep", "-P", strconv.Itoa(launcher.Process.Pid)).Output()
		if all := strings.Fields(string(children)); len(all) == ranks {
			for _, child := range all {
				process, _ := strconv.Atoi(child)
				processes = append(processes, process)
			}
			return processes
		}
	}
	t.Fatal("the ranks do not start")
	return nil
}

// oneSurface holds ranks that train one surface to the model of one process, whatever happens to
// them on the way.
func oneSurface(t *testing.T, program string, at func(string) string) {
	model, kept := at("paper.bgp"), at("paper.bgp.ckpt")
	var always []string
	fit := func(steps string, more ...string) []string {
		fixed := []string{program, "fit", at("a.csv"), "--target", "y", "--recipe", "paper", "--orderings", "4", "--steps", steps, "--workers", "1", "--out", model}
		return slices.Concat(fixed, always, more)
	}
	written := func() []byte {
		file, err := os.ReadFile(model)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.Remove(model); err != nil {
			t.Fatal(err)
		}
		return file
	}
	same := func(steps string, counts ...int) {
		if code, words := said(exec.Command(program, fit(steps, "--checkpoint", at("one.ckpt"))[1:]...)); code != 0 {
			t.Fatal(code, words)
		}
		want := written()
		for _, ranks := range counts {
			code, words := said(testkit.Mpirun(t, ranks, fit(steps)...))
			if code != 0 || strings.Count(words, "wrote ") != 1 {
				t.Fatalf("%d ranks end with %d and say %s", ranks, code, words)
			}
			if !bytes.Equal(written(), want) {
				t.Errorf("%d ranks write another model", ranks)
			}
		}
	}
	same("60", 2, 3, 4)

	if code, words := said(testkit.Mpirun(t, 5, fit("60")...)); code != 2 || !strings.Contains(words, "5, and 4 orderings") {
		t.Errorf("5 ranks for 4 orderings end with %d and say %s", code, words)
	}
	args := append(append(fit("60"), ":", "-n", "1"), fit("60", "--seed", "5")...)
	if code, words := said(testkit.Mpirun(t, 1, args...)); code != 3 || !strings.Contains(words, "the seed of rank 1 on ") {
		t.Errorf("ranks of other seeds end with %d and say %s", code, words)
	}

	// From here on rows are apart.
	always = []string{"--cache", at("rows"), "--requeue-signal", "USR1"}
	same("60", 3)
	const steps = "4000" // some seconds, of which the first is enough; a minute where cores are busy
	for _, c := range []struct {
		ranks, victim int // −1 for the launcher
		signal        syscall.Signal
	}{{3, 1, syscall.SIGKILL}, {2, 0, syscall.SIGKILL}, {4, -1, syscall.SIGTERM}, {2, -1, syscall.SIGUSR1}} {
		before, _ := os.ReadFile(kept)
		long := testkit.Mpirun(t, c.ranks, fit(steps, "--checkpoint-every", "50ms")...)
		var words bytes.Buffer
		long.Stdout, long.Stderr = &words, &words
		if err := long.Start(); err != nil {
			t.Fatal(err)
		}
		victim := long.Process.Pid
		if c.victim >= 0 {
			victim = started(t, long, c.ranks)[c.victim]
		}
		for deadline := time.Now().Add(20 * time.Second); time.Now().Before(deadline); time.Sleep(10 * time.Millisecond) {
			if now, _ := os.ReadFile(kept); !bytes.Equal(now, before) {
				break
			}
		}
		signalled := time.Now()
		if err := syscall.Kill(victim, c.signal); err != nil {
			t.Fatal(err, words.String())
		}
		if err := long.Wait(); err == nil || c.signal == syscall.SIGUSR1 && long.ProcessState.ExitCode() != 75 {
			t.Errorf("%v for process %d of %d, and the end is %v: %s", c.signal, c.victim, c.ranks, err, words.String())
		}
		if took := time.Since(signalled); took > 10*time.Second {
			t.Errorf("%v for process %d of %d, and the end comes after %v: %s", c.signal, c.victim, c.ranks, took, words.String())
		}
		if now, _ := os.ReadFile(kept); bytes.Equal(now, before) {
			t.Errorf("%v for process %d of %d leaves no checkpoint: %s", c.signal, c.victim, c.ranks, words.String())
		}
		if c.signal != syscall.SIGKILL && !strings.Contains(words.String(), "the same command goes on from there (checkpoint ") {
			t.Errorf("told to stop, %d ranks say %s", c.ranks, words.String())
		}
	}
	same(steps, 2)
}
