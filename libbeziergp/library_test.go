//go:build linux || darwin

package main_test

import (
	"context"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"beziergp"
	"beziergp/internal/testkit"
	"beziergp/model"
	"beziergp/rival/method/constant"
	"beziergp/table"
)

// A program in C predicts what the library of Go does, to the bit, and is told what it did wrong.
func TestLibrary(t *testing.T) {
	testkit.Long(t)
	compiler, err := exec.LookPath("cc")
	if err != nil {
		if testkit.CI() {
			t.Fatal("there is no C compiler")
		}
		t.Skip("there is no C compiler (Debian: apt-get install gcc)")
	}
	dir := t.TempDir()
	library, program := filepath.Join(dir, "libbeziergp.so"), filepath.Join(dir, "predict")
	build := exec.Command("go", "build", "-tags", "libbeziergp", "-buildmode=c-shared", "-o", library, ".")
	build.Env = append(os.Environ(), "CGO_ENABLED=1")
	if said, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, said)
	}
	if said, err := exec.Command(compiler, "-Wall", "-Wextra", "-Werror", "-std=c99", "-I.", "-o", program, "testdata/predict.c", library).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, said)
	}
	const file = "../model/testdata/format4.bgp"
	m, err := model.Load(file)
	if err != nil {
		t.Fatal(err)
	}
	columns := make([][]float64, len(m.Columns()))
	var in strings.Builder
	for i := range 60 {
		for k, c := range m.Columns() {
			v := map[string]float64{"x": float64(i) / 50, "z": float64(i%11) / 2, "c": float64(i % 3), "when": 1.7e9 + 1e6*float64(i)}[c.Name]
			if i%9 == k {
				v = math.NaN()
			}
			columns[k] = append(columns[k], v)
			fmt.Fprintf(&in, "%v ", v)
		}
	}
	classes := filepath.Join(dir, "classes.bgp")
	saveClasses(t, classes)
	run := exec.Command(program, file, classes)
	variable := "LD_LIBRARY_PATH"
	if runtime.GOOS == "darwin" {
		variable = "DYLD_LIBRARY_PATH"
	}
	run.Env, run.Stdin = append(os.Environ(), variable+"="+dir), strings.NewReader(in.String())
	var said strings.Builder
	run.Stderr = &said
	out, err := run.Output()
	if err != nil {
		t.Fatalf("%v: %s", err, said.String())
	}
	p, err := m.NewPredictor(model.PredictOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	var want model.Predictions
	if err := p.Predict(context.Background(), columns, &want); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	if len(lines) != 60 {
		t.Fatalf("%d lines", len(lines))
	}
	for i, line := range lines {
		var mean, std float64
		var inside int
		if _, err := fmt.Sscan(line, &mean, &std, &inside); err != nil || mean != want.Mean[i] || std != want.Std[i] || (inside == 1) != want.InBox[i] {
			t.Errorf("row %d: %s, want %g, %g, %v (%v)", i+1, line, want.Mean[i], want.Std[i], want.InBox[i], err)
		}
	}
}

// saveClasses writes a model of two classes to a file.
func saveClasses(t *testing.T, path string) {
	t.Helper()
	y := table.Column{Name: "y", Kind: table.Category, Levels: []string{"late", "on time"}, Values: []float64{0, 1, 1, 0, 1}}
	tab, err := table.New(table.ColumnOf("x", []float64{1, 2, 3, 4, 5}), y)
	if err != nil {
		t.Fatal(err)
	}
	m, err := beziergp.FitRival(context.Background(), tab, "y", constant.Method{}, beziergp.RivalOptions{})
	if err == nil {
		err = m.Save(path)
	}
	if err != nil {
		t.Fatal(err)
	}
}
