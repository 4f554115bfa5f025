package server_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"beziergp/table/exact"
	"beziergp/tablewriter"
)

// checkRows holds rows as people have them to the columns of predict.
func (f fitted) checkRows(t *testing.T, p *place, name string) {
	t.Helper()
	var names []string
	var columns []*exact.Column
	if f.Classes() == nil {
		names = []string{"mean", "std", "lower", "upper"}
		columns = []*exact.Column{exact.Numbers(f.want.Mean), exact.Numbers(f.want.Std), exact.Numbers(f.want.Lower), exact.Numbers(f.want.Upper)}
	} else {
		var likely []string
		for i := range f.want.InBox {
			likely = append(likely, "")
			if k := f.want.Class(i); k >= 0 {
				likely[i] = f.Classes()[k]
			}
		}
		names, columns = []string{"class"}, []*exact.Column{exact.Texts(likely)}
		for k, class := range f.Classes() {
			var own []float64
			for i := range f.want.InBox {
				own = append(own, f.want.Probabilities(i)[k])
			}
			names, columns = append(names, "p_"+class), append(columns, exact.Numbers(own))
		}
	}
	names, columns = append(names, "in_box"), append(columns, exact.Truths(f.want.InBox))
	var inputs []*exact.Column
	var header []string
	for k, c := range f.columns {
		header, inputs = append(header, f.Model.Columns()[k].Name), append(inputs, exact.Numbers(c))
	}
	for kind, format := range map[string]tablewriter.Format{"text/csv": tablewriter.CSV, arrowType: tablewriter.Arrow} {
		var body, want bytes.Buffer
		if err := tablewriter.Write(&body, format, header, inputs); err != nil {
			t.Fatal(err)
		}
		if err := tablewriter.Write(&want, format, names, columns); err != nil {
			t.Fatal(err)
		}
		code, _, got := p.ask("POST", "/predict/"+name+"?out_of_box=flag", body.String(), "Content-Type", kind)
		if code != 200 || got != want.String() {
			t.Errorf("%s, %s: %d %.300q, want %.300q", name, kind, code, got, want.String())
		}
	}
	object := map[string]any{}
	for k, c := range f.columns {
		object[header[k]] = c[0]
	}
	body, _ := json.Marshal(object)
	code, _, answer := p.ask("POST", "/predict/"+name, string(body), "Content-Type", "application/json")
	var got []map[string]any
	if err := json.Unmarshal([]byte(answer), &got); err != nil || code != 200 || len(got) != 1 || len(got[0]) != len(names) {
		t.Fatalf("%s: %d %s (%v)", name, code, answer, err)
	}
	for k, column := range names {
		want := any(nil)
		switch c := columns[k]; {
		case c.Texts != nil:
			want = c.Texts[0]
		case c.Numbers != nil:
			want = c.Numbers[0]
		default:
			want = c.Integers[0] != 0
		}
		if got[0][column] != want {
			t.Errorf("%s: %s is %v, want %v", name, column, got[0][column], want)
		}
	}
}

// checkDescription holds what is told of the model, and what it refuses.
func (f fitted) checkDescription(t *testing.T, p *place, name string) {
	t.Helper()
	_, _, answer := p.ask("GET", "/v2/models/"+name, "")
	_, _, about := p.ask("GET", "/predict/"+name, "")
	classes, _ := json.Marshal(f.Classes())
	if f.Classes() == nil {
		if strings.Contains(answer+about, "class") || !strings.Contains(about, `"typical":1,"missing":false,"role":"exposure"`) {
			t.Errorf("%s: %s %s", name, answer, about)
		}
		if code, _, text := p.ask("POST", "/predict/"+name+"?explain=true", `{"x": 0.5, "z": 0.5, "years": 2}`, "Content-Type", "application/json"); code != 200 {
			t.Errorf("%d %s", code, text)
		}
		for _, years := range []string{"0", "null"} {
			body := `[{"x": 0.5, "z": 0.5, "years": 1}, {"x": 0.5, "z": 0.5, "years": ` + years + `}]`
			if code, _, text := p.ask("POST", "/predict/"+name, body, "Content-Type", "application/json"); code != 400 || !strings.Contains(text, "row 2") || !strings.Contains(text, "years") {
				t.Errorf("an exposure of %s: %d %s", years, code, text)
			}
		}
		return
	}
	if want := fmt.Sprintf(`{"name":"class","datatype":"BYTES","shape":[-1]},{"name":"probabilities","datatype":"FP64","shape":[-1,%d],"parameters":{"classes":%s}}`, len(f.Classes()), classes); !strings.Contains(answer, want) {
		t.Errorf("%s: %s has no %s", name, answer, want)
	}
	if !strings.Contains(about, `"classes":`+string(classes)) {
		t.Errorf("%s: %s has no %s", name, about, classes)
	}
	refused := []string{"level=0.8", "quantiles=0.5", "point=median", "point=mean", "interval=conformal"}
	if len(f.Classes()) > 2 {
		refused = append(refused, "explain=true")
	}
	for _, query := range refused {
		if code, _, text := p.ask("POST", "/predict/"+name+"?"+query, `{"x": 0.5, "z": 0.5}`, "Content-Type", "application/json"); code != 400 || !strings.Contains(text, "class") {
			t.Errorf("%s, %s: %d %s", name, query, code, text)
		}
	}
	for _, output := range []string{"mean", "q0.5"} {
		code, _, text := p.ask("POST", "/v2/models/"+name+"/infer", `{"inputs": [{"name": "rows", "datatype": "FP64", "shape": [1, 2], "data": [0.5, 0.5]}], "outputs": [{"name": "`+output+`"}]}`)
		if code != 400 || !strings.Contains(text, "class, probabilities, in_box") {
			t.Errorf("%s, output %s: %d %s", name, output, code, text)
		}
	}
}
