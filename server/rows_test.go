package server_test

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"beziergp/box"
	"beziergp/explain"
	"beziergp/model"
	"beziergp/server"
	"beziergp/table/exact"
	"beziergp/tablefile"
	"beziergp/tablewriter"
)

// arrowBody is the rows of tensors as an Arrow file, with a column more.
func arrowBody(t testing.TB) string {
	t.Helper()
	var b bytes.Buffer
	when := exact.Column{Kind: exact.Kind{Type: exact.Text}}
	when.AddText("2024-03-01", false)
	when.AddText("", true)
	err := tablewriter.Write(&b, tablewriter.Arrow, []string{"more", "when", "c", "z", "x"}, []*exact.Column{
		exact.Texts([]string{"a", "b"}), &when, exact.Texts([]string{"bee", "dodo"}), exact.Numbers([]float64{1, math.NaN()}), exact.Numbers([]float64{0.25, 0.5})})
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// columns returns an Arrow file's columns.
func arrowColumns(t testing.TB, text string) (names []string, columns map[string][]float64) {
	t.Helper()
	r, err := tablefile.NewReaderAt(strings.NewReader(text), int64(len(text)), "answer", tablefile.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	tab, err := r.ReadAll(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	columns = map[string][]float64{}
	for _, name := range tab.Names() {
		columns[name], _ = tab.Column(name)
	}
	return tab.Names(), columns
}

const arrowType = "application/vnd.apache.arrow.file"

// Arrow is answered by Arrow, with the bits of the library.
func TestArrow(t *testing.T) {
	p := start(t, server.Options{})
	want := wanted(t, model.PredictOptions{Policy: box.Clip, Level: 0.8})
	body := arrowBody(t)
	for _, encoding := range []string{"identity", "gzip", "deflate"} {
		code, header, text := p.ask("POST", "/predict/format4?level=0.8&quantiles=0.5", pack(t, encoding, body), "Content-Type", arrowType, "Content-Encoding", encoding, "Accept-Encoding", encoding)
		if code != 200 || header.Get("Content-Type") != arrowType || header.Get("X-Model-Version") != "1" {
			t.Fatalf("%s: %d %v %s", encoding, code, header, text)
		}
		names, got := arrowColumns(t, unpack(t, header.Get("Content-Encoding"), text))
		if !slices.Equal(names, []string{"mean", "std", "lower80", "upper80", "in_box", "q0.5"}) {
			t.Errorf("the columns are %v", names)
		}
		for name, w := range map[string][]float64{"mean": want.Mean, "std": want.Std, "lower80": want.Lower, "upper80": want.Upper, "in_box": {1, 0}} {
			if !slices.Equal(got[name], w) {
				t.Errorf("%s: %s is %v, want %v", encoding, name, got[name], w)
			}
		}
	}
	for name, bad := range map[string]string{"cut short": body[:len(body)-20], "no Arrow": "x,z\n1,2\n", "empty": "", "a head alone": "ARROW1\x00\x00", "damaged": body[:len(body)-300] + strings.Repeat("\xff", 200) + body[len(body)-100:]} {
		code, _, text := p.ask("POST", "/predict/format4", bad, "Content-Type", arrowType)
		var e struct{ Error string }
		if err := json.Unmarshal([]byte(text), &e); err != nil || code != 400 || e.Error == "" || strings.Contains(text, "/tmp") {
			t.Errorf("%s: %d %s", name, code, text)
		}
	}
	if code, _, text := p.ask("POST", "/predict/format4", body, "Content-Type", "text/csv"); code != 400 || !strings.Contains(text, "Arrow") {
		t.Errorf("Arrow as CSV: %d %s", code, text)
	}
}

// explained is what the library says of the rows of tensors.
func explained(t testing.TB) *explain.Attributions {
	t.Helper()
	m, err := model.Load(process)
	if err != nil {
		t.Fatal(err)
	}
	e, err := explain.New(m, explain.Options{Workers: 1, Policy: box.Clip})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	columns := make([][]float64, len(m.Columns()))
	for k, f := range m.Columns() {
		tab, err := tablefile.NewReader(strings.NewReader("x,z,c,when\n0.25,1,bee,2024-03-01\n0.5,,dodo,\n"), "rows", tablefile.Options{Schema: m.Columns(), Missing: m.Missing()})
		if err != nil {
			t.Fatal(err)
		}
		all, err := tab.ReadAll(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		columns[k], _ = all.Column(f.Name)
	}
	var out explain.Attributions
	if err := e.Explain(context.Background(), columns, &out); err != nil {
		t.Fatal(err)
	}
	return &out
}

// Explanations are the library's, whatever the format, and a row's parts add up to its mean.
func TestExplanations(t *testing.T) {
	p := start(t, server.Options{})
	want := explained(t)
	predicted := wanted(t, model.PredictOptions{Policy: box.Clip})
	n := len(want.Columns)
	names := []string{"mean", "std", "lower", "upper", "in_box", "base"}
	for _, name := range want.Columns {
		names = append(names, "phi_"+name)
	}
	check := func(way string, header []string, value func(row int, name string) float64) {
		t.Helper()
		if !slices.Equal(header, names) {
			t.Errorf("%s: the columns are %v, want %v", way, header, names)
		}
		for i := range 2 {
			sum := value(i, "base")
			if sum != want.Base {
				t.Errorf("%s: the base is %v, want %v", way, sum, want.Base)
			}
			for k, name := range want.Columns {
				v := value(i, "phi_"+name)
				if sum += v; v != want.Values[i*n+k] {
					t.Errorf("%s: row %d, %s adds %v, want %v", way, i, name, v, want.Values[i*n+k])
				}
			}
			if math.Abs(sum-predicted.Mean[i]) > 1e-6*math.Abs(predicted.Mean[i]) {
				t.Errorf("%s: row %d has the sum %v and the mean %v", way, i, sum, predicted.Mean[i])
			}
		}
	}
	const rows = "when,c,z,x\n2024-03-01,bee,1,0.25\n,dodo,,0.5\n"
	code, _, text := p.ask("POST", "/predict/format4?explain=true", rows, "Content-Type", "text/csv")
	lines, err := csv.NewReader(strings.NewReader(text)).ReadAll()
	if code != 200 || err != nil || len(lines) != 3 {
		t.Fatalf("%d %v %s", code, err, text)
	}
	check("CSV", lines[0], func(row int, name string) float64 {
		v, err := strconv.ParseFloat(lines[row+1][slices.Index(lines[0], name)], 64)
		if err != nil {
			t.Error(err)
		}
		return v
	})
	code, _, text = p.ask("POST", "/predict/format4?explain=true", arrowBody(t), "Content-Type", arrowType)
	if code != 200 {
		t.Fatal(text)
	}
	header, columns := arrowColumns(t, text)
	check("Arrow", header, func(row int, name string) float64 { return columns[name][row] })
	code, _, text = p.ask("POST", "/predict/format4?explain=true", `[{"x": 0.25, "z": 1, "c": "bee", "when": "2024-03-01"}, {"x": 0.5, "z": null, "c": "dodo", "when": ""}]`, "Content-Type", "application/json")
	var objects []map[string]any
	if err := json.Unmarshal([]byte(text), &objects); code != 200 || err != nil {
		t.Fatal(code, text)
	}
	check("JSON", names, func(row int, name string) float64 { return objects[row][name].(float64) })

	// As tensors: [rows, columns], and base, which an output may ask for by its name.
	for _, ask := range []string{`, "parameters": {"explain": true}}`, `, "outputs": [{"name": "base"}, {"name": "attributions"}]}`} {
		code, _, text = p.ask("POST", "/v2/models/format4/infer", tensors+ask)
		var r response
		if err := json.Unmarshal([]byte(text), &r); code != 200 || err != nil {
			t.Fatal(code, text)
		}
		got := r.numbers()
		if !slices.Equal(got["attributions"], want.Values) || !slices.Equal(got["base"], []float64{want.Base, want.Base}) {
			t.Errorf("%s: %v, want %v", ask, got, want.Values)
		}
		for _, o := range r.Outputs {
			if o.Name == "attributions" && !slices.Equal(o.Shape, []int{2, n}) {
				t.Errorf("the shape is %v", o.Shape)
			}
		}
	}
	if code, _, text := p.ask("POST", "/predict/format4?explain=true", "x,z,c,when\n"+strings.Repeat("1,1,ant,\n", 1001), "Content-Type", "text/csv"); code != 413 {
		t.Errorf("1001 rows: %d %s", code, text)
	}
}
