package model_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"testing"

	"beziergp/internal/testkit"
	"beziergp/model"
	"beziergp/table"
)

// recorded is what the program that wrote an older file predicted with it: for rows of
// the training set, and for one beyond the box with a level that no row has.
type recorded struct {
	X, Z, When              []*float64 // null where missing
	C                       []string   // empty where missing
	Mean, Std, Lower, Upper []float64
	InBox                   []bool `json:"in_box"`
}

func (r recorded) table(t testing.TB) *table.Table {
	number := func(name string, values []*float64) table.Column {
		c := table.Column{Name: name}
		for _, v := range values {
			c.Values = append(c.Values, math.NaN())
			if v != nil {
				c.Values[len(c.Values)-1] = *v
			}
		}
		return c
	}
	columns := []table.Column{number("x", r.X), number("z", r.Z)}
	if r.C != nil {
		levels := slices.Compact(slices.Sorted(slices.Values(r.C)))
		c := table.Column{Name: "c", Kind: table.Category, Levels: levels}
		for _, level := range r.C {
			code := float64(slices.Index(levels, level))
			if level == "" {
				code = math.NaN()
			}
			c.Values = append(c.Values, code)
		}
		columns = append(columns, c)
	}
	if r.When != nil {
		when := number("when", r.When)
		when.Kind = table.DateTime
		columns = append(columns, when)
	}
	return newTable(t, columns...)
}

// plainFormat is that of models without neighbour inputs, the last with a file here: those of
// the next one are tested where these are.
const plainFormat = 4

// Files of all formats are read, predict what they did, and are written in today's
// format without the names of rare levels, today's own to the bit. They were written by the
// program of their time, with the predictions beside them.
func TestFormats(t *testing.T) {
	for format := 1; format <= plainFormat; format++ {
		name := filepath.Join("testdata", fmt.Sprint("format", format))
		text, err := os.ReadFile(name + ".json")
		if err != nil {
			t.Fatal(err)
		}
		var want recorded
		if err := json.Unmarshal(text, &want); err != nil {
			t.Fatal(err)
		}
		written, err := os.ReadFile(name + ".bgp")
		if err != nil {
			t.Fatal(err)
		}
		m, err := model.Read(bytes.NewReader(written))
		if err != nil {
			t.Fatal(err)
		}
		if got := m.Origin(); got != (model.Origin{Format: format, Sealed: format >= 4}) {
			t.Errorf("format %d: origin %+v", format, got)
		}
		if o := m.Output(); format == 4 && (o.LogNoise == nil || o.Epistemic == nil || o.DensityRatio == nil || o.Tails == 0 || o.Limits == nil || o.Target.Range == nil) {
			t.Errorf("format 4: the file lacks what this format can hold: %+v", o)
		}
		rows := want.table(t)
		p := predict(t, m, rows, model.PredictOptions{})
		for _, c := range []struct {
			what      string
			got, want []float64
		}{{"mean", p.Mean, want.Mean}, {"deviation", p.Std, want.Std}, {"lower", p.Lower, want.Lower}, {"upper", p.Upper, want.Upper}} {
			for row, v := range c.got {
				// Every instruction set rounds in its own way.
				testkit.Close(t, fmt.Sprintf("format %d: %s of row %d", format, c.what, row+1), v, c.want[row], 1e-5, 1e-5)
			}
		}
		if !slices.Equal(p.InBox, want.InBox) {
			t.Errorf("format %d: in the box %v, want %v", format, p.InBox, want.InBox)
		}
		file := saved(t, m)
		if bytes.Contains(file, []byte("person")) {
			t.Errorf("format %d: the file has the name of a rare level", format)
		}
		if format == plainFormat && !bytes.Equal(file, written) {
			t.Errorf("format %d is written otherwise", format)
		}
		again, err := model.Read(bytes.NewReader(file))
		if err != nil {
			t.Fatal(err)
		}
		if again.Origin() != (model.Origin{Format: plainFormat, Sealed: true}) {
			t.Errorf("origin %+v", again.Origin())
		}
		if !reflect.DeepEqual(predict(t, again, rows, model.PredictOptions{}), p) {
			t.Errorf("format %d: written anew it predicts otherwise", format)
		}
		if !bytes.Equal(saved(t, again), file) {
			t.Errorf("format %d: the model is written otherwise the second time", format)
		}
	}
}
