package modelfile

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"
)

// Unmarshal is [json.Unmarshal] for an object in which no name stands twice, neither in
// other letters, where the last would win.
func Unmarshal(text []byte, v any) error {
	d := json.NewDecoder(bytes.NewReader(text))
	if err := checkNames(d); err != nil && err != io.EOF {
		return err
	}
	return json.Unmarshal(text, v)
}

// checkNames goes through the next value.
func checkNames(d *json.Decoder) error {
	t, err := d.Token()
	if err != nil {
		return err
	}
	switch t {
	case json.Delim('{'):
		var seen map[string]bool
		for d.More() {
			t, err := d.Token()
			if err != nil {
				return err
			}
			name := strings.ToLower(fmt.Sprint(t))
			if seen[name] {
				return fmt.Errorf("%.40q stands twice", name)
			}
			if seen == nil {
				seen = map[string]bool{}
			}
			seen[name] = true
			if err := checkNames(d); err != nil {
				return err
			}
		}
	case json.Delim('['):
		for d.More() {
			if err := checkNames(d); err != nil {
				return err
			}
		}
	default:
		return nil
	}
	_, err = d.Token()
	return err
}

// Each decodes the members of a JSON list one after the other, until visit fails: a
// list of things that are none is not made.
func Each[T any](text []byte, visit func(T) error) error {
	d := json.NewDecoder(bytes.NewReader(text))
	if t, err := d.Token(); err == io.EOF {
		return nil // no list at all
	} else if err != nil {
		return err
	} else if t == nil { // null
		return nil
	} else if t != json.Delim('[') {
		return fmt.Errorf("%v where a list should be", t)
	}
	var v T
	for d.More() {
		var none T
		v = none
		if err := d.Decode(&v); err != nil {
			return err
		}
		if err := visit(v); err != nil {
			return err
		}
	}
	return nil
}
