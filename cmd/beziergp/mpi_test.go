//go:build linux

package main_test

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"beziergp/internal/testkit"
)

// waves writes a table of rows with some noise.
func waves(t *testing.T, path string, seed uint64) {
	t.Helper()
	rng := rand.New(rand.NewPCG(seed, 1))
	text := "a,b,y\n"
	for range 150 {
		a, b := rng.Float64(), rng.Float64()
		text += fmt.Sprintf("%.6f,%.6f,%.6f\n", a, b, math.Sin(6*a)+b*b+0.1*rng.NormFloat64())
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// said runs a command and returns its code and all that it says.
func said(c *exec.Cmd) (int, string) {
	out, _ := c.CombinedOutput()
	return c.ProcessState.ExitCode(), string(out)
}

// Ranks of MPI write the file that one process writes; where their set-ups differ they end
// before training, and say how; and where one is killed, all end soon.
func TestRanksOfMPI(t *testing.T) {
	testkit.Long(t)
	testkit.NeedsMPI(t)
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	program := at("beziergp")
	testkit.BuildMPI(t, "mpi,lean", program, "./cmd/beziergp", "build")
	waves(t, at("a.csv"), 1)
	waves(t, at("b.csv"), 2)
	fit := func(table string, more ...string) []string {
		return append([]string{program, "fit", at(table), "--target", "y", "--effort", "fast", "--steps-factor", "0.1", "--workers", "1", "--out", at("model.bgp")}, more...)
	}
	written := func() []byte {
		file, err := os.ReadFile(at("model.bgp"))
		if err != nil {
			t.Fatal(err)
		}
		return file
	}

	if code, words := said(exec.Command(program, fit("a.csv")[1:]...)); code != 0 {
		t.Fatal(code, words)
	}
	want := written()
	for _, ranks := range []int{1, 2, 3, 4} {
		if err := os.Remove(at("model.bgp")); err != nil {
			t.Fatal(err)
		}
		code, words := said(testkit.Mpirun(t, ranks, fit("a.csv")...))
		if code != 0 || strings.Count(words, "wrote ") != 1 {
			t.Fatalf("%d ranks end with %d and say %s", ranks, code, words)
		}
		if !bytes.Equal(written(), want) {
			t.Errorf("%d ranks write another model", ranks)
		}
	}

	for name, c := range map[string]struct {
		first, second []string
		words         string
		code          int
	}{
		"files":   {fit("a.csv"), fit("b.csv"), "of rank 1 on ", 3},
		"seeds":   {fit("a.csv"), fit("a.csv", "--seed", "5"), "the seed of rank 1 on ", 3},
		"no file": {fit("a.csv"), fit("c.csv"), "rank 1: " + at("c.csv"), 3},
		"a verb":  {[]string{program, "predict", at("model.bgp"), at("a.csv")}, []string{program, "predict", at("model.bgp"), at("a.csv")}, "fit alone shares its work", 2},
	} {
		began := time.Now()
		cmd := testkit.Mpirun(t, 1, append(append(c.first, ":", "-n", "1"), c.second...)...)
		code, words := said(cmd)
		if code != c.code || strings.Count(words, c.words) != 1 {
			t.Errorf("%s: ranks end with %d and say %s", name, code, words)
		}
		if took := time.Since(began); took > 20*time.Second {
			t.Errorf("%s: the end comes after %v", name, took)
		}
	}

	t.Run("on two hosts", func(t *testing.T) {
		run := twoHosts(t)
		if err := os.Remove(at("model.bgp")); err != nil {
			t.Fatal(err)
		}
		if code, words := said(run(fit("a.csv"), fit("a.csv"))); code != 0 || !bytes.Equal(written(), want) {
			t.Errorf("two hosts end with %d, or write another model, and say %s", code, words)
		}
		const differs = "the seed of rank 1 on nodeb differs from that of rank 0 on nodea, 5 and 0"
		if code, words := said(run(fit("a.csv"), fit("a.csv", "--seed", "5"))); code != 3 || !strings.Contains(words, differs) {
			t.Errorf("two hosts with other seeds end with %d and say %s", code, words)
		}
	})

	t.Run("one surface", func(t *testing.T) { oneSurface(t, program, at) })

	if err := os.Remove(at("model.bgp")); err != nil {
		t.Fatal(err)
	}
	long := testkit.Mpirun(t, 3, fit("a.csv", "--steps-factor", "500")...)
	var words bytes.Buffer
	long.Stdout, long.Stderr = &words, &words
	if err := long.Start(); err != nil {
		t.Fatal(err)
	}
	victim := started(t, long, 3)[1]
	time.Sleep(3 * time.Second) // some training
	killed := time.Now()
	if err := syscall.Kill(victim, syscall.SIGKILL); err != nil {
		t.Fatal(err, words.String())
	}
	if err := long.Wait(); err == nil {
		t.Error("a rank was killed, and all is well")
	}
	if took := time.Since(killed); took > 10*time.Second {
		t.Errorf("a rank was killed, and the others end after %v: %s", took, words.String())
	}
}
