package model_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"beziergp/basis"
	"beziergp/box"
	"beziergp/buttress"
	"beziergp/internal/safetensors"
	"beziergp/internal/testkit"
	"beziergp/model"
	"beziergp/surface"
	"beziergp/table"
)

// fixture returns a model with random weights over the inputs a in [10, 30] and
// b in [-1, 1], and the same process for enumeration.
func fixture(t testing.TB) (*model.Model, testkit.Process) {
	t.Helper()
	rng := rand.New(rand.NewPCG(1, 1))
	orders := []int{3, 2}
	o := testkit.Process{
		Widths: []int{4, 3}, Orderings: [][]int{{0, 1}, {1, 0}},
		Basis: func(input int, x float64) []float64 { return testkit.Bernstein(orders[input], x) },
	}
	var bases []basis.Basis
	for _, order := range orders {
		b, err := basis.NewBernstein(order)
		if err != nil {
			t.Fatal(err)
		}
		prior, err := b.PriorVariance()
		if err != nil {
			t.Fatal(err)
		}
		averaged, err := basis.NewAveraged(b, b.Mean())
		if err != nil {
			t.Fatal(err)
		}
		bases, o.Prior = append(bases, averaged), append(o.Prior, prior)
	}
	e, err := buttress.New(o.Widths, o.Orderings)
	if err != nil {
		t.Fatal(err)
	}
	s, err := surface.New(surface.Group{Bases: bases, Ensemble: e})
	if err != nil {
		t.Fatal(err)
	}
	params := make([]float32, s.Size())
	for i := range params {
		params[i] = float32(0.5 * rng.NormFloat64())
	}
	for k := range o.Orderings {
		o.W, o.V = append(o.W, e.Weights(s.Mean(params, 0), k)), append(o.V, e.Weights(s.Variance(params, 0), k))
	}
	q, err := surface.NewPosterior(s, params)
	if err != nil {
		t.Fatal(err)
	}
	m, err := model.New(model.Parts{
		Posterior: q,
		Inputs:    []box.Input{{Name: "a", Lo: 10, Hi: 30}, {Name: "b", Lo: -1, Hi: 1, Declared: true}},
		Target:    box.Target{Name: "y", Mean: 100, SD: 5},
		Noise:     0.04,
		Policy:    box.Clip,
		Training:  model.Training{Recipe: "paper", Options: []byte(`{"steps":3}`), Rows: 9},
	})
	if err != nil {
		t.Fatal(err)
	}
	return m, o
}

func newTable(t testing.TB, columns ...table.Column) *table.Table {
	t.Helper()
	tab, err := table.New(columns...)
	if err != nil {
		t.Fatal(err)
	}
	return tab
}

// rows has its columns in another order than the model, and one more.
func rows(t testing.TB) *table.Table {
	return newTable(t,
		table.Column{Name: "b", Values: []float64{0, 1, -1, 0.5, 3}},
		table.Column{Name: "other", Values: []float64{1, 2, 3, 4, 5}},
		table.Column{Name: "a", Values: []float64{10, 15, 20, 30, 30}})
}

