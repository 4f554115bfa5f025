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

// jsonTensor is an input of a request as JSON has it.
type jsonTensor struct {
	Name       string          `json:"name"`
	Shape      jsonShape       `json:"shape"`
	Datatype   Datatype        `json:"datatype"`
	Parameters jsonParameters  `json:"parameters"`
	Data       json.RawMessage `json:"data"`
}

// jsonOutput is an output that a request names.
type jsonOutput struct {
	Name       string         `json:"name"`
	Parameters jsonParameters `json:"parameters"`
}

// What a request has besides data is short; a list as long as a body may be takes more memory
// than its text, many times over, and is not read.
const (
	mostExtents    = 32
	mostParameters = 1 << 20 // bytes
)

type jsonShape []int64

func (s *jsonShape) UnmarshalJSON(text []byte) error {
	if bytes.Count(text, []byte(",")) >= mostExtents {
		return Errorf(Invalid, "inputs.shape has more than %d extents; give [rows] or [rows, 1]", mostExtents)
	}
	if json.Unmarshal(text, (*[]int64)(s)) != nil {
		return fieldError("inputs.shape")
	}
	return nil
}

type jsonParameters map[string]any

func (p *jsonParameters) UnmarshalJSON(text []byte) error {
	if len(text) > mostParameters {
		return Errorf(TooLarge, "the parameters have more than %d bytes; leave out what is no parameter", mostParameters)
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	if d.Decode((*map[string]any)(p)) != nil {
		return fieldError("parameters")
	}
	return nil
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
	p := &parser{d: json.NewDecoder(bytes.NewReader(withoutNaN(body[:header]))), tail: body[header:], most: most}
	p.d.UseNumber()
	if err := p.request(); err != nil {
		var own *Error
		if errors.As(err, &own) {
			return nil, err
		}
		return nil, Errorf(Invalid, "the request is no inference request in JSON: %s", jsonProblem(err))
	}
	if len(p.r.Inputs) == 0 {
		return nil, Errorf(Invalid, `the request has no inputs; send {"inputs": [{"name": …, "shape": …, "datatype": …, "data": …}, …]}`)
	}
	if len(p.tail) > 0 {
		return nil, Errorf(Invalid, "%d bytes follow the tensors; the binary_data_size of all inputs together must be what follows the JSON", len(p.tail))
	}
	return &p.r, nil
}

// parser reads a request. It takes tensors and outputs one by one, so that the first wrong one
// ends it: a list of very many small things takes more memory than its text, many times over.
type parser struct {
	d    *json.Decoder
	tail []byte // binary tensors
	most int
	r    InferRequest
}

// fieldError reports a field that does not hold what it must.
type fieldError string

func (e fieldError) Error() string {
	return cmp.Or(string(e), "the request") + " must be " + mustBe[string(e)]
}

func (p *parser) request() error {
	if err := p.open('{', ""); err != nil {
		return err
	}
	seen := map[string]bool{}
	for p.d.More() {
		t, err := p.d.Token()
		if err != nil {
			return err
		}
		field := t.(string) // as what stands before a colon is
		if seen[field] {
			return Errorf(Invalid, "%s stands twice in the request", quoted(field))
		}
		seen[field] = true
		if err := p.field(field); err != nil {
			return err
		}
	}
	if _, err := p.d.Token(); err != nil {
		return err
	}
	if _, err := p.d.Token(); err != io.EOF {
		return Errorf(Invalid, "something follows the request")
	}
	return nil
}

func (p *parser) field(name string) error {
	switch name {
	case "id":
		return p.value(&p.r.ID, name)
	case "parameters":
		var all jsonParameters
		err := p.value(&all, name)
		if err == nil {
			p.r.Parameters, err = parameters(all)
		}
		return err
	case "inputs":
		return p.each(name, p.input)
	case "outputs":
		return p.each(name, p.output)
	}
	var other json.RawMessage // of clients of other servers
	return p.d.Decode(&other)
}

// open reads the beginning of an object or of an array.
func (p *parser) open(want json.Delim, field string) error {
	t, err := p.d.Token()
	if err == nil && t != want {
		err = fieldError(field)
	}
	return err
}

// value reads a value of a field.
func (p *parser) value(into any, field string) error {
	err := p.d.Decode(into)
	var wrong *json.UnmarshalTypeError
	if errors.As(err, &wrong) {
		if within := strings.TrimPrefix(field+"."+wrong.Field, "."); wrong.Field != "" && mustBe[within] != "" {
			return fieldError(within)
		}
		return fieldError(field)
	}
	return err
}

// each reads the elements of an array; null is none.
func (p *parser) each(field string, read func() error) error {
	switch t, err := p.d.Token(); {
	case err != nil:
		return err
	case t == nil:
		return nil
	case t != json.Delim('['):
		return fieldError(field)
	}
	for p.d.More() {
		if err := read(); err != nil {
			return err
		}
	}
	_, err := p.d.Token()
	return err
}

func (p *parser) input() error {
	var from jsonTensor
	if err := p.value(&from, "inputs"); err != nil {
		return err
	}
	t := Tensor{Name: from.Name, Datatype: from.Datatype, Shape: from.Shape}
	var err error
	if t.Parameters, err = parameters(from.Parameters); err != nil {
		return err
	}
	if p.tail, err = t.fill(from.Data, p.tail, p.most); err != nil {
		return err
	}
	p.r.Inputs = append(p.r.Inputs, t)
	return nil
}

func (p *parser) output() error {
	var from jsonOutput
	if err := p.value(&from, "outputs"); err != nil {
		return err
	}
	if from.Name == "" {
		return Errorf(Invalid, "output %d of the request has no name", len(p.r.Outputs)+1)
	}
	own, err := parameters(from.Parameters)
	if err != nil {
		return err
	}
	p.r.Outputs = append(p.r.Outputs, RequestedOutput{from.Name, own})
	return nil
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

// jsonProblem is what encoding/json says, without the names of Go.
func jsonProblem(err error) string {
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		return "it ends too soon"
	}
	return strings.TrimPrefix(err.Error(), "json: ")
}

// mustBe is what the fields of a request hold; the request itself has no name.
var mustBe = map[string]string{
	"": "an object", "id": "a text", "parameters": "an object",
	"inputs": "an array of tensors", "inputs.name": "a text", "inputs.shape": "an array of whole numbers", "inputs.datatype": "a text",
	"outputs": "an array of objects", "outputs.name": "a text",
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
