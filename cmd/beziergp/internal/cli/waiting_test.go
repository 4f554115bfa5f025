//go:build unix

package cli_test

import (
	"bytes"
	"net"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"syscall"
	"testing"
	"time"
)

// interruptWaiting runs a program that waits for ever, and fails unless the first
// signal ends it.
func (p place) interruptWaiting(signal os.Signal, cmd *exec.Cmd) {
	p.t.Helper()
	cmd.Dir = p.dir
	var said bytes.Buffer
	cmd.Stderr = &said
	if err := cmd.Start(); err != nil {
		p.t.Fatal(err)
	}
	ended := make(chan struct{})
	go func() {
		_ = cmd.Wait()
		close(ended)
	}()
	select {
	case <-ended:
		p.t.Errorf("%q ends by itself: %s", cmd.Args, &said)
		return
	case <-time.After(300 * time.Millisecond): // until it waits
	}
	_ = cmd.Process.Signal(signal)
	select {
	case <-ended:
		if code := cmd.ProcessState.ExitCode(); code != 130 || !strings.Contains(said.String(), "interrupted") {
			p.t.Errorf("%q: code %d: %s", cmd.Args, code, &said)
		}
	case <-time.After(20 * time.Second):
		_ = cmd.Process.Kill()
		<-ended
		p.t.Errorf("%q waits on after %v", cmd.Args, signal)
	}
}

func (p place) fifo(name string) {
	p.t.Helper()
	if err := syscall.Mkfifo(p.path(name), 0o600); err != nil {
		p.t.Skip("no named pipes here: ", err)
	}
}

// Whoever waits for another program can be interrupted, whatever the wait is for.
func TestInterruptWhileWaiting(t *testing.T) {
	for name, args := range map[string][]string{
		"table":    {"fit", "pipe", "--target", "y"},
		"query":    {"describe", "--query", "select 1 as x", "--from"},
		"model":    {"predict", "pipe", "t.csv"},
		"mask":     {"predict", "m.bgp", "t.csv", "--test-mask", "pipe:test"},
		"describe": {"describe", "pipe"},
		"inspect":  {"inspect", "pipe"},
		"out":      {"predict", "m.bgp", "t.csv", "--out", "pipe"},
		"picture":  {"eval", "m.bgp", "t.csv", "--calibration", "pipe.svg"},
	} {
		for _, signal := range []os.Signal{os.Interrupt, syscall.SIGTERM} {
			if name != "table" && signal != os.Interrupt {
				continue
			}
			t.Run(name+" "+signal.String(), func(t *testing.T) {
				p := newPlace(t)
				p.fifo("pipe")
				p.fifo("pipe.svg")
				if code, _, said := p.run(quickFit("--out", "m.bgp")...); code != 0 {
					t.Fatalf("code %d: %s", code, said)
				}
				if name == "query" {
					mute, err := net.Listen("tcp", "127.0.0.1:0")
					if err != nil {
						t.Skip("no network here: ", err)
					}
					defer mute.Close() // connections wait for it to accept them
					args = append(args, "postgres://user@"+mute.Addr().String()+"/db")
				}
				p.interruptWaiting(signal, exec.Command("beziergp", args...))
			})
		}
	}
}

// The reader of a pipe need not read.
func TestInterruptWhileNobodyReads(t *testing.T) {
	p := newPlace(t)
	if code, _, said := p.run(quickFit("--out", "m.bgp")...); code != 0 {
		t.Fatalf("code %d: %s", code, said)
	}
	p.write("long.csv", table(20000))
	reader, writer, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer reader.Close()
	defer writer.Close()
	cmd := exec.Command("beziergp", "predict", "m.bgp", "long.csv", "--quiet")
	cmd.Stdout = writer
	p.interruptWaiting(os.Interrupt, cmd)
}

