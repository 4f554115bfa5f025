package safetensors

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
)

// mostMetadata is a number of entries that no file needs.
const mostMetadata = 1000

// named is an entry of a header that was read.
type named struct {
	name string
	entry
}

// parseHeader returns the tensors in the order of their bytes, and the metadata. It
// goes through the text once and keeps little more of it than it says: a header may
// have millions of entries.
func parseHeader(text []byte) ([]named, map[string]string, error) {
	var entries []named
	metadata := map[string]string{}
	described := false
	d := json.NewDecoder(bytes.NewReader(text))
	err := eachMember(d, func(name string) error {
		if name != metadataKey {
			e, err := parseEntry(d)
			if err != nil {
				return fmt.Errorf("tensor %.40q: %w", name, err)
			}
			entries = append(entries, named{name, e})
			return nil
		}
		if described {
			return errors.New("it has metadata twice")
		}
		described = true
		return eachMember(d, func(key string) error {
			if _, twice := metadata[key]; twice {
				return fmt.Errorf("metadata %.40q stand twice", key)
			}
			if len(metadata) == mostMetadata {
				return fmt.Errorf("it has more than %d entries of metadata", mostMetadata)
			}
			var value string
			err := d.Decode(&value)
			metadata[key] = value
			return err
		})
	})
	if err == nil {
		if _, more := d.Token(); more != io.EOF {
			err = errors.New("something follows the JSON")
		}
	}
	if err != nil {
		return nil, nil, fmt.Errorf("%w: header: %v", ErrFormat, err)
	}
	slices.SortFunc(entries, func(a, b named) int { return slices.Compare(a.Offsets[:], b.Offsets[:]) })
	return entries, metadata, nil
}

// parseEntry reads the description of a tensor.
func parseEntry(d *json.Decoder) (e entry, err error) {
	var offsets []int64
	seen := 0
	err = eachMember(d, func(key string) error {
		var bit int
		var to any
		switch key {
		case "dtype":
			bit, to = 1, &e.DType
		case "shape":
			bit, to = 2, &e.Shape
		case "data_offsets":
			bit, to = 4, &offsets
		default:
			return fmt.Errorf("%.40q is unknown", key)
		}
		if seen&bit != 0 {
			return fmt.Errorf("%q stands twice", key)
		}
		seen |= bit
		return d.Decode(to)
	})
	if err == nil && (seen != 7 || len(offsets) != 2) {
		err = errors.New("it lacks its type, its shape or its place")
	}
	if err != nil {
		return e, err
	}
	copy(e.Offsets[:], offsets)
	for _, known := range []string{single, double} {
		if e.DType == known {
			e.DType = known // one text for all tensors
		}
	}
	return e, nil
}

// eachMember reads an object: visit is called with the name of every member, and reads
// its value.
func eachMember(d *json.Decoder, visit func(name string) error) error {
	if t, err := d.Token(); err != nil {
		return err
	} else if t != json.Delim('{') {
		return fmt.Errorf("%v where an object should be", t)
	}
	for d.More() {
		t, err := d.Token()
		if err != nil {
			return err
		}
		name, ok := t.(string)
		if !ok {
			return fmt.Errorf("%v where a name should be", t)
		}
		if err := visit(name); err != nil {
			return err
		}
	}
	_, err := d.Token()
	return err
}
