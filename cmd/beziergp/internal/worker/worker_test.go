//go:build !lean && !wasm

package worker

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"io"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/ipc"

	"beziergp"
	"beziergp/table"
	"beziergp/train/auto"
)

// asker is the other end of a worker.
type asker struct {
	t    *testing.T
	in   *io.PipeWriter
	out  *io.PipeReader
	done chan error
	id   int64
}

func newAsker(t *testing.T) *asker {
	inRead, in := io.Pipe()
	out, outWrite := io.Pipe()
	a := &asker{t: t, in: in, out: out, done: make(chan error, 1)}
	go func() { a.done <- Run(context.Background(), inRead, outWrite) }()
	if h, _ := a.read(); h.Event != "hello" {
		t.Fatalf("it begins by %+v", h)
	}
	t.Cleanup(func() { in.Close() })
	return a
}

// said is the header of an answer.
type said struct {
	ID            int64
	Event         string
	Kind, Message string
	Result        json.RawMessage
}

func (a *asker) read() (said, []byte) {
	a.t.Helper()
	header, body, err := readFrame(a.out)
	if err != nil {
		a.t.Fatal(err)
	}
	var h said
	if err := json.Unmarshal(header, &h); err != nil {
		a.t.Fatal(err)
	}
	return h, body
}

func (a *asker) send(verb string, options map[string]any, body []byte) {
	a.t.Helper()
	a.id++
	if err := (&answers{w: a.in}).write(map[string]any{"id": a.id, "verb": verb, "options": options}, body); err != nil {
		a.t.Fatal(err)
	}
}

// ask returns the answer, what came before it passed over.
func (a *asker) ask(verb string, options map[string]any, body []byte) (said, []byte) {
	a.t.Helper()
	a.send(verb, options, body)
	for {
		if h, body := a.read(); h.Event == "done" || h.Event == "error" {
			return h, body
		}
	}
}

// rows returns columns a, b and y of a law with noise.
func rows(n int) (a, b, y []float64) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range n {
		a, b = append(a, rng.Float64()), append(b, rng.Float64())
		y = append(y, 2*a[len(a)-1]+math.Sin(5*b[len(b)-1])+0.1*rng.NormFloat64())
	}
	b[3] = math.NaN()
	return a, b, y
}

func bodyOf(t *testing.T, names []string, columns ...[]float64) []byte {
	t.Helper()
	var s stream
	for k, name := range names {
		s.numbers(name, columns[k])
	}
	body, err := s.bytes()
	if err != nil {
		t.Fatal(err)
	}
	return body
}

var quick = map[string]any{"model": "m", "targets": []string{"y"}, "effort": "fast", "shapes": []string{"coarse@1"}, "folds": 2, "members": 1, "steps_factor": 0.05, "seed": 4, "workers": 1}

func with(more map[string]any) map[string]any {
	out := map[string]any{}
	for _, m := range []map[string]any{quick, more} {
		for k, v := range m {
			out[k] = v
		}
	}
	return out
}

