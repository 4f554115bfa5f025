//go:build unix && !js

package main_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"beziergp"
	"beziergp/internal/testkit"
	"beziergp/model"
	"beziergp/rival/method/constant"
	"beziergp/serve"
	"beziergp/table"
)

// applied is a model of the default recipe: categories, dates, missing values, a range.
const applied = "../../model/testdata/format4.bgp"

// packed is a folder with the package as npm would have it, and the model.
func packed(t *testing.T) string {
	t.Helper()
	if testing.Short() {
		t.Skip("builds a program")
	}
	dir := t.TempDir()
	for _, name := range []string{"dist", "example"} {
		if err := os.Mkdir(filepath.Join(dir, name), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	build := exec.Command("go", "build", "-trimpath", "-ldflags=-s -w", "-o", filepath.Join(dir, "dist/beziergp.wasm"), ".")
	build.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm")
	if said, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, said)
	}
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	for from, to := range map[string]string{
		filepath.Join(strings.TrimSpace(string(root)), "lib/wasm/wasm_exec.js"): "dist/wasm_exec.js",
		"../index.js": "index.js", "../package.json": "package.json", "../example/index.html": "example/index.html", "../example/main.js": "example/main.js",
		applied: "example/model.bgp",
	} {
		text, err := os.ReadFile(from)
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, to), text, 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// script predicts rows in Node, and tells of errors what they say.
const script = `
import { start } from './index.js';
import { readFile } from 'node:fs/promises';
const { load } = await start();
const model = load(await readFile('example/model.bgp'));
const classes = await readFile('classes.bgp');
const rows = JSON.parse(process.argv[2]);
const said = [];
for (const bad of [
  () => model.predict([{}]), () => model.predict({}), () => model.predict([{ ...rows[0], x: Infinity }]), () => model.predict([{ ...rows[0], x: 'wide' }]),
  () => model.predict(rows, { level: 2 }), () => model.predict(rows, { colour: 1 }), () => model.predict(rows, { range: [3, 1] }), () => model.predict(rows, { quantiles: [0] }), () => load(new Uint8Array(9)),
  () => model.predict([{ ...rows[0], when: new Date('x') }]), () => model.predict([{ ...rows[0], x: true }]), () => load(classes),
]) try { bad(); said.push('nothing') } catch (e) { said.push(String(e)) }
const predictions = model.predict(rows, { quantiles: [0.1, 0.9], level: 0.9 });
model.free();
try { model.predict(rows); said.push('nothing') } catch (e) { said.push(String(e)) }
console.log(JSON.stringify({ target: model.target, columns: model.columns, predictions, said }));
`

// The package predicts in Node what the library predicts here, but for what this processor's
// exponentials round otherwise.
func TestNode(t *testing.T) {
	testkit.Long(t)
	node, err := exec.LookPath("node")
	if err != nil {
		if testkit.CI() {
			t.Fatal("Node is not installed")
		}
		t.Skip("Node is not installed (Debian: apt-get install nodejs)")
	}
	dir := packed(t)
	var rows []map[string]any
	for i := range 40 {
		row := map[string]any{"x": float64(i) / 30, "z": float64(i%11) / 2, "c": []any{"ant", "bee", "cow", nil, "new"}[i%5], "when": fmt.Sprintf("2024-%02d-%02d", 1+i%6, 1+i%28), "more": true}
		if i%7 == 0 {
			row["z"] = nil
		}
		rows = append(rows, row)
	}
	text, err := json.Marshal(rows)
	if err != nil {
		t.Fatal(err)
	}
	saveClasses(t, filepath.Join(dir, "classes.bgp"))
	if err := os.WriteFile(filepath.Join(dir, "run.mjs"), []byte(script), 0o600); err != nil {
		t.Fatal(err)
	}
	c := exec.Command(node, "--liftoff-only", "run.mjs", string(text))
	c.Dir = dir
	var said strings.Builder
	c.Stderr = &said
	out, err := c.Output()
	if err != nil {
		t.Fatalf("%v: %s", err, said.String())
	}
	var got struct {
		Target      string
		Columns     []struct{ Name, Kind string }
		Predictions []struct {
			Mean, Std, Lower, Upper float64
			InBox                   bool
			Quantiles               []float64
		}
		Said []string
	}
	if err := json.Unmarshal(out, &got); err != nil {
		t.Fatal(err)
	}
	want := predicted(t, rows, 0.9)
	if len(got.Predictions) != len(rows) || got.Target != "y" || len(got.Columns) != 4 {
		t.Fatalf("%+v", got)
	}
	for i, p := range got.Predictions {
		for name, pair := range map[string][2]float64{
			"mean": {p.Mean, want.Mean[i]}, "std": {p.Std, want.Std[i]}, "lower": {p.Lower, want.Lower[i]}, "upper": {p.Upper, want.Upper[i]},
			"quantile": {p.Quantiles[1], want.Distribution(i).Quantile(0.9)},
		} {
			if !(math.Abs(pair[0]-pair[1]) <= 1e-5*want.Std[i]) {
				t.Errorf("row %d: %s %g, want %g", i+1, name, pair[0], pair[1])
			}
		}
		if p.InBox != want.InBox[i] {
			t.Errorf("row %d: in the box %v", i+1, p.InBox)
		}
	}
	for i, says := range []string{"no column", "array", "null is a missing value", "is not a number", "above 0 and below 1", "unknown field", "range cannot be of the type array", "above 0 and below 1", "not a valid", "null is a missing value", "is not a number", "has 2 classes", "dropped"} {
		if !strings.Contains(got.Said[i], says) {
			t.Errorf("error %d is %q, want one that says %q", i, got.Said[i], says)
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

// predicted is what the library predicts.
func predicted(t *testing.T, rows []map[string]any, level float64) *model.Predictions {
	t.Helper()
	m, err := serve.Load(applied)
	if err != nil {
		t.Fatal(err)
	}
	schema, columns := serve.NewSchema(m.Columns(), m.Missing()), make([]table.Column, len(m.Columns()))
	for _, values := range rows {
		row, err := schema.Row(values)
		if err != nil {
			t.Fatal(err)
		}
		for k, f := range m.Columns() {
			columns[k].Name, columns[k].Kind, columns[k].Levels = f.Name, f.Kind, f.Levels
			columns[k].Values = append(columns[k].Values, row[k])
		}
	}
	p, err := m.NewPredictor(model.PredictOptions{Level: level})
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	values := make([][]float64, len(columns))
	for k := range columns {
		values[k] = columns[k].Values
	}
	var out model.Predictions
	if err := p.Predict(context.Background(), values, &out); err != nil {
		t.Fatal(err)
	}
	return &out
}

// The page of the example shows a curve in a browser, and what it shows moves with the inputs.
func TestPage(t *testing.T) {
	testkit.Long(t)
	b := testkit.OpenBrowser(t)
	server := httptest.NewServer(http.FileServer(http.Dir(packed(t))))
	defer server.Close()
	for _, domain := range []string{"Page", "Runtime", "Log"} {
		b.Call(domain+".enable", nil, nil)
	}
	b.Call("Page.navigate", map[string]any{"url": server.URL + "/example/"}, nil)
	b.Wait("Page.loadEventFired")
	b.Wants("the page is ready", fmt.Sprintf(`new Promise(done => { const until = Date.now() + %d; (function look() {
		document.body.dataset.ready ? done(true) : Date.now() > until ? done("not yet") : setTimeout(look, 20) })() })`, (2*time.Minute).Milliseconds()))
	const curve = `document.querySelector('path.mean').getAttribute('d')`
	before, here := b.Value(curve), b.Value(`document.getElementById('here').value`)
	if points := strings.Count(before, "L"); points != 60 || strings.Contains(before, "NaN") {
		t.Fatalf("a curve of %d lines: %s", points, before)
	}
	b.Wants("the band has both sides", `document.querySelector('path.band').getAttribute('d').split('L').length === 122`)
	b.Value(`(() => { const e = document.querySelector('input[type=range]'); e.value = e.max; e.dispatchEvent(new Event('input', { bubbles: true })) })()`)
	if b.Value(`document.getElementById('here').value`) == here {
		t.Error("the prediction does not move with a slider")
	}
	b.Value(`(() => { const e = document.querySelector('select[name]'); e.value = e.options[1].value; e.dispatchEvent(new Event('input', { bubbles: true })) })()`)
	if b.Value(curve) == before {
		t.Error("the curve does not move with a category")
	}
	for _, m := range b.Events {
		if m.Method == "Runtime.exceptionThrown" || m.Method == "Log.entryAdded" && !strings.Contains(fmt.Sprint(m.Params), "favicon") {
			t.Errorf("%s: %v", m.Method, m.Params)
		}
	}
}
