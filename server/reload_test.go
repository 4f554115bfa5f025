package server_test

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"beziergp/box"
	"beziergp/model"
	"beziergp/serve"
	"beziergp/server"
	"beziergp/server/guard"
	"beziergp/tablefile"
)

// versions are models that have the same columns.
const (
	older = "../model/testdata/format2.bgp"
	newer = "../model/testdata/format3.bgp"
)

const asked = `{"inputs": [{"name": "x", "shape": [2], "datatype": "FP64", "data": [0.25, 0.5]}, {"name": "z", "shape": [2], "datatype": "FP64", "data": [1, null]},
	{"name": "c", "shape": [2], "datatype": "BYTES", "data": ["bee", "dodo"]}], "parameters": {"out_of_box": "clip"}}`

// predicted is what the library predicts of these rows.
func predicted(t *testing.T, path string) *model.Predictions {
	t.Helper()
	m, err := serve.Load(path)
	if err != nil {
		t.Fatal(err)
	}
	r, err := tablefile.NewReader(strings.NewReader("x,z,c\n0.25,1,bee\n0.5,,dodo\n"), "rows", tablefile.Options{Schema: m.Columns(), Missing: m.Missing()})
	if err != nil {
		t.Fatal(err)
	}
	tab, err := r.ReadAll(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	p, err := m.Predict(t.Context(), tab, model.PredictOptions{Policy: box.Clip})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// put puts a model into a repository as a version of a model.
func put(t testing.TB, dir, name, version, from string) {
	t.Helper()
	text, err := os.ReadFile(from)
	if err != nil {
		t.Fatal(err)
	}
	to := filepath.Join(dir, name, version)
	if err := os.MkdirAll(to, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(to, "part"), text, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(filepath.Join(to, "part"), filepath.Join(to, "model.bgp")); err != nil {
		t.Fatal(err)
	}
}

// While versions come and go, every request is answered, by one version as a whole.
func TestReloadUnderLoad(t *testing.T) {
	dir := t.TempDir()
	put(t, dir, "m", "1", older)
	p := start(t, server.Options{Paths: []string{dir}})
	ctx, cancel := context.WithCancel(context.Background())
	want := map[string]*model.Predictions{"1": predicted(t, older), "2": predicted(t, newer)}
	if slices.Equal(want["1"].Mean, want["2"].Mean) {
		t.Fatal("the versions are alike")
	}
	versions, counted := map[string]int{}, sync.Mutex{}
	var load sync.WaitGroup
	for range 4 {
		load.Go(func() {
			for ctx.Err() == nil {
				code, _, text := p.ask("POST", "/v2/models/m/infer", asked)
				var r response
				if err := json.Unmarshal([]byte(text), &r); err != nil || code != 200 || len(r.Outputs) != 5 {
					t.Errorf("%d %s", code, text)
					return
				}
				if got, w := r.numbers(), want[r.ModelVersion]; w == nil || !slices.Equal(got["mean"], w.Mean) || !slices.Equal(got["std"], w.Std) || !slices.Equal(got["upper"], w.Upper) {
					t.Errorf("version %s says %v", r.ModelVersion, got)
					return
				}
				counted.Lock()
				versions[r.ModelVersion]++
				counted.Unlock()
			}
		})
	}
	await := func(version string) {
		t.Helper()
		counted.Lock()
		was := versions[version]
		counted.Unlock()
		for range 3000 {
			time.Sleep(time.Millisecond)
			counted.Lock()
			n := versions[version]
			counted.Unlock()
			if n > was {
				return
			}
		}
		t.Fatalf("version %s does not answer: %v", version, versions)
	}
	await("1")
	put(t, dir, "m", "2", newer)
	p.own.Reload()
	await("2")
	put(t, dir, "m", "10", "../README.md") // no model
	p.own.Reload()
	await("2")
	if _, _, text := p.ask("POST", "/v2/repository/index", ""); !regexp.MustCompile(`"version":"10","state":"UNAVAILABLE","reason":"[^"]+`).MatchString(text) || strings.Contains(text, dir) {
		t.Errorf("the index says %s", text)
	}
	answer, err := http.Get("http://" + p.own.Address("metrics") + "/metrics")
	if err != nil {
		t.Fatal(err)
	}
	counts, _ := io.ReadAll(answer.Body)
	answer.Body.Close()
	for _, line := range []string{`beziergp_model_loads_total{model="m",result="ready"} 2`, `beziergp_model_loads_total{model="m",result="refused"} 1`} {
		if !strings.Contains(string(counts), line+"\n") { // version 1, which gave way, was not refused
			t.Errorf("there is no %s", line)
		}
	}
	if err := os.RemoveAll(filepath.Join(dir, "m", "2")); err != nil {
		t.Fatal(err)
	}
	p.own.Reload()
	await("1")
	cancel()
	load.Wait()
}

// A model whose file is gone answers on, but for who unloads it; loading it says that it is gone.
func TestFileThatIsGone(t *testing.T) {
	path := filepath.Join(t.TempDir(), "gone.bgp")
	text, err := os.ReadFile(older)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, text, 0o600); err != nil {
		t.Fatal(err)
	}
	tokens, err := guard.NewTokens("", "administrator-123")
	if err != nil {
		t.Fatal(err)
	}
	p := start(t, server.Options{Paths: []string{path}, Tokens: tokens, Reload: server.ReloadExplicit})
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		method, path string
		code         int
		says         string
	}{
		{"POST", "/v2/repository/models/gone/load", 400, "what was read before answers: "},
		{"GET", "/v2/models/gone/ready", 200, "true"},
		{"POST", "/v2/repository/models/gone/unload", 200, "gone"},
		{"GET", "/v2/models/gone/ready", 503, "false"},
		{"POST", "/v2/repository/index", 200, `"UNAVAILABLE","reason":"unloaded"`},
		{"POST", "/v2/repository/models/gone/load", 400, "cannot be used: "},
	} {
		if code, _, text := p.ask(c.method, c.path, "", "Authorization", "Bearer administrator-123"); code != c.code || !strings.Contains(text, c.says) {
			t.Errorf("%s %s: %d %s, want %d with %q", c.method, c.path, code, text, c.code, c.says)
		}
	}
}

// A link that leads out of a repository is not followed.
func TestLinksLeadNowhere(t *testing.T) {
	dir, away := t.TempDir(), t.TempDir()
	put(t, dir, "good", "1", process)
	put(t, away, "m", "1", process)
	for _, link := range [][2]string{{filepath.Join(away, "m"), "whole"}, {filepath.Join(away, "m", "1"), "good/2"}} {
		if err := os.Symlink(link[0], filepath.Join(dir, link[1])); err != nil {
			t.Skip(err)
		}
	}
	p := start(t, server.Options{Paths: []string{dir}})
	if _, _, text := p.ask("POST", "/v2/repository/index", ""); strings.TrimSpace(text) != `[{"name":"good","version":"1","state":"READY","reason":""}]` {
		t.Errorf("the index is %s", text)
	}
}
