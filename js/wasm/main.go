//go:build js && wasm

// Command wasm is what the package for JavaScript runs: it reads models and predicts rows,
// asked by three functions that it puts into the object that globalThis.beziergpReady is given.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"syscall/js"

	"beziergp/model"
	"beziergp/predictive"
	"beziergp/serve"
	"beziergp/table"
)

// held is a model that was loaded.
type held struct {
	model  serve.Model
	schema *serve.Schema
}

var (
	models = map[int]held{}
	last   int
)

func main() {
	js.Global().Call("beziergpReady", map[string]any{"load": answering(load), "predict": answering(predict), "drop": answering(drop)})
	select {}
}

// answering returns a function of JavaScript that has what do gives as JSON, in an object with
// the key value, or with the key error. A fault of the program is an error, too.
func answering(do func(args []js.Value) (any, error)) js.Func {
	return js.FuncOf(func(_ js.Value, args []js.Value) (answer any) {
		defer func() {
			if p := recover(); p != nil {
				answer = map[string]any{"error": fmt.Sprint("a fault of the program: ", p)}
			}
		}()
		value, err := do(args)
		if err == nil {
			var text []byte
			if text, err = json.Marshal(value); err == nil {
				return map[string]any{"value": string(text)}
			}
		}
		return map[string]any{"error": err.Error()}
	})
}

// about tells of a model that was loaded.
type about struct {
	ID      int      `json:"id"`
	Target  string   `json:"target"`
	Columns []column `json:"columns"`
}

// column tells of one: of a number, a date or a truth value the bounds of the training rows.
type column struct {
	Name   string     `json:"name"`
	Kind   table.Kind `json:"kind"`
	Levels []string   `json:"levels,omitempty"`
	Low    *float64   `json:"low,omitempty"`
	High   *float64   `json:"high,omitempty"`
}

// load takes the bytes of a model file.
func load(args []js.Value) (any, error) {
	file := make([]byte, args[0].Get("byteLength").Int())
	js.CopyBytesToGo(file, args[0])
	m, err := serve.NumberOnly(serve.Read(bytes.NewReader(file)))
	if err != nil {
		return nil, err
	}
	last++
	models[last] = held{m, serve.NewSchema(m.Columns(), m.Missing())}
	a := about{ID: last, Target: m.Target().Name}
	for _, f := range m.Columns() {
		c := column{Name: f.Name, Kind: f.Kind, Levels: f.Levels}
		if c.Kind == "" {
			c.Kind = table.Numeric
		}
		for _, in := range m.Inputs() {
			if in.Source() == f.Name && f.Kind != table.Category && in.Part == "" {
				c.Low, c.High = &in.Lo, &in.Hi
			}
		}
		a.Columns = append(a.Columns, c)
	}
	return a, nil
}

// drop forgets a model.
func drop(args []js.Value) (any, error) {
	delete(models, args[0].Int())
	return nil, nil
}

// options are those of a prediction.
type options struct {
	Level     float64           `json:"level"`
	Interval  model.Interval    `json:"interval"`
	Quantiles []float64         `json:"quantiles"`
	Range     *predictive.Range `json:"range"`
}

// predicted is what is told of a row; what is not known is null.
type predicted struct {
	Mean      *float64   `json:"mean"`
	Std       *float64   `json:"std"`
	Lower     *float64   `json:"lower"`
	Upper     *float64   `json:"upper"`
	InBox     bool       `json:"inBox"`
	Quantiles []*float64 `json:"quantiles,omitempty"`
}

// predict takes a model, rows as JSON and options as JSON.
func predict(args []js.Value) (any, error) {
	h, ok := models[args[0].Int()]
	if !ok {
		return nil, errors.New("the model was dropped")
	}
	var rows []json.RawMessage
	if err := json.Unmarshal([]byte(args[1].String()), &rows); err != nil {
		return nil, fmt.Errorf("rows: %w", err)
	}
	var o options
	d := json.NewDecoder(bytes.NewReader([]byte(args[2].String())))
	d.DisallowUnknownFields()
	var other *json.UnmarshalTypeError
	switch err := d.Decode(&o); {
	case errors.As(err, &other):
		return nil, fmt.Errorf("options: %s cannot be of the type %s", other.Field, other.Value)
	case err != nil:
		return nil, fmt.Errorf("options: %w", err)
	}
	for _, q := range o.Quantiles {
		if !(q > 0 && q < 1) {
			return nil, fmt.Errorf("quantiles: %g; it must be above 0 and below 1", q)
		}
	}
	columns := make([][]float64, len(h.model.Columns()))
	for i, text := range rows {
		row, err := h.schema.RowOfJSON(text)
		if err != nil {
			return nil, fmt.Errorf("row %d: %w", i+1, err)
		}
		for k, v := range row {
			columns[k] = append(columns[k], v)
		}
	}
	p, err := h.model.NewPredictor(model.PredictOptions{Workers: 1, Level: o.Level, Interval: o.Interval, Range: o.Range})
	if err != nil {
		return nil, err
	}
	defer p.Close()
	var out model.Predictions
	if err := p.Predict(context.Background(), columns, &out); err != nil {
		return nil, err
	}
	all := make([]predicted, len(rows))
	for i := range all {
		all[i] = predicted{number(out.Mean[i]), number(out.Std[i]), number(out.Lower[i]), number(out.Upper[i]), out.InBox[i], nil}
		for _, q := range o.Quantiles {
			v := out.Location[i] // NaN of a row without a prediction
			if v == v {
				v = out.Distribution(i).Quantile(q)
			}
			all[i].Quantiles = append(all[i].Quantiles, number(v))
		}
	}
	return all, nil
}

// number is one that JSON can write, nil for another.
func number(v float64) *float64 {
	if v-v != 0 {
		return nil
	}
	return &v
}
