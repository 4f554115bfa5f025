package cli_test

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"beziergp/bench/record"
	"beziergp/internal/testkit"
)

// bench returns a run of eight fits and what it is going to say.
func (p place) bench() (*exec.Cmd, *bytes.Buffer) {
	for _, set := range []string{"energy", "boston"} {
		if err := dataset(filepath.Join(p.dir, "data", set), 60); err != nil {
			p.t.Fatal(err)
		}
	}
	return p.command("bench", "uci", "--data", p.path("data"), "--sets", "energy,boston",
		"--methods", "paper-5,paper-10", "--splits", "2", "--out", p.path("out"), "--workers", "1", "--progress", "never")
}

// startAndAwaitRecords begins a run and waits until it has recorded some fits.
func (p place) startAndAwaitRecords(cmd *exec.Cmd, records int) {
	if err := cmd.Start(); err != nil {
		p.t.Fatal(err)
	}
	for range 6000 {
		text, _ := os.ReadFile(p.path("out/uci.jsonl"))
		if bytes.Count(text, []byte{'\n'}) >= records {
			return
		}
		time.Sleep(5 * time.Millisecond)
	}
	p.t.Fatalf("%d records do not appear", records)
}

// A suite that is killed in the middle, and again, makes every fit once.
func TestKilledBenchGoesOn(t *testing.T) {
	testkit.Long(t)
	p := newPlace(t)
	for _, records := range []int{1, 4} {
		cmd, _ := p.bench()
		p.startAndAwaitRecords(cmd, records)
		time.Sleep(50 * time.Millisecond)
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	}
	cmd, said := p.bench()
	if err := cmd.Run(); err != nil {
		t.Fatalf("%v: %s", err, said)
	}
	records, torn, err := record.Read(p.path("out/uci.jsonl"))
	if err != nil || torn != 0 {
		t.Fatalf("torn %d, %v", torn, err)
	}
	times := map[string]int{}
	for _, r := range records {
		times[fmt.Sprintf("%s %d %s", r.Set, r.Split, r.Method)]++
		if r.Error != "" || r.RMSE == nil {
			t.Errorf("%+v", r)
		}
	}
	for _, set := range []string{"energy", "boston"} {
		for split := range 2 {
			for _, method := range []string{"BezierGP nu=5", "BezierGP nu=10"} {
				if name := fmt.Sprintf("%s %d %s", set, split, method); times[name] != 1 {
					t.Errorf("%s: %d records", name, times[name])
				}
			}
		}
	}
	if len(records) != 8 {
		t.Errorf("%d records", len(records))
	}
}

// A suite that is interrupted says what to do, and leaves its finished fits alone.
func TestInterruptedBench(t *testing.T) {
	p := newPlace(t)
	cmd, said := p.bench()
	p.startAndAwaitRecords(cmd, 1)
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait()
	if code := cmd.ProcessState.ExitCode(); code != 130 || !strings.Contains(said.String(), "the same command goes on from there") {
		t.Errorf("code %d: %s", code, said)
	}
	records, torn, err := record.Read(p.path("out/uci.jsonl"))
	if err != nil || torn != 0 || len(records) == 8 {
		t.Errorf("%d records, torn %d, %v", len(records), torn, err)
	}
	for _, r := range records {
		if r.Error != "" {
			t.Errorf("the interrupted fit is recorded: %+v", r)
		}
	}
	if left, _ := filepath.Glob(p.path("tmp/*")); len(left) > 0 {
		t.Errorf("it leaves %v", left)
	}
}
