package cli_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"beziergp/cmd/beziergp/internal/cli"
	"beziergp/internal/safetensors"
	"beziergp/internal/testkit"
)

// The scripts run the program as a process of its own.
func TestMain(m *testing.M) {
	// A process under the race detector would sleep for a second before it ends.
	os.Setenv(race, noSleep)
	testscript.Main(m, map[string]func(){
		"beziergp": func() { os.Exit(cli.Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) },
	})
}

const race, noSleep = "GORACE", "atexit_sleep_ms=0"

func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Condition: func(name string) (bool, error) {
			if name != "ci" {
				return false, fmt.Errorf("the condition %q is unknown; there is ci", name)
			}
			return testkit.CI() && !testing.Short(), nil
		},
		Setup: func(e *testscript.Env) error {
			e.Setenv(race, noSleep)
			return nil
		},
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){
			"exits":   exits,
			"table":   writeTable,
			"dataset": writeDataset,
			"head":    writeHead,
			"foreign": writeForeign,
			"reform":  reform,
			"flip":    flip,
			"older":   older,
			"files":   files,
			"json":    hasKeys,
			"arrow":   writeArrow,
			"forget":  forget,
			"figures": figures,
		},
	})
}

// exits CODE PROGRAM ARGS… runs a program that must end with a code.
func exits(ts *testscript.TestScript, neg bool, args []string) {
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	got := 0
	var ended *exec.ExitError
	if err := ts.Exec(args[1], args[2:]...); errors.As(err, &ended) {
		got = ended.ExitCode()
	} else {
		ts.Check(err)
	}
	if got != want || neg {
		ts.Fatalf("it ended with code %d, want %d", got, want)
	}
}

// table FILE ROWS writes a table: id is text, y a function of a, b and c, and test
// marks every fourth row.
func writeTable(ts *testscript.TestScript, _ bool, args []string) {
	rows, err := strconv.Atoi(args[1])
	ts.Check(err)
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(table(rows)), 0o644))
}

// dataset DIR ROWS makes the folder of a data set: the table without what is no input,
// and two masks.
func writeDataset(ts *testscript.TestScript, _ bool, args []string) {
	rows, err := strconv.Atoi(args[1])
	ts.Check(err)
	ts.Check(dataset(ts.MkAbs(args[0]), rows))
}

func dataset(dir string, rows int) error {
	var data, mask strings.Builder
	for i, line := range slices.Collect(strings.Lines(table(rows))) {
		_, inputs, _ := strings.Cut(line, ",")
		data.WriteString(inputs[:strings.LastIndex(inputs, ",")] + "\n")
		if i == 0 {
			mask.WriteString("split0,split1\n")
			continue
		}
		fmt.Fprintf(&mask, "%d,%d\n", (i+3)%4/3, (i+2)%4/3)
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	return errors.Join(
		os.WriteFile(filepath.Join(dir, "data.csv"), []byte(data.String()), 0o644),
		os.WriteFile(filepath.Join(dir, "test_mask.csv"), []byte(mask.String()), 0o644))
}

func table(rows int) string {
	var b strings.Builder
	b.WriteString("id,a,b,c,y,test\n")
	for i := range rows {
		// Multiples of irrationals spread evenly over [0, 1].
		a, c := math.Mod(float64(i)*math.Sqrt2, 1), math.Mod(float64(i)*math.Sqrt(3), 1)
		d := math.Mod(float64(i)*math.Sqrt(5), 2) - 1
		test := 0
		if i%4 == 3 {
			test = 1
		}
		fmt.Fprintf(&b, "row %d,%.4f,%.4f,%.4f,%.5f,%d\n", i+1, a, c, d, 10+math.Sin(4*a)+c*d, test)
	}
	return b.String()
}

// head FROM TO BYTES copies the beginning of a file.
func writeHead(ts *testscript.TestScript, _ bool, args []string) {
	bytes, err := strconv.Atoi(args[2])
	ts.Check(err)
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), []byte(ts.ReadFile(args[0])[:bytes]), 0o644))
}

// foreign FILE writes a safetensors file of another program.
func writeForeign(ts *testscript.TestScript, _ bool, args []string) {
	writeTensors(ts, args[0], map[string]safetensors.Tensor{"weight": {Shape: []int{2}, Data: []float32{1, 2}}}, map[string]string{"format": "pt"})
}

// reform FROM TO OLD NEW copies a model with a text of its metadata replaced.
func reform(ts *testscript.TestScript, _ bool, args []string) {
	f, err := safetensors.Read(strings.NewReader(ts.ReadFile(args[0])))
	ts.Check(err)
	for key, text := range f.Metadata {
		changed := strings.ReplaceAll(text, args[2], args[3])
		if changed == text {
			ts.Fatalf("no %q in %s", args[2], text)
		}
		f.Metadata[key] = changed
	}
	writeTensors(ts, args[1], f.Tensors, f.Metadata)
}

// flip FROM TO copies a file with a bit in its last byte but ten flipped.
func flip(ts *testscript.TestScript, _ bool, args []string) {
	file := []byte(ts.ReadFile(args[0]))
	file[len(file)-10] ^= 4
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), file, 0o644))
}

// older FILE writes a model in format 1.
func older(ts *testscript.TestScript, _ bool, args []string) {
	file, err := os.ReadFile(filepath.Join("..", "..", "..", "..", "model", "testdata", "format1.bgp"))
	ts.Check(err)
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), file, 0o644))
}

func writeTensors(ts *testscript.TestScript, path string, tensors map[string]safetensors.Tensor, metadata map[string]string) {
	var b strings.Builder
	ts.Check(safetensors.Write(&b, tensors, metadata))
	ts.Check(os.WriteFile(ts.MkAbs(path), []byte(b.String()), 0o644))
}

// files NAMES… fails unless the directory holds these files and no others.
func files(ts *testscript.TestScript, _ bool, args []string) {
	entries, err := os.ReadDir(ts.MkAbs("."))
	ts.Check(err)
	var have []string
	for _, e := range entries {
		if !e.IsDir() {
			have = append(have, e.Name())
		}
	}
	slices.Sort(args)
	if !slices.Equal(have, args) {
		ts.Fatalf("there are %q, want %q", have, args)
	}
}

// json FILE KEYS… fails unless every line of a file is a JSON object, and the last
// one has the keys. With ! it must lack them.
func hasKeys(ts *testscript.TestScript, neg bool, args []string) {
	text := ts.ReadFile(args[0])
	if !strings.HasSuffix(text, "\n") {
		ts.Fatalf("%s does not end its last line", args[0])
	}
	var object map[string]any
	decoder := json.NewDecoder(strings.NewReader(text))
	for decoder.More() {
		object = nil
		ts.Check(decoder.Decode(&object))
	}
	for _, key := range args[1:] {
		if _, has := object[key]; has == neg {
			ts.Fatalf("%q in %v: %v", key, object, has)
		}
	}
}
