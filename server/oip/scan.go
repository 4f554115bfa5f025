package oip

import (
	"encoding/json"
	"math"
	"strconv"
)

// setJSON reads the n elements of a tensor from a JSON array, flat or nested as the shape is.
// The text is valid JSON.
func (t *Tensor) setJSON(data []byte, n int) error {
	if err := t.Datatype.check(t.Name); err != nil {
		return err
	}
	if data[0] != '[' {
		return Errorf(Invalid, "tensor %s: data is no array", quoted(t.Name))
	}
	t.Values = Values{}
	// An element takes two bytes at least, so that a shape that lies allocates nothing.
	room := min(n, len(data)/2+1)
	switch datatypes[t.Datatype].family {
	case truths:
		t.Truths = make([]bool, 0, room)
	case unsigned:
		t.Unsigned = make([]uint64, 0, room)
	case integers:
		t.Integers = make([]int64, 0, room)
	case floats:
		t.Floats = make([]float64, 0, room)
	case texts:
		t.Texts = make([]string, 0, room)
	}
	count := 0
	for at := 0; at < len(data); {
		switch c := data[at]; c {
		case ' ', '\t', '\n', '\r', ',', '[', ']':
			at++
			continue
		case '{':
			return Errorf(Invalid, "tensor %s: element %d is an object", quoted(t.Name), count)
		}
		end := tokenEnd(data, at)
		if count == n {
			return Errorf(Invalid, "tensor %s: more than the %d elements that the shape %v says", quoted(t.Name), n, t.Shape)
		}
		if err := t.add(data[at:end], count); err != nil {
			return err
		}
		at, count = end, count+1
	}
	if count != n {
		return Errorf(Invalid, "tensor %s: %d elements, and the shape %v says %d", quoted(t.Name), count, t.Shape, n)
	}
	return nil
}

// tokenEnd returns where the text, the number or the word that begins at a place ends.
func tokenEnd(data []byte, at int) int {
	if data[at] == '"' {
		for at++; at < len(data) && data[at] != '"'; at++ {
			if data[at] == '\\' {
				at++
			}
		}
		return min(at+1, len(data))
	}
	for at < len(data) {
		switch data[at] {
		case ' ', '\t', '\n', '\r', ',', '[', ']', '{', '}', '"':
			return at
		}
		at++
	}
	return at
}

// add reads element i, which a token is.
func (t *Tensor) add(token []byte, i int) error {
	kind := datatypes[t.Datatype].family
	if string(token) == "null" || kind != texts && string(token) == `""` {
		return t.addMissing(kind, i)
	}
	ok := false
	switch kind {
	case truths:
		t.Truths = append(t.Truths, string(token) == "true" || string(token) == "1")
		ok = string(token) == "true" || string(token) == "false" || string(token) == "1" || string(token) == "0"
	case unsigned:
		v, err := strconv.ParseUint(string(token), 10, 8*datatypes[t.Datatype].size)
		t.Unsigned, ok = append(t.Unsigned, v), err == nil
	case integers:
		v, err := strconv.ParseInt(string(token), 10, 8*datatypes[t.Datatype].size)
		t.Integers, ok = append(t.Integers, v), err == nil
	case floats:
		if token[0] == '"' {
			break
		}
		bits := 64
		if t.Datatype != FP64 { // FP16 has fewer, and is rounded as FP32 is
			bits = 32
		}
		v, err := strconv.ParseFloat(string(token), bits)
		t.Floats, ok = append(t.Floats, v), err == nil
	case texts:
		var text string
		if ok = token[0] == '"' && json.Unmarshal(token, &text) == nil; !ok && isNumber(token) {
			text, ok = string(token), true
		}
		t.Texts = append(t.Texts, text)
	}
	if !ok {
		return Errorf(Invalid, "tensor %s: element %d, %s, is no %s", quoted(t.Name), i, quoted(string(token)), t.Datatype)
	}
	return nil
}

// isNumber tells whether a valid token of JSON is a number.
func isNumber(token []byte) bool { return token[0] == '-' || token[0] >= '0' && token[0] <= '9' }

func (t *Tensor) addMissing(kind family, i int) error {
	switch kind {
	case truths:
		t.Truths = append(t.Truths, false)
	case unsigned:
		t.Unsigned = append(t.Unsigned, 0)
	case integers:
		t.Integers = append(t.Integers, 0)
	case floats:
		t.Floats = append(t.Floats, math.NaN())
		return nil
	case texts:
		t.Texts = append(t.Texts, "")
	}
	t.miss(i)
	return nil
}
