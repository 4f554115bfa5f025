//go:build !lean && !wasm

package worker

import (
	"bytes"
	"encoding/json"
	"math"
	"slices"
	"testing"

	"beziergp"
	"beziergp/table"
	"beziergp/train/auto"
)

// Of several targets the file is the library's, every target has its predictions out of fold,
// and a load answers with a model of each, which predicts what the bundle's does.
func TestSeveralTargets(t *testing.T) {
	a, b, y := rows(150)
	z := make([]float64, len(y))
	for i := range z {
		if z[i] = a[i] - y[i]; i%3 == 0 {
			z[i] = math.NaN()
		}
	}
	names, columns := []string{"a", "b", "y", "z"}, [][]float64{a, b, y, z}
	asker := newAsker(t)
	asker.send("fit", with(map[string]any{"targets": []string{"y", "z"}, "share": "all", "oof": true, "progress": true}), bodyOf(t, names, columns...))
	var unseen [][]float64 // means of each target
	var file []byte
	for file == nil {
		switch h, body := asker.read(); h.Event {
		case "oof":
			unseen = append(unseen, columnsOf(t, body)[1])
		case "progress":
		case "done":
			file = body
		default:
			t.Fatalf("%+v", h)
		}
	}

	var all []table.Column
	for k, name := range names {
		all = append(all, table.ColumnOf(name, columns[k]))
	}
	rows, err := table.New(all...)
	if err != nil {
		t.Fatal(err)
	}
	recipe := auto.Recipe{Effort: auto.Fast, Shapes: []string{"coarse@1"}, Folds: 2, Members: 1, StepsFactor: 0.05, Seed: 4, Share: auto.ShareAll}
	var held []beziergp.OutOfFold
	bundle, err := beziergp.FitOutputs(t.Context(), rows, []string{"y", "z"}, beziergp.Options{Recipe: recipe, OutOfFolds: &held})
	if err != nil {
		t.Fatal(err)
	}
	var want bytes.Buffer
	if err := bundle.Write(&want); err != nil || !bytes.Equal(want.Bytes(), file) {
		t.Errorf("the file differs from the library's: %v", err)
	}
	if len(unseen) != 2 || !slices.Equal(unseen[0], held[0].Mean) || !slices.Equal(unseen[1], held[1].Mean) || len(unseen[0]) == len(unseen[1]) {
		t.Errorf("out of fold: %v", unseen)
	}

	h, files := asker.ask("load", nil, file)
	var told known
	if err := json.Unmarshal(h.Result, &told); err != nil || len(told.Outputs) != 2 {
		t.Fatalf("%+v: %v", h, err)
	}
	for k, m := range bundle.Models() {
		own := told.Outputs[k]
		if own.Target != m.Target().Name || len(own.Columns) != 2 {
			t.Errorf("%+v", own)
		}
		p, err := m.Predict(t.Context(), rows, beziergp.PredictOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if h, _ := asker.ask("load", map[string]any{"model": "one"}, files[:own.Bytes]); h.Event != "done" {
			t.Fatalf("%+v", h)
		}
		h, body := asker.ask("predict", map[string]any{"model": "one", "columns": []string{"mean", "std"}}, bodyOf(t, []string{"a", "b"}, a, b))
		if h.Event != "done" {
			t.Fatalf("%+v", h)
		}
		for c, v := range [][]float64{p.Mean, p.Std} {
			for i, got := range columnsOf(t, body)[c] {
				if got != v[i] {
					t.Fatalf("target %d, row %d: %v, not %v", k, i, got, v[i])
				}
			}
		}
		files = files[own.Bytes:]
	}
	if len(files) > 0 {
		t.Errorf("%d bytes are of no model", len(files))
	}
	if h, _ := asker.ask("load", nil, file[:len(file)/2]); h.Event != "error" || h.Kind != "data" {
		t.Errorf("half a file: %+v", h)
	}
}
