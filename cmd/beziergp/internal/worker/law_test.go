//go:build !lean && !wasm

package worker

import (
	"encoding/json"
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/apache/arrow-go/v18/arrow/array"
)

// Classes are answered by their names and by the probabilities of the library.
func TestClasses(t *testing.T) {
	a, b, y := rows(150)
	for i := range y {
		y[i] = math.Round(1 / (1 + math.Exp(-y[i])))
	}
	asker := newAsker(t)
	body := bodyOf(t, []string{"a", "b", "y"}, a, b, y)
	done, _ := asker.ask("fit", with(map[string]any{"likelihood": "auto", "kinds": map[string]string{"y": "category"}, "progress": true, "oof": true}), body)
	var told known
	if err := json.Unmarshal(done.Result, &told); err != nil || done.Event != "done" || strings.Join(told.Classes, " ") != "0 1" || told.Likelihood != "bernoulli" {
		t.Fatalf("%+v: %v", done, err)
	}
	h, answer := asker.ask("predict", map[string]any{"model": "m", "columns": []string{"classes"}}, body)
	if h.Event != "done" {
		t.Fatalf("%+v", h)
	}
	right, p := 0, columnsOf(t, answer)
	for i := range y {
		if math.Abs(p[0][i]+p[1][i]-1) > 1e-12 {
			t.Fatalf("row %d: %g and %g", i, p[0][i], p[1][i])
		}
		if (p[1][i] > 0.5) == (y[i] == 1) {
			right++
		}
	}
	if right < 120 {
		t.Errorf("%d of %d rows are right", right, len(y))
	}
	if h, _ := asker.ask("predict", map[string]any{"model": "m", "columns": []string{"mean"}}, body); h.Kind != "usage" {
		t.Errorf("%+v", h)
	}
}

// A class has a function of its own and a place in sets; an offset is no input.
func TestFunctionsOfClasses(t *testing.T) {
	a, b, y := rows(150)
	for i := range y {
		y[i] = math.Round(y[i])
	}
	asker := newAsker(t)
	body := bodyOf(t, []string{"a", "b", "y"}, a, b, y)
	done, _ := asker.ask("fit", with(map[string]any{"likelihood": "auto", "kinds": map[string]string{"y": "category"}, "steps_factor": 0.3}), body)
	var told known
	if err := json.Unmarshal(done.Result, &told); err != nil || len(told.Classes) < 3 {
		t.Fatalf("%+v: %v", done, err)
	}
	h, answer := asker.ask("explain", map[string]any{"model": "m", "class": "2"}, body)
	if h.Event != "done" {
		t.Fatalf("%+v", h)
	}
	with2, without2, f := 0.0, 0.0, columnsOf(t, answer)[0]
	for i := range y {
		if y[i] == 2 {
			with2 += f[i]
		} else {
			without2 += f[i]
		}
	}
	if with2 <= without2 {
		t.Errorf("f of a class adds up to %g where it was observed, and to %g elsewhere", with2, without2)
	}
	for _, verb := range []string{"explain", "gradient", "effects", "sensitivity", "integrate", "sample", "covariance"} {
		options := map[string]any{"model": "m"}
		if verb == "sample" {
			options["draws"] = 1
		}
		if h, _ := asker.ask(verb, options, body); h.Kind != "data" || !strings.Contains(h.Message, "--class, one of") {
			t.Errorf("%s: %+v", verb, h)
		}
		options["class"] = "1"
		if h, _ := asker.ask(verb, options, body); h.Event != "done" {
			t.Errorf("%s: %+v", verb, h)
		}
	}
	for level, share := range map[float64]float64{0.5: 0.4, 0.9: 0.8} {
		h, answer := asker.ask("predict", map[string]any{"model": "m", "columns": []string{"sets"}, "level": level}, body)
		if h.Event != "done" {
			t.Fatalf("%+v", h)
		}
		in, held := truthsOf(t, answer), 0.0
		for i := range y {
			for k, name := range told.Classes {
				if in[k][i] == 1 && name == strconv.Itoa(int(y[i])) {
					held++
				}
			}
		}
		if held < share*float64(len(y)) {
			t.Errorf("sets of the level %g hold %g of %d classes", level, held, len(y))
		}
	}
	if h, _ := asker.ask("predict", map[string]any{"model": "m", "columns": []string{"sets"}, "level": 2}, body); h.Kind != "data" {
		t.Errorf("%+v", h)
	}
	counts := with(map[string]any{"likelihood": "poisson", "offset": "b"})
	positive := make([]float64, len(y))
	for i := range y {
		positive[i], b[i] = math.Abs(y[i]), 0.5
	}
	done, _ = asker.ask("fit", counts, bodyOf(t, []string{"a", "b", "y"}, a, b, positive))
	if err := json.Unmarshal(done.Result, &told); err != nil || told.Offset == nil || told.Offset.Column != "b" || told.Offset.Exposure {
		t.Errorf("%+v: %v", done, err)
	}
	if h, _ := asker.ask("explain", map[string]any{"model": "m"}, bodyOf(t, []string{"a"}, a)); h.Event != "done" {
		t.Errorf("%+v", h)
	}
}

// truthsOf returns columns of truth values.
func truthsOf(t *testing.T, body []byte) (all [][]uint8) {
	t.Helper()
	for _, c := range arraysOf(t, body) {
		all = append(all, c.(*array.Uint8).Uint8Values())
	}
	return all
}
