package oip

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"io"
	"slices"
	"strings"
	"unicode/utf8"
)

// jsonRequest is an inference request as JSON has it.
type jsonRequest struct {
	ID         string         `json:"id"`
	Parameters map[string]any `json:"parameters"`
	Inputs     []struct {
		Name       string          `json:"name"`
		Shape      []int64         `json:"shape"`
		Datatype   Datatype        `json:"datatype"`
		Parameters map[string]any  `json:"parameters"`
		Data       json.RawMessage `json:"data"`
	} `json:"inputs"`
	Outputs []struct {
		Name       string         `json:"name"`
		Parameters map[string]any `json:"parameters"`
	} `json:"outputs"`
}

// ParseInferRequest reads a request: JSON in the first header bytes of the body, and behind
// it the tensors that the JSON says are binary, one after another. most is the number of
// elements that a tensor may have. The body is not kept, but may be changed.
func ParseInferRequest(body []byte, header, most int) (*InferRequest, error) {
	if header < 0 || header > len(body) {
		return nil, Errorf(Invalid, "Inference-Header-Content-Length is %d, of a body of %d bytes", header, len(body))
	}
	if !utf8.Valid(body[:header]) {
		return nil, Errorf(Invalid, "the request is not UTF-8, as JSON is; send it as UTF-8, or texts as a binary tensor")
	}
	text, tail := withoutNaN(body[:header]), body[header:]
	var in jsonRequest
	if err := decode(text, &in); err != nil {
		return nil, Errorf(Invalid, "the request is no inference request in JSON: %s", jsonProblem(err))
	}
	if len(in.Inputs) == 0 {
		return nil, Errorf(Invalid, `the request has no inputs; send {"inputs": [{"name": …, "shape": …, "datatype": …, "data": …}, …]}`)
	}
	r := &InferRequest{ID: in.ID, Inputs: make([]Tensor, len(in.Inputs))}
	var err error
	if r.Parameters, err = parameters(in.Parameters); err != nil {
		return nil, err
	}
	for i := range in.Inputs {
		from, t := &in.Inputs[i], &r.Inputs[i]
		t.Name, t.Datatype, t.Shape = from.Name, from.Datatype, from.Shape
		if t.Parameters, err = parameters(from.Parameters); err != nil {
			return nil, err
		}
		if tail, err = t.fill(from.Data, tail, most); err != nil {
			return nil, err
		}
	}
	if len(tail) > 0 {
		return nil, Errorf(Invalid, "%d bytes follow the tensors; the binary_data_size of all inputs together must be what follows the JSON", len(tail))
	}
	for _, out := range in.Outputs {
		p, err := parameters(out.Parameters)
		if err != nil {
			return nil, err
		}
		r.Outputs = append(r.Outputs, RequestedOutput{out.Name, p})
	}
	return r, nil
}

// fill reads a tensor's elements from its JSON, or from the front of the tail, of which it
// returns the rest.
func (t *Tensor) fill(data json.RawMessage, tail []byte, most int) ([]byte, error) {
	rows, width, err := t.Rows(most)
	if err != nil {
		return nil, err
	}
	size, binary := t.Parameters["binary_data_size"]
	if !binary {
		if len(data) == 0 {
			return nil, Errorf(Invalid, "tensor %s has no data, and no parameter binary_data_size", quoted(t.Name))
		}
		return tail, t.setJSON(data, rows*width)
	}
	if len(data) > 0 {
		return nil, Errorf(Invalid, "tensor %s has data and binary_data_size; give one", quoted(t.Name))
	}
	n, ok := size.(int64)
	if !ok || n < 0 || n > int64(len(tail)) {
		return nil, Errorf(Invalid, "tensor %s: binary_data_size is %v, and %d bytes are left of the body", quoted(t.Name), size, len(tail))
	}
	return tail[n:], t.SetBinary(tail[:n], rows*width)
}

// decode reads one JSON value and nothing behind it.
func decode(text []byte, into any) error {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	if err := d.Decode(into); err != nil {
		return err
	}
	if _, err := d.Token(); err != io.EOF {
		return Errorf(Invalid, "something follows the object")
	}
	return nil
}

// jsonProblem is what encoding/json says, without the names of Go.
func jsonProblem(err error) string {
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		return "it ends too soon"
	}
	var wrong *json.UnmarshalTypeError
	if errors.As(err, &wrong) && mustBe[wrong.Field] != "" {
		return cmp.Or(wrong.Field, "the request") + " must be " + mustBe[wrong.Field]
	}
	return strings.TrimPrefix(err.Error(), "json: ")
}

// mustBe is what the fields of a [jsonRequest] hold; the request itself has no name.
var mustBe = map[string]string{
	"": "an object", "id": "a text", "parameters": "an object",
	"inputs": "an array of tensors", "inputs.name": "a text", "inputs.shape": "an array of whole numbers", "inputs.datatype": "a text", "inputs.parameters": "an object",
	"outputs": "an array of objects", "outputs.name": "a text", "outputs.parameters": "an object",
}

// parameters returns parameters as [Parameters] have them.
func parameters(in map[string]any) (Parameters, error) {
	if in == nil {
		return nil, nil
	}
	out := make(Parameters, len(in))
	for name, v := range in {
		plain, err := parameter(name, v)
		if err != nil {
			return nil, err
		}
		out[name] = plain
	}
	return out, nil
}

func parameter(name string, v any) (any, error) {
	switch v := v.(type) {
	case bool, string:
		return v, nil
	case json.Number:
		if n, err := v.Int64(); err == nil {
			return n, nil
		}
		f, err := v.Float64()
		if err != nil {
			return nil, Errorf(Invalid, "parameter %s: %s is out of range", quoted(name), v)
		}
		return f, nil
	case []any:
		list := make([]any, len(v))
		for i := range v {
			if _, nested := v[i].([]any); nested {
				return nil, Errorf(Invalid, "parameter %s: a list in a list", quoted(name))
			}
			var err error
			if list[i], err = parameter(name, v[i]); err != nil {
				return nil, err
			}
		}
		return list, nil
	}
	return nil, Errorf(Invalid, "parameter %s: give a number, a text or a truth value", quoted(name))
}

// withoutNaN replaces NaN, which Python writes and JSON has not, by an empty text, which is
// as long and a missing value, too. It changes text.
func withoutNaN(text []byte) []byte {
	if !bytes.Contains(text, []byte("NaN")) {
		return text
	}
	inside := false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case inside && c == '\\':
			i++
		case c == '"':
			inside = !inside
		case !inside && c == 'N' && bytes.HasPrefix(text[i:], []byte("NaN")):
			copy(text[i:], `"" `)
			i += 2
		}
	}
	return text
}

// Names returns the names of parameters in order.
func (p Parameters) Names() []string {
	names := make([]string, 0, len(p))
	for name := range p {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}
