package onnx_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"beziergp/box"
	"beziergp/export/onnx"
	"beziergp/internal/testkit"
	"beziergp/model"
	"beziergp/table"
)

// script checks graphs, and runs each on its rows by ONNX Runtime.
const script = `
import json, sys
import numpy as np, onnx, onnxruntime
out = []
for case in json.load(open(sys.argv[1])):
    graph = onnx.load(case["file"])
    onnx.checker.check_model(graph, full_check=True)
    assert [(o.domain, o.version) for o in graph.opset_import] == [("", 17)], graph.opset_import
    assert {n.domain for n in graph.graph.node} == {""}
    session = onnxruntime.InferenceSession(case["file"], providers=["CPUExecutionProvider"])
    types = {"tensor(double)": np.float64, "tensor(int64)": np.int64}
    feeds = {i.name: np.array([float(v) for v in case["inputs"][i.name]]).astype(types[i.type]).reshape(-1, 1) for i in session.get_inputs()}
    found = dict(zip([o.name for o in session.get_outputs()], session.run(None, feeds)))
    assert list(found) == ["mean", "std", "in_box"], found
    rows = len(next(iter(feeds.values())))
    assert all(v.shape == (rows, 1) for v in found.values()), {k: v.shape for k, v in found.items()}
    out.append({k: [str(float(x)) for x in v[:, 0]] for k, v in found.items()})
print(json.dumps(out))
`

// ran is what ONNX Runtime makes of rows.
type ran struct {
	Mean  []string `json:"mean"`
	Std   []string `json:"std"`
	InBox []string `json:"in_box"`
}

// run returns what ONNX Runtime makes of models' columns by their graphs.
func run(t *testing.T, models []*model.Model, columns [][][]float64) (all []ran) {
	t.Helper()
	python := testkit.Python(t, "onnx", "onnxruntime")
	dir := t.TempDir()
	type one struct {
		File   string              `json:"file"`
		Inputs map[string][]string `json:"inputs"`
	}
	var cases []one
	for k, m := range models {
		path := filepath.Join(dir, fmt.Sprint(k, ".onnx"))
		if err := os.WriteFile(path, written(t, m), 0o600); err != nil {
			t.Fatal(err)
		}
		own := one{path, map[string][]string{}}
		for i, in := range onnx.Describe(m).Inputs {
			for _, v := range columns[k][i] {
				if in.Kind == table.Category && v != v {
					v = -1
				}
				own.Inputs[in.Tensor] = append(own.Inputs[in.Tensor], fmt.Sprint(v))
			}
		}
		cases = append(cases, own)
	}
	text, err := json.Marshal(cases)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "cases.json")
	if err := os.WriteFile(path, text, 0o600); err != nil {
		t.Fatal(err)
	}
	c := exec.Command(python, "-c", script, path)
	var said bytes.Buffer
	c.Stderr = &said
	out, err := c.Output()

	if err != nil || said.Len() > 0 { // as where a constant is of no node
		t.Fatalf("%v\n%s", err, said.String())
	}
	if err := json.Unmarshal(out, &all); err != nil {
		t.Fatal(err)
	}
	return all
}

func written(t testing.TB, m *model.Model) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := onnx.Write(&b, m, onnx.Options{Version: "test"}); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// A graph predicts what its model does, for every part that a model can have.
func TestGraphsPredictWhatModelsDo(t *testing.T) {
	var models []*model.Model
	var columns [][][]float64
	all := cases(t)
	for _, c := range all {
		numbers, err := c.model.Numbers(c.rows)
		if err != nil {
			t.Fatal(err)
		}
		models, columns = append(models, c.model), append(columns, numbers)
	}
	for k, got := range run(t, models, columns) {
		c := all[k]
		want, err := c.model.Predict(context.Background(), c.rows, model.PredictOptions{})
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		const most = 1e-5 // deviations of the target
		unit := c.model.Target().SD
		if want.Family.Transformed() {
			unit = 0
		}
		worst, known := 0.0, map[float64]bool{}
		for row := range want.Mean {
			known[want.Mean[row]] = want.Mean[row] == want.Mean[row]
			for name, pair := range map[string][2]float64{
				"mean": {number(t, got.Mean[row]), want.Mean[row]}, "std": {number(t, got.Std[row]), want.Std[row]},
			} {
				if math.IsNaN(pair[0]) && math.IsNaN(pair[1]) {
					continue
				}
				scale := max(unit, math.Abs(want.Std[row])) // of the law of log(1 + y) that of the row
				worst = max(worst, math.Abs(pair[0]-pair[1])/scale)
				if !(math.Abs(pair[0]-pair[1]) <= most*scale) {
					t.Errorf("%s, row %d: %s %g, want %g", c.name, row+1, name, pair[0], pair[1])
				}
			}
			if inside := number(t, got.InBox[row]) == 1; inside != want.InBox[row] {
				t.Errorf("%s, row %d: in the box %v, want %v", c.name, row+1, inside, want.InBox[row])
			}
		}
		t.Logf("%s: %d means, %.3g to %.3g deviations, within %.2g deviations", c.name, len(known), slices.Min(want.Std), slices.Max(want.Std), worst)
	}
}

