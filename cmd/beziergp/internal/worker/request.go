//go:build !lean && !wasm

package worker

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"strings"

	"beziergp/analysis"
	"beziergp/box"
	"beziergp/cmd/beziergp/internal/apply"
	"beziergp/cmd/beziergp/internal/exit"
	"beziergp/explain"
	"beziergp/measure"
	"beziergp/model"
	"beziergp/serve"
	"beziergp/table"
	"beziergp/tablefile"
)

// request is one that is carried out.
type request struct {
	envelope
	ctx     context.Context
	body    []byte
	models  store
	answers *answers
}

// store holds models by the names that the asker gave them. One request has it at a time.
type store map[string]serve.Model

// verbs are what can be asked for, each with what carries it out.
var verbs = map[string]func(*request) (result any, body []byte, err error){
	"fit":          fit,
	"load":         load,
	"predict":      predict,
	"covariance":   covariance,
	"distribution": distribution,
	"explain":      explainRows,
	"gradient":     gradient,
	"effects":      effects,
	"sensitivity":  sensitivity,
	"integrate":    integrate,
	"sample":       sample,
	"inspect":      inspectModel,
	"export":       exportModel,
	"numbers":      numbersOfRows,
}

// read reads the options of the verb.
func (r *request) read(options any) error {
	if r.Options == nil {
		return nil
	}
	err := strict(r.Options, options)
	var wrong *json.UnmarshalTypeError // whose own words are those of a programmer in Go
	if errors.As(err, &wrong) {
		name := wrong.Field[strings.LastIndex(wrong.Field, ".")+1:]
		return exit.Usagef("%s: a %s is not what it takes; see its documentation", name, wrong.Value)
	}
	if err != nil {
		return exit.Usagef("%s: %w", r.Verb, err)
	}
	return nil
}

// model returns the model of a name.
func (r *request) model(name string) (serve.Model, error) {
	m, ok := r.models[name]
	if !ok {
		return nil, exit.Usagef("there is no model %q here: load it", name)
	}
	return m, nil
}

// process returns the Bézier process of a name.
func (r *request) process(name string) (*model.Model, error) {
	m, err := r.model(name)
	if err != nil {
		return nil, err
	}
	p, ok := m.(*model.Model)
	if !ok {
		return nil, exit.Dataf("the model is of another method than bezier, which has no %s", r.Verb)
	}
	return p, nil
}

// function is what requests have that ask for a function: of a model of a number the process
// itself, of others the law's natural parameter, of a class where there are three or more.
type function struct {
	Model string `json:"model"`
	Class string `json:"class"`
}

// of returns the function as a model, which has no offset.
func (f *function) of(r *request) (*model.Model, error) {
	m, err := r.process(f.Model)
	if err != nil {
		return nil, err
	}
	own, err := apply.Function(m, f.Class)
	if err != nil {
		return nil, err
	}
	return own.(*model.Model), nil
}

// at returns the function, and the first table of the body by its columns.
func (f *function) at(r *request) (*model.Model, *table.Table, error) {
	m, err := f.of(r)
	if err != nil {
		return nil, nil, err
	}
	rows, err := r.rows(0, m)
	return m, rows, err
}

// part returns one of the streams of the body; nil where there are fewer.
func (r *request) part(i int) ([]byte, error) {
	if r.Parts == nil {
		if i == 0 && len(r.body) > 0 {
			return r.body, nil
		}
		return nil, nil
	}
	at := 0
	for k, n := range r.Parts {
		if n < 0 || n > len(r.body)-at {
			return nil, exit.Usagef("%s: the parts %v are none of a body of %d bytes", r.Verb, r.Parts, len(r.body))
		}
		if k == i {
			return r.body[at : at+n], nil
		}
		at += n
	}
	return nil, nil
}

// tables are the names that messages give to the tables of a request.
var tables = []string{"X", "the second table"}