func predict(t testing.TB, m *model.Model, tab *table.Table, o model.PredictOptions) *model.Predictions {
	t.Helper()
	p, err := m.Predict(context.Background(), tab, o)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestPredictAgreesWithEnumeration(t *testing.T) {
	m, o := fixture(t)
	p := predict(t, m, rows(t), model.PredictOptions{})
	unit := [][]float64{{0, 0.5}, {0.25, 1}, {0.5, 0}, {1, 0.75}, {1, 1}}
	for row, x := range unit {
		variance := o.Covariance(x, x)
		mean, std := 100+5*o.Mean(x), 5*math.Sqrt(variance+0.04)
		testkit.Close(t, "mean", p.Mean[row], mean, 1e-6, 0)
		testkit.Close(t, "deviation of f", p.StdF[row], 5*math.Sqrt(variance), 1e-5, 0)
		testkit.Close(t, "deviation of y", p.Std[row], std, 1e-5, 0)
		testkit.Close(t, "lower", p.Lower[row], mean-1.959963985*std, 1e-5, 0)
		testkit.Close(t, "upper", p.Upper[row], mean+1.959963985*std, 1e-5, 0)
		if p.InBox[row] != (row != 4) {
			t.Errorf("row %d in the box: %v", row, p.InBox[row])
		}
	}
	a, b := rows(t), newTable(t, table.Column{Name: "a", Values: []float64{12, 28}}, table.Column{Name: "b", Values: []float64{0, 0.1}})
	cov, err := m.Covariance(context.Background(), a, b)
	if err != nil {
		t.Fatal(err)
	}
	for i, x := range unit {
		for j, z := range [][]float64{{0.1, 0.5}, {0.9, 0.55}} {
			testkit.Close(t, fmt.Sprint("covariance ", i, j), cov.At(i, j), 25*o.Covariance(x, z), 1e-5, 1e-12)
		}
	}
	self, err := m.Covariance(context.Background(), a, a)
	if err != nil {
		t.Fatal(err)
	}
	for i, f := range p.StdF {
		testkit.Close(t, "variance of f", self.At(i, i), f*f, 1e-5, 0)
	}
}

func TestOutOfBoxPolicies(t *testing.T) {
	m, _ := fixture(t)
	clipped := predict(t, m, rows(t), model.PredictOptions{})
	flagged := predict(t, m, rows(t), model.PredictOptions{Policy: box.Flag})
	if !math.IsNaN(flagged.Mean[4]) || !math.IsNaN(flagged.Std[4]) || !math.IsNaN(flagged.Lower[4]) || flagged.InBox[4] {
		t.Errorf("flagged row: %g ± %g", flagged.Mean[4], flagged.Std[4])
	}
	if !slices.Equal(flagged.Mean[:4], clipped.Mean[:4]) {
		t.Error("the policy moves rows inside the box")
	}
	_, err := m.Predict(context.Background(), rows(t), model.PredictOptions{Policy: box.Refuse})
	var outside *box.OutsideError
	if !errors.As(err, &outside) || outside.Row != 5 || outside.Input.Name != "b" {
		t.Errorf("error %v", err)
	}
	if _, err := m.Predict(context.Background(), rows(t), model.PredictOptions{Policy: "maybe"}); err == nil {
		t.Error("an unknown policy is accepted")
	}
}

func TestPredictRefuses(t *testing.T) {
	m, _ := fixture(t)
	_, err := m.Predict(context.Background(), newTable(t, table.Column{Name: "a", Values: []float64{1}}), model.PredictOptions{})
	var unknown *table.UnknownError
	if !errors.As(err, &unknown) || !strings.Contains(err.Error(), `"b"`) {
		t.Errorf("error %v", err)
	}
	if _, err := m.Predict(context.Background(), rows(t), model.PredictOptions{Workers: -1}); err == nil {
		t.Error("-1 workers are accepted")
	}
}

// Blocks of a stream, workers and concurrent callers change no bit.
func TestStreamingChangesNothing(t *testing.T) {
	m, _ := fixture(t)
	rng := rand.New(rand.NewPCG(2, 1))
	columns := [][]float64{nil, nil}
	for range 1000 {
		columns[0] = append(columns[0], 10+20*rng.Float64())
		columns[1] = append(columns[1], -1+2.1*rng.Float64())
	}
	whole := predict(t, m, newTable(t, table.Column{Name: "a", Values: columns[0]}, table.Column{Name: "b", Values: columns[1]}), model.PredictOptions{Workers: 1})
	var wg sync.WaitGroup
	for _, block := range []int{1, 100, 333, 1000} {
		wg.Go(func() {
			p, err := m.NewPredictor(model.PredictOptions{Workers: 3})
			if err != nil {
				t.Error(err)
				return
			}
			defer p.Close()
			var out model.Predictions
			var mean, std []float64
			for from := 0; from < 1000; from += block {
				to := min(from+block, 1000)
				if err := p.Predict(context.Background(), [][]float64{columns[0][from:to], columns[1][from:to]}, &out); err != nil {
					t.Error(err)
					return
				}
				mean, std = append(mean, out.Mean...), append(std, out.Std...)
			}
			if !slices.Equal(mean, whole.Mean) || !slices.Equal(std, whole.Std) {
				t.Errorf("blocks of %d change predictions", block)
			}
			count := 0
			for _, inside := range whole.InBox {
				if !inside {
					count++
				}
			}
			if p.Rows() != 1000 || p.Outside()[0] != 0 || p.Outside()[1] != count || count == 0 {
				t.Errorf("%d rows, outside %v, want %d", p.Rows(), p.Outside(), count)
			}
			// Errors count rows over all blocks.
			err = p.Predict(context.Background(), [][]float64{{20, math.Inf(1)}, {0, 0}}, &out)
			var value *box.ValueError
			if !errors.As(err, &value) || value.Row != 1002 {
				t.Errorf("error %v", err)
			}
		})
	}
	wg.Wait()
}

func saved(t testing.TB, m *model.Model) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := m.Write(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestSaveAndLoad(t *testing.T) {
	m, _ := fixture(t)
	path := filepath.Join(t.TempDir(), "m.bgp")
	if err := m.Save(path); err != nil {
		t.Fatal(err)
	}
	loaded, err := model.Load(path)
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(predict(t, m, rows(t), model.PredictOptions{}), predict(t, loaded, rows(t), model.PredictOptions{})) {
		t.Error("the loaded model predicts otherwise")
	}
	if !bytes.Equal(saved(t, loaded), saved(t, m)) {
		t.Error("the loaded model is saved otherwise")
	}
	if !reflect.DeepEqual(loaded.Training(), m.Training()) || loaded.Noise() != 1 || loaded.Policy() != box.Clip {
		t.Errorf("training %v, noise %g, policy %v", loaded.Training(), loaded.Noise(), loaded.Policy())
	}
}

// edit replaces text of the header of a saved model, whose length it adjusts.
func edit(file []byte, old, new string) []byte {
	n := binary.LittleEndian.Uint64(file)
	header := strings.Replace(string(file[8:8+n]), old, new, 1)
	return slices.Concat(binary.LittleEndian.AppendUint64(nil, uint64(len(header))), []byte(header), file[8+n:])
}

func TestBadFiles(t *testing.T) {
	m, _ := fixture(t)
	good := saved(t, m)
	nan := slices.Clone(good)
	copy(nan[len(nan)-4:], []byte{0, 0, 0xc0, 0x7f})
	for name, c := range map[string]struct {
		file []byte
		says string
	}{
		"empty":             {nil, "not a model"},
		"a table":           {[]byte("a,b,y\n1,2,3\n4,5,6\n"), "not a model"},
		"truncated":         {good[:len(good)-1], "damaged"},
		"another program":   {edit(good, "beziergp.model", "another.model_"), "not a model of this program"},
		"another version":   {edit(good, `\"format\":3`, `\"format\":9`), "format 9"},
		"no version":        {edit(good, `\"format\":3`, `\"fermat\":3`), "format 0"},
		"weight not finite": {nan, "not a finite number"},
		"noise":             {edit(good, `\"noise\":0.04`, `\"noise\":-1`), "noise"},
		"deviation":         {edit(good, `\"sd\":5`, `\"sd\":0`), "deviation"},
		"bounds":            {edit(good, `\"lo\":10`, `\"lo\":50`), "not an interval"},
		"policy":            {edit(good, `\"clip\"`, `\"clap\"`), "policy"},
		"names":             {edit(good, `\"name\":\"a\"`, `\"name\":\"b\"`), "b"},
		"order":             {edit(good, `\"nodes\":4`, `\"nodes\":5`), "averages"},
		"huge order":        {edit(good, `\"nodes\":4`, `\"nodes\":2000000000`), "order"},
		"huge category":     {edit(good, `{\"kind\":\"bernstein\",\"nodes\":4,`, `{\"kind\":\"indicator\",\"nodes\":65536,`), "averages"},
		"category":          {edit(good, `{\"kind\":\"bernstein\",\"nodes\":4,`, `{\"kind\":\"indicator\",\"nodes\":4,`), "indicator"},
		"ordering":          {edit(good, `[[0,1],[1,0]]`, `[[0,1],[1,1]]`), "ordering"},
		"missing ordering":  {edit(good, `[[0,1],[1,0]]`, `[[0,1]]`), "weights"},
		"tensor name":       {edit(good, `groups.0.buttresses.1.mean`, `groups.0.buttresses.7.mean`), "groups.0.buttresses.1.mean"},
	} {
		_, err := model.Read(bytes.NewReader(c.file))
		var bad *model.FileError
		if !errors.As(err, &bad) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: error %v, want one that says %q", name, err, c.says)
		}
		path := filepath.Join(t.TempDir(), "bad.bgp")
		if err := os.WriteFile(path, c.file, 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := model.Load(path); err == nil || !strings.Contains(err.Error(), path) {
			t.Errorf("%s: error %v does not name the file", name, err)
		}
	}
	if _, err := model.Load(filepath.Join(t.TempDir(), "none")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("missing file: %v", err)
	}
}

// FuzzRead mutates whole files, FuzzHead the JSON that describes a model, with
// tensors that fit the one it starts from.
func FuzzRead(f *testing.F) {
	m, _ := fixture(f)
	good := saved(f, m)
	f.Add(good)
	f.Add(good[:len(good)-1])
	f.Add(saved(f, shaped(f)))
	f.Add(saved(f, changed(f, func(p *model.Parts) {
		p.Tilt = &model.Tilt{Surface: random(f, 4, 3e37), Predicted: box.Input{Name: "predicted mean", Lo: -3, Hi: 3}} // no number
	})))
	f.Fuzz(func(t *testing.T, data []byte) { use(t, data) })
}

func FuzzHead(f *testing.F) {
	m, _ := fixture(f)
	tensors, metadata, err := safetensors.Read(bytes.NewReader(saved(f, m)))
	if err != nil {
		f.Fatal(err)
	}
	head := metadata["beziergp.model"]
	f.Add(head)
	for old, new := range map[string]string{
		`"nodes":4`:                      `"nodes":2000000000`,
		`{"kind":"bernstein","nodes":4}`: `{"kind":"indicator","nodes":4}`,
		`"lo":10`:                        `"lo":30`,
	} {
		f.Add(strings.Replace(head, old, new, 1))
	}
	f.Fuzz(func(t *testing.T, head string) {
		var b bytes.Buffer
		if err := safetensors.Write(&b, tensors, map[string]string{"beziergp.model": head}); err != nil {
			t.Skip(err)
		}
		use(t, b.Bytes())
	})
}

// use reads a model and predicts with it, if it is one.
func use(t *testing.T, file []byte) {
	m, err := model.Read(bytes.NewReader(file))
	if err != nil {
		return
	}
	columns := make([][]float64, len(m.Inputs()))
	for i, in := range m.Inputs() {
		columns[i] = []float64{in.Lo, in.Hi, 0}
	}
	p, err := m.NewPredictor(model.PredictOptions{Workers: 1})
	if err != nil {
		t.Fatalf("a model that was read does not predict: %v", err)
	}
	defer p.Close()
	var out model.Predictions
	if err := p.Predict(context.Background(), columns, &out); err != nil {
		return
	}
	for row, mean := range out.Mean {
		// Either nothing is said of a row, which the policy wants, or all is a number.
		none := m.Policy() == box.Flag && !out.InBox[row]
		for _, v := range []float64{mean, out.Point[row], out.Std[row], out.StdF[row], out.Lower[row], out.Upper[row]} {
			if math.IsInf(v, 0) || math.IsNaN(v) != none {
				t.Fatalf("row %d: %g ± %g in [%g, %g]", row, mean, out.Std[row], out.Lower[row], out.Upper[row])
			}
		}
	}
}
