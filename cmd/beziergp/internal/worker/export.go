//go:build !lean && !wasm

package worker

import (
	"bytes"

	"beziergp/cmd/beziergp/internal/exit"
	"beziergp/cmd/beziergp/internal/version"
	"beziergp/export/onnx"
)

// exportModel returns a model in another format as the body.
func exportModel(r *request) (any, []byte, error) {
	var o struct {
		Model string `json:"model"`
		To    string `json:"to"`
	}
	if err := r.read(&o); err != nil {
		return nil, nil, err
	}
	m, err := r.process(o.Model)
	if err != nil {
		return nil, nil, err
	}
	if o.To != "onnx" {
		return nil, nil, exit.Usagef("to: there is no format %q; there is onnx", o.To)
	}
	var file bytes.Buffer
	if err := onnx.Write(&file, m, onnx.Options{Version: version.Short()}); err != nil {
		return nil, nil, exit.Dataf("%w", err)
	}
	return nil, file.Bytes(), nil
}

// numbersOfRows returns the columns of a model, in its order, as numbers, and by what names and
// kinds an export of it takes them. A category is the number of the level, NaN where it is missing.
func numbersOfRows(r *request) (any, []byte, error) {
	var o struct {
		Model string `json:"model"`
	}
	if err := r.read(&o); err != nil {
		return nil, nil, err
	}
	m, err := r.process(o.Model)
	if err != nil {
		return nil, nil, err
	}
	rows, err := r.rows(0, m)
	if err != nil {
		return nil, nil, err
	}
	picked, err := m.Numbers(rows)
	if err != nil {
		return nil, nil, err
	}
	var s stream
	for k, c := range m.Columns() {
		s.numbers(c.Name, picked[k])
	}
	body, err := s.bytes()
	return struct {
		Inputs []onnx.Input `json:"inputs"`
	}{onnx.Describe(m).Inputs}, body, err
}
