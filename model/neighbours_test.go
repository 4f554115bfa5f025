package model_test

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"beziergp/box"
	"beziergp/box/neighbour"
	"beziergp/internal/process/surface"
	"beziergp/internal/safetensors"
	"beziergp/model"
	"beziergp/table"
)

// withTable returns the parts of a model of x and z and of a neighbour input by both, with
// every auxiliary surface.
func withTable(t testing.TB) model.Parts {
	t.Helper()
	rng := rand.New(rand.NewPCG(5, 5))
	var inputs []box.Input
	for _, name := range []string{"x", "z"} {
		values := make([]float64, 40)
		for k := range values {
			values[k] = math.Floor(6 * rng.Float64())
		}
		in, err := box.RankInput(name, values)
		if err != nil {
			t.Fatal(err)
		}
		inputs = append(inputs, in)
	}
	var order neighbour.Order
	for i := range inputs {
		coordinates := make([]float32, 6)
		for v := range coordinates {
			coordinates[v] = inputs[i].Clip(float64(v))
		}
		order = append(order, neighbour.NewColumn(i, coordinates, 0))
	}
	own := neighbour.Table{Order: order, At: []float64{0.5, 7, 8.25, 20, 33}, Mean: []float64{-1, 0.5, 0.25, 2, 1}, Input: box.Input{Name: "neighbours by x, z", Lo: -1, Hi: 2, Missing: true}}
	all := append(inputs[:2:2], own.Input)
	wide := append([]box.Input(nil), all...)
	for i := range wide {
		wide[i] = wide[i].Widen()
	}
	return model.Parts{
		Posterior: members(t, rng, 3, 0, 2, surface.MeanOnly, component{5, 4}, component{9, 3}), Inputs: inputs, Neighbours: []neighbour.Table{own}, Policy: box.Clip,
		Outputs: []model.Output{{
			Target: box.Target{Name: "y", Mean: 3, SD: 2}, Noise: 0.1, Tails: 4, Limits: &model.Limits{Lo: -30, Hi: 30, Variance: 9},
			LogNoise:     &model.Auxiliary{Surface: members(t, rng, 4, 0, 1, surface.MeanOnly, component{5, 3}), Predicted: predictedMean(), Limits: &model.Limits{Lo: -1, Hi: 1}},
			Epistemic:    &model.Auxiliary{Surface: members(t, rng, 3, 0, 1, surface.VarianceOnly, component{9, 3}), Inputs: wide, Variance: true},
			DensityRatio: &model.Auxiliary{Surface: members(t, rng, 5, 16, 1, surface.MeanOnly, component{9, 2}), Predicted: predictedMean(), U: true, Limits: model.LogRatioLimits()},
		}},
	}
}

func rowsOfTable(t testing.TB) []table.Column {
	return []table.Column{
		{Name: "x", Values: []float64{0, 1, 2, 3, 5, 2.5, 9, math.NaN()}},
		{Name: "z", Values: []float64{4, 3, 2, 1, 0, 5, 3, 2}},
	}
}

// The model predicts what one predicts that is given the table's values as a column.
func TestNeighboursAreAnInput(t *testing.T) {
	parts := withTable(t)
	m, err := model.New(parts)
	if err != nil {
		t.Fatal(err)
	}
	columns := rowsOfTable(t)
	own := parts.Neighbours[0]
	told := table.Column{Name: own.Input.Name}
	for j, x := range columns[0].Values {
		told.Values = append(told.Values, own.Value([]float32{parts.Inputs[0].Clip(x), parts.Inputs[1].Clip(columns[1].Values[j])}))
	}
	plainParts := parts
	plainParts.Inputs, plainParts.Neighbours = append(parts.Inputs[:2:2], own.Input), nil
	plain, err := model.New(plainParts)
	if err != nil {
		t.Fatal(err)
	}
	user, known := newTable(t, columns...), newTable(t, append(columns, told)...)
	for _, o := range []model.PredictOptions{{}, {MeanAlone: true}, {Workers: 3}} {
		if got, want := predict(t, m, user, o), predict(t, plain, known, o); !sameNumbers(got, want) {
			t.Errorf("%+v: %+v, want %+v", o, got, want)
		}
	}
	got, err := m.Covariance(context.Background(), user, user)
	if err != nil {
		t.Fatal(err)
	}
	want, err := plain.Covariance(context.Background(), known, known)
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("covariance %v, want %v (%v)", got, want, err)
	}
	if len(m.Inputs()) != 2 || len(m.Columns()) != 2 || len(m.Neighbours()) != 1 {
		t.Errorf("%d inputs, %d columns, %d tables", len(m.Inputs()), len(m.Columns()), len(m.Neighbours()))
	}
}