// What the worker fits and predicts is what the library fits and predicts.
func TestFitAndPredict(t *testing.T) {
	a, b, y := rows(150)
	asker := newAsker(t)
	done, file := asker.ask("fit", quick, bodyOf(t, []string{"a", "b", "y"}, a, b, y))
	if done.Event != "done" {
		t.Fatalf("%+v", done)
	}
	rows, err := table.New(table.ColumnOf("a", a), table.ColumnOf("b", b), table.ColumnOf("y", y))
	if err != nil {
		t.Fatal(err)
	}
	recipe := auto.Recipe{Effort: auto.Fast, Shapes: []string{"coarse@1"}, Folds: 2, Members: 1, StepsFactor: 0.05, Seed: 4}
	m, err := beziergp.Fit(t.Context(), rows, "y", beziergp.Options{Recipe: recipe})
	if err != nil {
		t.Fatal(err)
	}
	var want bytes.Buffer
	if err := m.Write(&want); err != nil || !bytes.Equal(want.Bytes(), file) {
		t.Errorf("the model differs from the library's: %v", err)
	}
	p, err := m.Predict(t.Context(), rows, beziergp.PredictOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if h, _ := asker.ask("load", map[string]any{"model": "again"}, file); h.Event != "done" {
		t.Fatalf("%+v", h)
	}
	for _, columns := range [][]string{{"mean", "std", "lower"}, {"mean"}} {
		h, body := asker.ask("predict", map[string]any{"model": "again", "columns": columns}, bodyOf(t, []string{"a", "b"}, a, b))
		if h.Event != "done" {
			t.Fatalf("%+v", h)
		}
		got := columnsOf(t, body)
		for k, v := range [][]float64{p.Mean, p.Std, p.Lower}[:len(columns)] {
			for i := range v {
				if got[k][i] != v[i] {
					t.Fatalf("row %d: %s is %v, not %v", i, columns[k], got[k][i], v[i])
				}
			}
		}
	}
}

// columnsOf returns those of the numbers that are not whole.
func columnsOf(t *testing.T, body []byte) (all [][]float64) {
	t.Helper()
	for _, c := range arraysOf(t, body) {
		if c, ok := c.(interface{ Float64Values() []float64 }); ok {
			all = append(all, c.Float64Values())
		}
	}
	return all
}

// arraysOf returns the columns of a body's batch.
func arraysOf(t *testing.T, body []byte) []arrow.Array {
	t.Helper()
	r, err := ipc.NewReader(bytes.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	defer r.Release()
	batch, err := r.Read()
	if err != nil {
		t.Fatal(err)
	}
	return batch.Columns()
}

// Bad requests are answered by errors that say whose fault they are, and the worker goes on.
func TestBadRequests(t *testing.T) {
	a, b, y := rows(60)
	table := bodyOf(t, []string{"a", "b", "y"}, a, b, y)
	asker := newAsker(t)
	if h, _ := asker.ask("fit", quick, table); h.Event != "done" {
		t.Fatalf("%+v", h)
	}
	for _, c := range []struct {
		verb    string
		options map[string]any
		body    []byte
		kind    string
		says    string
	}{
		{"dance", nil, nil, "usage", "no verb"},
		{"fit", with(map[string]any{"colour": 1}), table, "usage", "colour"},
		{"fit", with(map[string]any{"targets": []string{"z"}}), table, "data", "z"},
		{"fit", with(map[string]any{"targets": nil}), table, "usage", "targets"},
		{"fit", with(map[string]any{"targets": []string{"y", "y"}}), table, "usage", "y"},
		{"fit", with(map[string]any{"targets": []string{"y", "z"}}), table, "data", "z"},
		{"fit", with(map[string]any{"targets": []string{"y", "b"}, "likelihood": "poisson"}), table, "usage", "poisson"},
		{"fit", with(map[string]any{"share": "some"}), table, "usage", "some"},
		{"fit", with(map[string]any{"share": "all"}), table, "usage", "one target"},
		{"fit", with(map[string]any{"effort": "huge"}), table, "usage", "huge"},
		{"fit", with(map[string]any{"folds": 1}), table, "usage", "folds"},
		{"fit", with(map[string]any{"kinds": map[string]string{"q": "category"}}), table, "data", "q"},
		{"fit", with(map[string]any{"kinds": map[string]string{"a": "categories"}}), table, "usage", `column "a": there is no kind "categories"; choose numeric, boolean, category or datetime`},
		{"fit", with(map[string]any{"kinds": map[string]string{"y": "category"}, "labels": make([]int, 200)}), table, "data", `target "y": of its 200 labels 60 are told apart`},
		{"fit", with(map[string]any{"kinds": map[string]string{"y": "category"}, "labels": append(make([]int, 59), 60)}), table, "usage", "labels: row 60 of 60 has none"},
		{"fit", with(map[string]any{"seed": 1e30}), table, "usage", "seed: a number"},
		{"fit", with(map[string]any{"shapes": []int{1}}), table, "usage", "shapes: a number is not what it takes"},
		{"fit", with(map[string]any{"effort": true}), table, "usage", "effort: a bool is not what it takes"},
		{"fit", quick, table[:len(table)/2], "data", "cannot be decoded"},
		{"fit", quick, nil, "data", "X"},
		{"load", map[string]any{"model": "x"}, []byte("no model"), "data", "model"},
		{"predict", map[string]any{"model": "none"}, table, "usage", "none"},
		{"predict", map[string]any{"model": "m", "columns": []string{"size"}}, table, "usage", "size"},
		{"predict", map[string]any{"model": "m", "columns": []string{"mean"}, "level": 2}, table, "usage", "level"},
		{"predict", map[string]any{"model": "m", "quantiles": []float64{1}}, table, "usage", "above 0"},
		{"predict", map[string]any{"model": "m"}, bodyOf(t, []string{"a"}, a), "data", `"b"`},
		{"predict", map[string]any{"model": "m"}, nil, "usage", "no rows"},
		{"effects", map[string]any{"model": "m", "of": [][]string{{"q"}}}, nil, "usage", "q"},
		{"effects", map[string]any{"model": "m", "points": 1}, nil, "usage", "points"},
		{"integrate", map[string]any{"model": "m", "laws": map[string]string{"a": "wild(1)"}}, nil, "usage", "wild"},
		{"sensitivity", map[string]any{"model": "m", "samples": 3}, nil, "usage", "samples"},
		{"sample", map[string]any{"model": "m", "draws": 0}, table, "usage", "draws"},
		{"fit", with(map[string]any{"likelihood": "plain"}), table, "usage", "plain"},
		{"fit", with(map[string]any{"likelihood": "poisson"}), table, "data", "y"},
		{"predict", map[string]any{"model": "m", "columns": []string{"classes"}}, table, "usage", "no classes"},
		{"predict", map[string]any{"model": "m", "columns": []string{"sets"}}, table, "data", "no classes"},
		{"effects", map[string]any{"model": "m", "class": "x"}, nil, "data", "one function"},
		{"fit", with(map[string]any{"offset": "a"}), table, "usage", "neither an offset"},
		{"fit", with(map[string]any{"likelihood": "poisson", "offset": "a", "exposure": "b"}), table, "usage", "exposure"},
		{"distribution", map[string]any{"model": "m", "of": "cdf", "family": map[string]any{"law": true}}, table, "usage", "no law"},
		{"distribution", map[string]any{"of": "mode"}, table, "usage", "mode"},
		{"distribution", map[string]any{"of": "cdf", "family": map[string]any{"tails": 1}}, table, "usage", "freedom"},
		{"distribution", map[string]any{"of": "cdf"}, table, "usage", "location"},
	} {
		h, _ := asker.ask(c.verb, c.options, c.body)
		if h.Event != "error" || h.Kind != c.kind || !strings.Contains(h.Message, c.says) || h.ID != asker.id {
			t.Errorf("%s %v: %+v, want %s: …%s…", c.verb, c.options, h, c.kind, c.says)
		}
	}
	if h, _ := asker.ask("inspect", map[string]any{"model": "m"}, nil); h.Event != "done" || !bytes.Contains(h.Result, []byte(`"weights"`)) {
		t.Errorf("%+v", h)
	}
	a0 := asker
	a0.id++
	_ = (&answers{w: a0.in}).write(map[string]any{"id": a0.id, "verb": "inspect", "options": map[string]any{"model": "m"}, "drop": []string{"m"}}, nil)
	if h, _ := a0.read(); h.Event != "error" {
		t.Errorf("a dropped model is there: %+v", h)
	}
}

// A cancelled fit is done at once with the best model so far, or says that there is none;
// meanwhile nothing else is answered.
func TestCancel(t *testing.T) {
	a, b, y := rows(400)
	body := bodyOf(t, []string{"a", "b", "y"}, a, b, y)
	asker := newAsker(t)
	endless := map[string]any{"model": "m", "targets": []string{"y"}, "effort": "fast", "steps_factor": 1000, "workers": 1, "progress": true}
	asker.send("fit", endless, body)
	if h, _ := asker.read(); h.Event != "progress" {
		t.Fatalf("%+v", h)
	}
	asker.send("inspect", map[string]any{"model": "m"}, nil)
	for {
		h, _ := asker.read()
		if h.ID == asker.id {
			if h.Event != "error" || !strings.Contains(h.Message, "under way") {
				t.Errorf("%+v", h)
			}
			break
		}
	}
	asker.send("cancel", nil, nil)
	for {
		h, _ := asker.read()
		if h.Event == "progress" {
			continue
		}
		if h.ID != 1 || !(h.Event == "error" && h.Kind == "interrupted" || h.Event == "done" && bytes.Contains(h.Result, []byte(`"interrupted":true`))) {
			t.Errorf("%+v", h)
		}
		break
	}
	if h, _ := asker.ask("fit", quick, body); h.Event != "done" {
		t.Errorf("after it: %+v", h)
	}
}

// The end of input ends the worker, in the middle of a fit as well.
func TestEndOfInput(t *testing.T) {
	a, b, y := rows(400)
	asker := newAsker(t)
	asker.send("fit", map[string]any{"model": "m", "targets": []string{"y"}, "effort": "fast", "steps_factor": 1000, "workers": 1}, bodyOf(t, []string{"a", "b", "y"}, a, b, y))
	asker.in.Close()
	select {
	case err := <-asker.done:
		if err != nil {
			t.Error(err)
		}
	case <-time.After(time.Minute):
		t.Fatal("it goes on")
	}
}

func frame(header string, claimed uint32, body string, bodyClaimed uint64) []byte {
	b := make([]byte, prefix)
	binary.LittleEndian.PutUint32(b, claimed)
	binary.LittleEndian.PutUint64(b[4:], bodyClaimed)
	return append(append(b, header...), body...)
}

// Lengths that lie are errors, and take no memory that is not there.
func TestLyingLengths(t *testing.T) {
	for _, bytes := range [][]byte{
		frame("{}", 1<<31, "", 0), frame("{}", 2, "x", 1<<63), frame("{}", 2, "x", 1<<39), frame("{}", 3, "", 0), frame("{}", 2, "", 1), {1, 2, 3},
	} {
		var out discard
		if err := Run(t.Context(), strings.NewReader(string(bytes)), &out); err == nil {
			t.Errorf("%q ends without an error", bytes)
		}
	}
}

type discard struct{}

func (*discard) Write(p []byte) (int, error) { return len(p), nil }

func FuzzFrames(f *testing.F) {
	f.Add(frame(`{"id":1,"verb":"inspect"}`, 25, "", 0))
	f.Add(append(frame(`{"id":1,"verb":"cancel"}`, 24, "", 0), frame(`{"id":2,"verb":"load","options":{"model":"m"}}`, 46, "body", 4)...))
	f.Add(frame("{}", 1<<31, "", 1<<62))
	f.Fuzz(func(t *testing.T, data []byte) {
		r := bytes.NewReader(data)
		for {
			header, body, err := readFrame(r)
			if err != nil {
				return
			}
			if len(header)+len(body) > len(data) {
				t.Fatalf("%d bytes out of %d", len(header)+len(body), len(data))
			}
			var e envelope
			if strict(header, &e) == nil && e.Verb != "fit" {
				(&request{ctx: t.Context(), envelope: e, body: body, models: store{}}).answer()
			}
		}
	})
}