// rows reads a table of the body by the columns of a model.
func (r *request) rows(part int, m serve.Model) (*table.Table, error) {
	stream, err := r.part(part)
	if err != nil {
		return nil, err
	}
	if stream == nil {
		return nil, exit.Usagef("%s: there are no rows", r.Verb)
	}
	reader, err := tablefile.NewArrowReader(stream, tables[part], tablefile.Options{Context: r.ctx, Schema: m.Columns(), Missing: m.Missing()})
	if err != nil {
		return nil, err
	}
	defer reader.Close()
	names := make([]string, len(m.Columns()))
	for k, c := range m.Columns() {
		names[k] = c.Name
	}
	if err := reader.Select(names...); err != nil {
		return nil, err
	}
	return reader.ReadAll(r.ctx)
}

// load puts a model file under a name. A file of several targets it answers by a file of each,
// one behind the other, of which any can be loaded.
func load(r *request) (any, []byte, error) {
	var o struct {
		Model string `json:"model"`
	}
	if err := r.read(&o); err != nil {
		return nil, nil, err
	}
	models, err := serve.ReadOutputs(bytes.NewReader(r.body))
	if err != nil {
		return nil, nil, err
	}
	result := aboutAll(models)
	if len(models) == 1 {
		r.models[o.Model] = models[0]
		return result, nil, nil
	}
	var files bytes.Buffer
	for k, m := range models {
		before := files.Len()
		if err := m.Write(&files); err != nil {
			return nil, nil, err
		}
		result.Outputs[k].Bytes = files.Len() - before
	}
	return result, files.Bytes(), nil
}

// known is what is told of a model that was fitted or loaded.
type known struct {
	Columns []column `json:"columns"`
	Target  string   `json:"target"`
	Rival   bool     `json:"rival,omitempty"` // of another method
	// Likelihood is the name of the law of a Bézier process.
	Likelihood string `json:"likelihood,omitempty"`
	// Classes are the names of those of the target, in the order of their probabilities, and
	// Truths tells that they are false and true.
	Classes []string `json:"classes,omitempty"`
	Truths  bool     `json:"truths,omitempty"`
	// Labels are the names of the labels whose rows a fit was told, in their order.
	Labels []string `json:"labels,omitempty"`
	// Offset is a column that predictions need, the last one of Columns.
	Offset *box.OffsetColumn `json:"offset,omitempty"`
	// Interrupted says that a fit was, and that this is the best model until then.
	Interrupted bool `json:"interrupted,omitempty"`
	// Outputs are the models of several targets, and nothing else is told then. Bytes is the
	// length of the file of one of them in the body.
	Outputs []known `json:"outputs,omitempty"`
	Bytes   int     `json:"bytes,omitempty"`
}

type column struct {
	Name string     `json:"name"`
	Kind table.Kind `json:"kind"`
	// Parts are the columns that this one is made of.
	Parts []string `json:"parts,omitempty"`
}

// aboutAll tells of one model, or of those of several targets.
func aboutAll[M serve.Model](models []M) (all known) {
	if len(models) == 1 {
		return about(models[0])
	}
	for _, m := range models {
		all.Outputs = append(all.Outputs, about(m))
	}
	return all
}

func about(m serve.Model) known {
	k := known{Target: m.Target().Name}
	for _, c := range m.Columns() {
		if c.Kind == "" {
			c.Kind = table.Numeric
		}
		k.Columns = append(k.Columns, column{c.Name, c.Kind, c.Parts})
	}
	own, ok := m.(*model.Model)
	if k.Rival = !ok; ok {
		k.Likelihood, k.Offset = own.Likelihood().Name(), own.Offset()
		k.Classes, k.Truths = own.Classes(), own.Target().Kind == table.Boolean
	}
	return k
}

// kind returns that of an error: whose fault it is.
func kind(err error) string {
	if is[*analysis.InputError](err) || is[*measure.LawError](err) || is[*measure.OutsideError](err) {
		return "usage"
	}
	if is[*table.UnknownError](err) || is[box.RowError](err) || errors.Is(err, explain.ErrNeighbours) || errors.Is(err, analysis.ErrNoRows) {
		return "data"
	}
	switch exit.Classify(err) {
	case exit.Interrupted:
		return "interrupted"
	case exit.Usage:
		return "usage"
	case exit.Data:
		return "data"
	}
	return "failed"
}

func is[T error](err error) bool {
	var target T
	return errors.As(err, &target)
}