// sameNumbers compares predictions to the bit, NaN with itself.
func sameNumbers(a, b *model.Predictions) bool {
	text := func(p *model.Predictions) string {
		return fmt.Sprint(p.Mean, p.Std, p.StdF, p.Lower, p.Upper, p.InBox, p.Clamped, p.Density)
	}
	return text(a) == text(b)
}

// Files of such models have a format of their own, which programs of before refuse, and those
// of others have not.
func TestNeighboursInFiles(t *testing.T) {
	m, err := model.New(withTable(t))
	if err != nil {
		t.Fatal(err)
	}
	file := saved(t, m)
	again, err := model.Read(bytes.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(again.Neighbours(), m.Neighbours()) || again.Origin() != (model.Origin{Format: 5, Sealed: true}) || m.Origin() != again.Origin() {
		t.Errorf("%+v of %+v, want %+v", again.Neighbours(), again.Origin(), m.Neighbours())
	}
	rows := newTable(t, rowsOfTable(t)...)
	if !sameNumbers(predict(t, again, rows, model.PredictOptions{}), predict(t, m, rows, model.PredictOptions{})) {
		t.Error("what was read predicts otherwise")
	}
	if !bytes.Equal(saved(t, again), file) {
		t.Error("it is written otherwise the second time")
	}
	plain, _ := fixture(t)
	if plain, err = model.Read(bytes.NewReader(saved(t, plain))); err != nil || plain.Origin().Format != 4 {
		t.Errorf("a model without is of format %d (%v)", plain.Origin().Format, err)
	}
}

func TestDamagedNeighboursAreRefused(t *testing.T) {
	for name, damage := range map[string]struct {
		do   func(p *model.Parts)
		says string
	}{
		"a table too many":     {func(p *model.Parts) { p.Neighbours = append(p.Neighbours, p.Neighbours[0]) }, "4 inputs for a surface of 3"},
		"a table too few":      {func(p *model.Parts) { p.Neighbours = nil }, "2 inputs for a surface of 3"},
		"an input beyond":      {func(p *model.Parts) { p.Neighbours[0].Order[0].Input = 2 }, "input 2 of 2"},
		"positions that fall":  {func(p *model.Parts) { p.Neighbours[0].At[1] = 0 }, "does not ascend"},
		"a mean that is none":  {func(p *model.Parts) { p.Neighbours[0].Mean[1] = math.NaN() }, "NaN"},
		"a scaling of another": {func(p *model.Parts) { p.Neighbours[0].Input.Name = "other" }, "scaling"},
	} {
		p := withTable(t)
		damage.do(&p)
		if _, err := model.New(p); err == nil || !strings.Contains(err.Error(), damage.says) {
			t.Errorf("%s: error %v, want one that says %q", name, err, damage.says)
		}
	}
}

// What a file says of tables is believed only as far as it is there.
func TestDamagedFilesOfNeighboursAreRefused(t *testing.T) {
	m, err := model.New(withTable(t))
	if err != nil {
		t.Fatal(err)
	}
	const key = "beziergp.model"
	for name, c := range map[string]struct{ old, new, says string }{
		"format before":    {`"format":5`, `"format":4`, "1 neighbour inputs in a file of format 4"},
		"no tables":        {`"neighbours":`, `"others":`, "0 neighbour inputs in a file of format 5"},
		"knots elsewhere":  {`"at":[`, `"at":[9000000000`, "a list of"},
		"means elsewhere":  {`"mean":[`, `"mean":[9000000000`, "a list of"},
		"values elsewhere": {`"values":[`, `"values":[9000000000`, "a list of"},
		"another place":    {`"places":6`, `"places":7`, "7 places of 6 values"},
	} {
		f, err := safetensors.Read(bytes.NewReader(saved(t, m)))
		if err != nil {
			t.Fatal(err)
		}
		text := f.Metadata[key]
		var b bytes.Buffer
		if err := safetensors.Write(&b, f.Tensors, map[string]string{key: strings.Replace(text, c.old, c.new, 1)}); err != nil {
			t.Fatal(err)
		}
		if _, err := model.Read(&b); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: error %v, want one that says %q", name, err, c.says)
		}
	}
}
