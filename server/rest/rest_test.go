package rest

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"beziergp/server/engine"
	"beziergp/server/guard"
	"beziergp/server/infer"
	"beziergp/server/repository"
	"beziergp/table/exact"
	"beziergp/tablewriter"
)

// The description has every route, and no other.
func TestOpenAPIHasTheRoutes(t *testing.T) {
	var doc struct {
		Paths map[string]map[string]json.RawMessage
	}
	if err := json.Unmarshal(openAPIText, &doc); err != nil {
		t.Fatal(err)
	}
	described := map[string]bool{}
	for path, methods := range doc.Paths {
		for method := range methods {
			described[strings.ToUpper(method)+" "+path] = true
		}
	}
	for _, r := range routes {
		name := strings.ReplaceAll(r.pattern, "{$}", "")
		if !described[name] {
			t.Errorf("openapi.json has no %s", name)
		}
		delete(described, name)
	}
	for name := range described {
		t.Errorf("openapi.json has %s, the server has not", name)
	}
	for _, name := range infer.AskNames() {
		if !strings.Contains(string(doc.Paths["/predict/{model}"]["post"]), `"`+name+`"`) {
			t.Errorf("openapi.json does not tell of the parameter %s", name)
		}
	}
}

// The description has the statuses that answers have.
func TestOpenAPIHasTheStatuses(t *testing.T) {
	var doc struct {
		Paths map[string]map[string]struct{ Responses map[string]json.RawMessage }
	}
	if err := json.Unmarshal(openAPIText, &doc); err != nil {
		t.Fatal(err)
	}
	h := handler(t)
	h.options.Local = true
	for _, r := range routes {
		method, path, _ := strings.Cut(strings.ReplaceAll(r.pattern, "{$}", ""), " ")
		described := doc.Paths[path][strings.ToLower(method)].Responses
		path = strings.NewReplacer("{model}", "format4", "{version}", "1").Replace(path)
		for _, header := range [][2]string{{"Host", "evil.example"}, {"Sec-Fetch-Site", "cross-site"}, {"Content-Encoding", "br"}, {"Content-Type", "text/html"}, {"Content-Type", "application/json"}} {
			q := httptest.NewRequest(method, path, strings.NewReader(strings.Repeat("x", 1<<17)))
			q.Host = "localhost"
			if q.Header.Set(header[0], header[1]); header[0] == "Host" {
				q.Host = header[1]
			}
			w := httptest.NewRecorder()
			h.ServeHTTP(w, q)
			if _, ok := described[strconv.Itoa(w.Code)]; !ok {
				t.Errorf("%s with %v: openapi.json has no %d: %s", r.pattern, header, w.Code, w.Body)
			}
		}
	}
}

func handler(t testing.TB) *Handler {
	t.Helper()
	r, err := repository.Open(repository.Options{Paths: []string{"../../model/testdata/format4.bgp"}})
	if err != nil {
		t.Fatal(err)
	}
	e, err := engine.New(engine.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return New(infer.New(r, e, infer.Options{Elements: 10000}), Options{Tokens: &guard.Tokens{}, Body: 1 << 16, Bodies: 1 << 20})
}

// The page asks for nothing from elsewhere, and its policy lets it run.
func TestPage(t *testing.T) {
	w := httptest.NewRecorder()
	handler(t).ServeHTTP(w, httptest.NewRequest("GET", "/", nil))
	policy := w.Header().Get("Content-Security-Policy")
	if w.Code != 200 || strings.Count(policy, "'sha256-") != 2 || strings.Contains(policy, "unsafe") || !strings.Contains(policy, "default-src 'none'") {
		t.Errorf("%d %s", w.Code, policy)
	}
	if at := regexp.MustCompile(`(src|href)="|\bon[a-z]+="|style="|@import|\burl\(`).FindString(w.Body.String()); at != "" {
		t.Errorf("the page has %s, which its policy forbids", at)
	}
}

// A panic is an answer, and the server goes on.
func TestPanics(t *testing.T) {
	h := handler(t)
	told := Served{}
	h.options.Served = func(s Served) { told = s }
	h.mux.HandleFunc("GET /panic", func(http.ResponseWriter, *http.Request) { panic("no") })
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequest("GET", "/panic", nil))
	if w.Code != 500 || !told.Panicked || strings.Contains(w.Body.String(), "no\"") {
		t.Errorf("%d %s %+v", w.Code, w.Body, told)
	}
	w = httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequest("GET", "/v2/health/live", nil))
	if w.Code != 200 {
		t.Errorf("afterwards: %d", w.Code)
	}
}