func number(t *testing.T, text string) (v float64) {
	t.Helper()
	if _, err := fmt.Sscan(text, &v); err != nil {
		t.Fatalf("%q: %v", text, err)
	}
	return v
}

// A row with an infinite value, which a model refuses, has no prediction.
func TestInfiniteValues(t *testing.T) {
	m := newMaker(t, 30)
	inputs := numbersAlone(2)
	columns := [][]float64{{0, math.Inf(1), 0.5}, {math.Inf(-1), 1, 0.5}}
	got := run(t, []*model.Model{m.model(inputs, nil)}, [][][]float64{columns})[0]
	for row, finite := range []bool{false, false, true} {
		if (got.Mean[row] != "nan") != finite || (got.Std[row] != "nan") != finite || (got.InBox[row] == "1.0") != finite {
			t.Errorf("row %d: %+v", row+1, got)
		}
	}
}

// Equal models make equal files.
func TestFilesAreTheSameToTheBit(t *testing.T) {
	for range 3 {
		a, b := cases(t)[1].model, cases(t)[1].model
		if !bytes.Equal(written(t, a), written(t, b)) {
			t.Fatal("two files of one model differ")
		}
	}
}

// What a file says of its tensors: names that outputs have are those of no input.
func TestDescriptions(t *testing.T) {
	m := newMaker(t, 31)
	inputs := m.inputs()
	d := onnx.Describe(m.model(inputs, nil))
	tensors := map[string]onnx.Input{}
	for _, in := range d.Inputs {
		tensors[in.Tensor] = in
	}
	if len(tensors) != 9 || tensors["column mean"].Column != "mean" || tensors["mean"].Column != "" {
		t.Errorf("%+v", d.Inputs)
	}
	if zone := tensors["zone"]; zone.Rare != nil || *zone.Other != 3 || len(zone.Levels) != 3 {
		t.Errorf("%+v", zone)
	}
	if street := tensors["street"]; *street.Rare != 4 || *street.Other != 5 || street.RareLevels != nil {
		t.Errorf("%+v", street)
	}
	road := tensors["road"]
	key, err := hex.DecodeString(road.RareLevels.Key)
	if err != nil || *road.Rare != 1 || *road.Other != 4 {
		t.Fatalf("%+v: %v", road, err)
	}
	field := inputs[slices.IndexFunc(inputs, func(in box.Input) bool { return in.Name == "road" })].Field()
	for _, level := range []string{"x", "y", "z"} {
		hash := sha256.Sum256(append(key, level...))
		place := slices.Index(road.RareLevels.Sums, binary.BigEndian.Uint64(hash[:])>>11)
		if place < 0 || *road.Rare+place != field.Further(level) {
			t.Errorf("level %q has the place %d among %v", level, place, road.RareLevels.Sums)
		}
	}
}

// A chain whose bound leaves float64's range is refused, by an error that says so.
func TestUnsafeChainsAreRefused(t *testing.T) {
	m := newMaker(t, 32)
	inputs := numbersAlone(700)
	m.spread = 3
	made := m.model(inputs, nil, m.bare(inputs, component{4, 1, 0}))
	var b bytes.Buffer
	var out *onnx.RangeError
	if err := onnx.Write(&b, made, onnx.Options{}); !errors.As(err, &out) || out.Layers != 700 || b.Len() > 0 {
		t.Errorf("%v, and %d bytes", err, b.Len())
	}
}
