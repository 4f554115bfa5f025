package oip

import (
	"encoding/json"
	"maps"
	"math"
	"strconv"
)

// AppendJSON appends a response as JSON to dst. Of outputs that binary marks it has the size
// alone: their elements follow the JSON, by [InferResponse.AppendBinary]. A number that is
// none, and a text that is missing, is null.
func (r *InferResponse) AppendJSON(dst []byte, binary []bool) []byte {
	dst = append(dst, `{"model_name":`...)
	dst = appendText(dst, r.Model)
	dst = append(dst, `,"model_version":`...)
	dst = appendText(dst, r.Version)
	if r.ID != "" {
		dst = append(dst, `,"id":`...)
		dst = appendText(dst, r.ID)
	}
	if len(r.Parameters) > 0 {
		dst = append(dst, `,"parameters":`...)
		dst = r.Parameters.append(dst)
	}
	dst = append(dst, `,"outputs":[`...)
	for i := range r.Outputs {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = r.Outputs[i].appendJSON(dst, binary[i])
	}
	return append(dst, "]}"...)
}

// AppendBinary appends the elements of the outputs that binary marks.
func (r *InferResponse) AppendBinary(dst []byte, binary []bool) []byte {
	for i := range r.Outputs {
		if binary[i] {
			dst = r.Outputs[i].AppendBinary(dst)
		}
	}
	return dst
}

func (t *Tensor) appendJSON(dst []byte, binary bool) []byte {
	dst = append(dst, `{"name":`...)
	dst = appendText(dst, t.Name)
	dst = append(dst, `,"datatype":"`...)
	dst = append(dst, t.Datatype...)
	dst = append(dst, `","shape":[`...)
	for i, extent := range t.Shape {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = strconv.AppendInt(dst, extent, 10)
	}
	dst = append(dst, ']')
	p := t.Parameters
	if binary {
		if p = maps.Clone(p); p == nil {
			p = Parameters{}
		}
		p["binary_data_size"] = t.binarySize()
	}
	if len(p) > 0 {
		dst = append(dst, `,"parameters":`...)
		dst = p.append(dst)
	}
	if binary {
		return append(dst, '}')
	}
	dst = append(dst, `,"data":[`...)
	for i, v := range t.Truths {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = strconv.AppendBool(dst, v)
	}
	for i, v := range t.Floats {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = AppendNumber(dst, v)
	}
	for i, v := range t.Texts {
		if i > 0 {
			dst = append(dst, ',')
		}
		if t.IsMissing(i) {
			dst = append(dst, "null"...)
			continue
		}
		dst = appendText(dst, v)
	}
	return append(dst, "]}"...)
}

// AppendNumber appends a number by the fewest digits that read back as the same float64, and
// null where it is none that JSON has.
func AppendNumber(dst []byte, v float64) []byte {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return append(dst, "null"...)
	}
	return strconv.AppendFloat(dst, v, 'g', -1, 64)
}

func appendText(dst []byte, text string) []byte {
	quoted, _ := json.Marshal(text) // a string always is
	return append(dst, quoted...)
}

func (p Parameters) append(dst []byte) []byte {
	text, _ := json.Marshal(p) // of bool, int64, float64, string and lists of these
	return append(dst, text...)
}