// What is read at a time is bounded, and given back.
func TestBodiesAreGivenBack(t *testing.T) {
	h := handler(t)
	for range 100 {
		for _, body := range []string{strings.Repeat("x", 40000), strings.Repeat("x", 1<<17), ""} {
			h.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest("POST", "/v2/models/format4/infer", strings.NewReader(body)))
		}
	}
	if left := h.bodies.left.Load(); left != 1<<20 {
		t.Errorf("%d bytes are left of %d", left, 1<<20)
	}
	h.bodies.left.Store(1 << 10)
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequest("POST", "/v2/models/format4/infer", strings.NewReader("{}")))
	if w.Code != 429 || w.Header().Get("Retry-After") == "" {
		t.Errorf("without memory: %d %s", w.Code, w.Body)
	}
}

// What is no data is not read where it is as long as a body may be.
func TestLongParameters(t *testing.T) {
	h := handler(t)
	h.options.Body = 4 << 20
	h.bodies.left.Store(16 << 20)
	w := httptest.NewRecorder()
	body := `{"parameters": {"quantiles": [0` + strings.Repeat(",0", 1<<20) + `]}, "inputs": []}`
	h.ServeHTTP(w, httptest.NewRequest("POST", "/v2/models/format4/infer", strings.NewReader(body)))
	if w.Code != 413 || !strings.Contains(w.Body.String(), "the parameters have more than 1048576 bytes") {
		t.Errorf("%d %s", w.Code, w.Body)
	}
}

// Whatever a body is, the answer is one of the protocol's, in JSON where it is an error.
func FuzzInfer(f *testing.F) {
	h := handler(f)
	f.Add([]byte(`{"inputs": [{"name": "x", "shape": [1, 4], "datatype": "FP64", "data": [[1, NaN, null, 1e3]]}], "parameters": {"out_of_box": "clip"}}`), "", "")
	f.Add([]byte(`{"inputs": [{"name": "x", "shape": [1, 4], "datatype": "BYTES", "parameters": {"binary_data_size": 19}}]}`+"\x01\x00\x00\x001\x02\x00\x00\x00-2\x00\x00\x00\x00\x00\x00\x00\x00"), "105", "")
	f.Add([]byte("\x1f\x8b\x08\x00"), "", "gzip")
	f.Fuzz(func(t *testing.T, body []byte, length, encoding string) {
		r := httptest.NewRequest("POST", "/v2/models/format4/infer", strings.NewReader(string(body)))
		r.Header.Set(lengthHeader, length)
		r.Header.Set("Content-Encoding", encoding)
		check(t, h, r)
	})
}

// FuzzRows is the same of rows.
func FuzzRows(f *testing.F) {
	h := handler(f)
	f.Add([]byte(`[{"x": 1, "z": "2", "c": "bee", "when": "2024-03-01"}]`), "application/json", "level=0.9")
	f.Add([]byte("x,z,c,when\n1,,ant,\n"), "text/csv", "quantiles=0.1,0.2&explain=1")
	var arrow bytes.Buffer
	err := tablewriter.Write(&arrow, tablewriter.Arrow, []string{"x", "z", "c", "when"}, []*exact.Column{
		exact.Numbers([]float64{1, 2}), exact.Integers([]int64{1, 2}), exact.Texts([]string{"ant", "bee"}), exact.Texts([]string{"2024-03-01", ""})})
	if err != nil {
		f.Fatal(err)
	}
	f.Add(arrow.Bytes(), "application/vnd.apache.arrow.file", "point=median")
	f.Fuzz(func(t *testing.T, body []byte, kind, query string) {
		r := httptest.NewRequest("POST", "/predict/format4", strings.NewReader(string(body)))
		r.URL.RawQuery = query
		r.Header.Set("Content-Type", kind)
		check(t, h, r)
	})
}

func check(t *testing.T, h *Handler, r *http.Request) {
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	if w.Code == 200 {
		return
	}
	var e struct{ Error string }
	if err := json.Unmarshal(w.Body.Bytes(), &e); err != nil || e.Error == "" || w.Code >= 500 {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	if left := h.bodies.left.Load(); left != 1<<20 {
		t.Errorf("%d bytes are left", left)
	}
}
