package cli_test

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"
)

// place is a directory with a table in which fit runs long enough to be stopped.
type place struct {
	t   *testing.T
	dir string
}

func newPlace(t *testing.T) place {
	if runtime.GOOS == "windows" {
		t.Skip("there are no such signals")
	}
	t.Parallel()
	p := place{t, t.TempDir()}
	if err := os.WriteFile(p.path("t.csv"), []byte(table(60)), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(p.path("tmp"), 0o755); err != nil {
		t.Fatal(err)
	}
	return p
}

// command returns a run and what it is going to say. What it leaves in the folder for
// temporary files when it is killed goes with the place.
func (p place) command(args ...string) (*exec.Cmd, *bytes.Buffer) {
	cmd := exec.Command("beziergp", args...)
	cmd.Env = append(os.Environ(), "TMPDIR="+p.path("tmp"))
	said := new(bytes.Buffer)
	cmd.Stderr = said
	return cmd, said
}

func (p place) path(name string) string { return filepath.Join(p.dir, name) }

// endless makes a fit outlast what a test does to it, however late that comes: it takes
// minutes, and ends by itself where the test was killed.
const endless = "3000000"

// fit returns a run that trains, and what it is going to say.
func (p place) fit(model string, more ...string) (*exec.Cmd, *bytes.Buffer) {
	return p.command(append([]string{
		"fit", p.path("t.csv"), "--target", "y", "--exclude", "id,test", "--out", p.path(model),
		"--recipe", "paper", "--order", "3", "--orderings", "4", "--steps", "40000", "--batch", "60", "--workers", "1",
		"--checkpoint-every", "20ms", "--progress", "never",
	}, more...)...)
}

// finish runs a fit to its end and returns its model.
func (p place) finish(model string, more ...string) (content []byte, said string) {
	cmd, stderr := p.fit(model, more...)
	if err := cmd.Run(); err != nil {
		p.t.Fatalf("%v: %s", err, stderr)
	}
	content, err := os.ReadFile(p.path(model))
	if err != nil {
		p.t.Fatal(err)
	}
	if p.exists(model + ".ckpt") {
		p.t.Error("a finished run leaves its checkpoint")
	}
	return content, stderr.String()
}

func (p place) exists(name string) bool {
	_, err := os.Stat(p.path(name))
	return !errors.Is(err, fs.ErrNotExist)
}

// startAndAwait begins a run and waits until it has written a checkpoint.
func (p place) startAndAwait(cmd *exec.Cmd, checkpoint string) {
	before, _ := os.ReadFile(p.path(checkpoint))
	if err := cmd.Start(); err != nil {
		p.t.Fatal(err)
	}
	for range 4000 {
		if now, err := os.ReadFile(p.path(checkpoint)); err == nil && !bytes.Equal(now, before) {
			return
		}
		time.Sleep(5 * time.Millisecond)
	}
	p.t.Fatalf("%s does not appear", checkpoint)
}

// A run that is killed again and again, whatever it is doing, ends as one that
// nobody disturbs.
func TestKilledRunGoesOnFromItsCheckpoint(t *testing.T) {
	p := newPlace(t)
	whole, _ := p.finish("whole.bgp")
	for _, pause := range []time.Duration{0, 20 * time.Millisecond} {
		cmd, _ := p.fit("killed.bgp")
		p.startAndAwait(cmd, "killed.bgp.ckpt")
		time.Sleep(pause)
		_ = cmd.Process.Kill() // it may have ended by itself
		_ = cmd.Wait()
	}
	killed, said := p.finish("killed.bgp")
	if !strings.Contains(said, "going on from step") {
		t.Errorf("it does not say that it goes on: %s", said)
	}
	if !bytes.Equal(killed, whole) {
		t.Error("the models differ")
	}
}

func TestInterruptedRunGoesOnFromItsCheckpoint(t *testing.T) {
	p := newPlace(t)
	whole, _ := p.finish("whole.bgp")
	for _, signal := range []os.Signal{os.Interrupt, syscall.SIGTERM} {
		cmd, said := p.fit("interrupted.bgp")
		p.startAndAwait(cmd, "interrupted.bgp.ckpt")
		if err := cmd.Process.Signal(signal); err != nil {
			t.Fatal(err)
		}
		_ = cmd.Wait()
		if code := cmd.ProcessState.ExitCode(); code != 130 {
			t.Errorf("%v: code %d: %s", signal, code, said)
		}
		if !strings.Contains(said.String(), "the same command goes on from there") {
			t.Errorf("%v: it does not say what to do: %s", signal, said)
		}
		if p.exists("interrupted.bgp") || !p.exists("interrupted.bgp.ckpt") {
			t.Errorf("%v: it leaves a model, or no checkpoint", signal)
		}
	}
	if interrupted, _ := p.finish("interrupted.bgp"); !bytes.Equal(interrupted, whole) {
		t.Error("the models differ")
	}
}

// A checkpoint serves its own run only; --fresh does without it.
func TestFreshReplacesACheckpoint(t *testing.T) {
	p := newPlace(t)
	cmd, _ := p.fit("m.bgp", "--steps", endless)
	p.startAndAwait(cmd, "m.bgp.ckpt")
	_ = cmd.Process.Kill()
	_ = cmd.Wait()
	other, said := p.fit("m.bgp", "--seed", "1", "--steps", "20")
	_ = other.Run()
	if code := other.ProcessState.ExitCode(); code != 3 || !strings.Contains(said.String(), "--fresh") {
		t.Errorf("a checkpoint of another run: code %d: %s", code, said)
	}
	if p.exists("m.bgp") || !p.exists("m.bgp.ckpt") {
		t.Error("it leaves a model, or takes the checkpoint away")
	}
	fresh, said := p.fit("m.bgp", "--seed", "1", "--steps", "20", "--fresh")
	if err := fresh.Run(); err != nil || strings.Contains(said.String(), "going on") {
		t.Errorf("%v: %s", err, said)
	}
	if p.exists("m.bgp.ckpt") {
		t.Error("it leaves the checkpoint")
	}
}

// Whoever waits at a pipe can be interrupted, and leaves nothing.
func TestInterruptWhileReading(t *testing.T) {
	p := newPlace(t)
	p.finish("m.bgp", "--steps", "50")
	cmd := exec.Command("beziergp", "predict", p.path("m.bgp"), "-", "--out", p.path("p.csv"))
	input, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	defer input.Close()
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	// More than a pipe holds: when it is written, the program reads.
	if _, err := io.WriteString(input, "a,b,c\n"+strings.Repeat("0.5,0.5,0.5\n", 100000)); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait()
	if code := cmd.ProcessState.ExitCode(); code != 130 {
		t.Errorf("code %d", code)
	}
	if left, _ := filepath.Glob(p.path("p.csv*")); len(left) > 0 {
		t.Errorf("it leaves %v", left)
	}
}

// As beziergp predict … | head -1.
func TestClosedPipeEndsQuietly(t *testing.T) {
	p := newPlace(t)
	p.finish("m.bgp", "--steps", "50")
	if err := os.WriteFile(p.path("long.csv"), []byte(table(20000)), 0o644); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("beziergp", "predict", p.path("m.bgp"), p.path("long.csv"), "--quiet")
	var said bytes.Buffer
	cmd.Stderr = &said
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if _, err := out.Read(make([]byte, 10)); err != nil {
		t.Fatal(err)
	}
	out.Close()
	_ = cmd.Wait()
	if code := cmd.ProcessState.ExitCode(); code != 1 || said.Len() > 0 {
		t.Errorf("code %d, %q", code, said.String())
	}
}

// Another method keeps nothing half done, and says so.
func TestInterruptedRivalLeavesNothing(t *testing.T) {
	p := newPlace(t)
	cmd := exec.Command("beziergp", "fit", p.path("t.csv"), "--target", "y", "--exclude", "id,test", "--out", p.path("m.bgp"),
		"--method", "svgp", "--inducing", "5", "--steps", "100000000", "--workers", "1", "--progress", "always")
	stderr, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	var said strings.Builder
	block := make([]byte, 1<<10)
	for !strings.Contains(said.String(), "training") {
		n, err := stderr.Read(block)
		said.Write(block[:n])
		if err != nil {
			t.Fatalf("%v: %s", err, said.String())
		}
	}
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	rest, _ := io.ReadAll(stderr)
	_ = cmd.Wait()
	if code := cmd.ProcessState.ExitCode(); code != 130 || !strings.Contains(string(rest), "keeps nothing half done, there is no model") {
		t.Errorf("code %d: %s", code, rest)
	}
	if left, _ := filepath.Glob(p.path("m.bgp*")); len(left) > 0 {
		t.Errorf("it leaves %v", left)
	}
}