// What can be read once is refused where it would be read twice.
func TestPipesAreReadOnce(t *testing.T) {
	p := newPlace(t)
	p.fifo("pipe1.csv")
	p.fifo("pipe2.csv")
	for _, args := range [][]string{
		{"fit", "pipe1.csv", "--target", "y", "--holdout", "0.2"},
		{"fit", "-", "--target", "y", "--holdout", "0.2"},
		{"fit", "pipe*.csv", "--target", "y"},
		{"fit", "[pt]*.csv", "--target", "y"},
		{"describe", "pipe*.csv"},
		{"predict", "m.bgp", "pipe*.csv"},
		{"fit", "pipe1.csv", "--target", "y", "--test-mask", "pipe1.csv:test"},
	} {
		if args[0] == "predict" {
			if code, _, said := p.run(quickFit("--out", "m.bgp")...); code != 0 {
				t.Fatalf("code %d: %s", code, said)
			}
		}
		if code, _, said := p.run(args...); code != 2 || !strings.Contains(said, "can be read once") {
			t.Errorf("%q: code %d: %s", args, code, said)
		}
	}
	go os.WriteFile(p.path("pipe1.csv"), []byte(table(60)), 0)
	if code, _, said := p.run("fit", "pipe1.csv", "--target", "y", "--exclude", "id,test", "--recipe", "paper", "--steps", "5"); code != 0 {
		t.Errorf("code %d: %s", code, said)
	}
}

// A run that loses its terminal ends as one that is interrupted, unless the signal was
// to be ignored.
func TestHangup(t *testing.T) {
	// Under nohup these tests ignore SIGHUP, and what they start would too: a signal that
	// is waited for is the default again in a child.
	heard := make(chan os.Signal, 1)
	signal.Notify(heard, syscall.SIGHUP)
	defer signal.Stop(heard)
	p := newPlace(t)
	cmd, said := p.fit("m.bgp", "--steps", endless)
	p.startAndAwait(cmd, "m.bgp.ckpt")
	for range 2 { // from the kernel and from the shell
		_ = cmd.Process.Signal(syscall.SIGHUP)
	}
	_ = cmd.Wait()
	if code := cmd.ProcessState.ExitCode(); code != 130 || !strings.Contains(said.String(), "the same command goes on from there") || !p.exists("m.bgp.ckpt") {
		t.Errorf("code %d, checkpoint %v: %s", code, p.exists("m.bgp.ckpt"), said)
	}
	for _, ignored := range []string{"HUP", "INT"} {
		direct, said := p.fit(ignored+".bgp", "--checkpoint", p.path(ignored))
		cmd := exec.Command("sh", append([]string{"-c", "trap '' " + ignored + `; exec "$@"`, "sh"}, direct.Args...)...)
		cmd.Env, cmd.Stderr = direct.Env, said
		p.startAndAwait(cmd, ignored)
		_ = cmd.Process.Signal(map[string]os.Signal{"HUP": syscall.SIGHUP, "INT": os.Interrupt}[ignored])
		if err := cmd.Wait(); err != nil || !p.exists(ignored+".bgp") {
			t.Errorf("%s ignored: %v: %s", ignored, err, said)
		}
	}
}

// A disk that takes nothing more is told of by every verb.
func TestFullOutput(t *testing.T) {
	if _, err := os.Stat("/dev/full"); err != nil {
		t.Skip("there is no /dev/full here")
	}
	p := newPlace(t)
	if code, _, said := p.run(quickFit("--out", "m.bgp")...); code != 0 {
		t.Fatalf("code %d: %s", code, said)
	}
	if err := os.Symlink("/dev/full", p.path("full.svg")); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{
		{"completion", "bash"}, {"completion", "zsh"}, {"completion", "fish"}, {"completion", "powershell"},
		{"version"}, {"version", "--json"}, {"--help"}, {"help", "fit"}, {"fit", "--help"}, {"__complete", "fi"},
		{"inspect", "m.bgp"}, {"inspect", "m.bgp", "--json"}, {"describe", "t.csv"}, {"describe", "t.csv", "--json"},
		{"predict", "m.bgp", "t.csv"}, {"eval", "m.bgp", "t.csv"}, {"eval", "m.bgp", "t.csv", "--json"},
		quickFit("--out", "-"), quickFit("--holdout", "0.2"), {"eval", "m.bgp", "t.csv", "--calibration", "full.svg"},
		{"predict", "m.bgp", "t.csv", "--out", "/dev/full"},
	} {
		full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
		if err != nil {
			t.Fatal(err)
		}
		cmd := exec.Command("beziergp", args...)
		cmd.Stdout = full
		code, _, said := p.ends(cmd)
		full.Close()
		if code != 1 || !strings.Contains(said, "cannot write") || !strings.Contains(said, "no space left on device") || strings.Count(said, "cannot write") > 1 {
			t.Errorf("%q: code %d: %s", args, code, said)
		}
	}
}
