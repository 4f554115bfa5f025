//go:build !lean && !wasm

package worker

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync/atomic"

	"beziergp/cmd/beziergp/internal/exit"
	"beziergp/cmd/beziergp/internal/version"
)

// protocol is raised whenever an asker of before would be misunderstood, or refused what it was
// not before.
const protocol = 2

// envelope is what all requests have.
type envelope struct {
	ID    int64    `json:"id"`
	Verb  string   `json:"verb"`
	Drop  []string `json:"drop"`
	Parts []int    `json:"parts"` // lengths of the streams in the body; nil for one
	// Options are the verb's.
	Options json.RawMessage `json:"options"`
}

// answer is the header of a frame to the asker.
type answer struct {
	ID      int64  `json:"id"`
	Event   string `json:"event"`
	Result  any    `json:"result,omitempty"`
	Kind    string `json:"kind,omitempty"` // of an error: "usage", "data", "failed" or "interrupted"
	Message string `json:"message,omitempty"`
}

// hello is the first frame.
type hello struct {
	Event    string `json:"event"`
	Protocol int    `json:"protocol"`
	Version  string `json:"version"`
}

// Run answers the requests that come in until there are no more, or ctx is done.
func Run(ctx context.Context, in io.Reader, out io.Writer) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	w := &answers{w: out}
	if err := w.write(hello{"hello", protocol, version.Short()}, nil); err != nil {
		return err
	}
	var busy atomic.Bool
	interrupt := func() {}
	models := store{}
	for {
		header, body, err := readFrame(in)
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return exit.Usagef("worker: %w", err)
		}
		var e envelope
		if err := strict(header, &e); err != nil {
			return exit.Usagef("worker: a header is no request: %w", err)
		}
		if e.Verb == "cancel" {
			interrupt()
			continue
		}
		if !busy.CompareAndSwap(false, true) {
			refused := answer{ID: e.ID, Event: "error", Kind: "usage", Message: "a request is under way: one is answered after the other"}
			if err := w.write(refused, nil); err != nil {
				return err
			}
			continue
		}
		interrupt() // frees what the last request held
		own, stop := context.WithCancel(ctx)
		interrupt = stop
		r := &request{ctx: own, envelope: e, body: body, models: models, answers: w}
		go func() {
			result, body, err := r.answer()
			busy.Store(false)
			if w.write(r.header(result, err), body) != nil {
				cancel() // who asked is gone, and the end of input will tell
			}
		}()
	}
}

// strict reads a JSON object that has no key beyond those of v.
func strict(text []byte, v any) error {
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(v); err != nil {
		return err
	}
	if d.More() {
		return errors.New("something stands behind the object")
	}
	return nil
}

// header returns that of the answer.
func (r *request) header(result any, err error) answer {
	if err == nil {
		return answer{ID: r.ID, Event: "done", Result: result}
	}
	return answer{ID: r.ID, Event: "error", Kind: kind(err), Message: err.Error()}
}

// answer carries the request out. A fault of the program is an error of the request, and the
// worker goes on.
func (r *request) answer() (result any, body []byte, err error) {
	defer func() {
		if p := recover(); p != nil {
			result, body, err = nil, nil, fmt.Errorf("a fault of the program: %v", p)
		}
	}()
	for _, name := range r.Drop {
		delete(r.models, name)
	}
	verb, ok := verbs[r.Verb]
	if !ok {
		return nil, nil, exit.Usagef("there is no verb %q", r.Verb)
	}
	return verb(r)
}
