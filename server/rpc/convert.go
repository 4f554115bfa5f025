package rpc

import (
	"encoding/json"
	"math"

	"beziergp/server/oip"
	"beziergp/server/rpc/inference"
)

// request returns a message as a request; most is how many elements a tensor may have.
func request(in *inference.ModelInferRequest, most int) (*oip.InferRequest, error) {
	raw := in.GetRawInputContents()
	if len(raw) > 0 && len(raw) != len(in.GetInputs()) {
		return nil, oip.Errorf(oip.Invalid, "%d raw contents for %d inputs; send them for all or for none", len(raw), len(in.GetInputs()))
	}
	if len(in.GetInputs()) == 0 {
		return nil, oip.Errorf(oip.Invalid, "the request has no inputs")
	}
	r := &oip.InferRequest{ID: in.GetId(), Inputs: make([]oip.Tensor, len(in.GetInputs()))}
	var err error
	if r.Parameters, err = parameters(in.GetParameters()); err != nil {
		return nil, err
	}
	for i, from := range in.GetInputs() {
		t := &r.Inputs[i]
		t.Name, t.Datatype, t.Shape = from.GetName(), oip.Datatype(from.GetDatatype()), from.GetShape()
		if t.Parameters, err = parameters(from.GetParameters()); err != nil {
			return nil, err
		}
		rows, width, err := t.Rows(most)
		if err != nil {
			return nil, err
		}
		if len(raw) == 0 {
			err = setContents(t, from.GetContents(), rows*width)
		} else if from.GetContents() != nil {
			err = oip.Errorf(oip.Invalid, "input %q has contents, and raw contents; send one", t.Name)
		} else {
			err = t.SetBinary(raw[i], rows*width)
		}
		if err != nil {
			return nil, err
		}
	}
	for _, out := range in.GetOutputs() {
		p, err := parameters(out.GetParameters())
		if err != nil {
			return nil, err
		}
		r.Outputs = append(r.Outputs, oip.RequestedOutput{Name: out.GetName(), Parameters: p})
	}
	return r, nil
}

// setContents reads the n elements of a tensor from the field of its datatype.
func setContents(t *oip.Tensor, c *inference.InferTensorContents, n int) error {
	filled := 0
	for _, have := range []int{len(c.GetBoolContents()), len(c.GetIntContents()), len(c.GetInt64Contents()), len(c.GetUintContents()),
		len(c.GetUint64Contents()), len(c.GetFp32Contents()), len(c.GetFp64Contents()), len(c.GetBytesContents())} {
		filled += min(have, 1)
	}
	switch t.Datatype {
	case oip.Bool:
		t.Truths = c.GetBoolContents()
	case oip.Int8, oip.Int16, oip.Int32:
		t.Integers = widened[int64](c.GetIntContents())
	case oip.Int64:
		t.Integers = c.GetInt64Contents()
	case oip.Uint8, oip.Uint16, oip.Uint32:
		t.Unsigned = widened[uint64](c.GetUintContents())
	case oip.Uint64:
		t.Unsigned = c.GetUint64Contents()
	case oip.FP32:
		t.Floats = widened[float64](c.GetFp32Contents())
	case oip.FP64:
		t.Floats = c.GetFp64Contents()
	case oip.Bytes:
		t.Texts = make([]string, len(c.GetBytesContents()))
		for i, text := range c.GetBytesContents() {
			t.Texts[i] = string(text)
		}
	default:
		return oip.Errorf(oip.Invalid, "input %q: datatype %q has no contents; take BOOL, INT8 to INT64, UINT8 to UINT64, FP32, FP64 or BYTES, or raw contents", t.Name, t.Datatype)
	}
	if t.Len() != n || filled > 1 {
		return oip.Errorf(oip.Invalid, "input %q: %d elements of %s in its contents, and the shape %v says %d", t.Name, t.Len(), t.Datatype, t.Shape, n)
	}
	return nil
}

func widened[T, F int32 | int64 | uint32 | uint64 | float32 | float64](from []F) []T {
	to := make([]T, len(from))
	for i, v := range from {
		to[i] = T(v)
	}
	return to
}

func parameters(in map[string]*inference.InferParameter) (oip.Parameters, error) {
	if in == nil {
		return nil, nil
	}
	out := make(oip.Parameters, len(in))
	for name, v := range in {
		switch v := v.GetParameterChoice().(type) {
		case *inference.InferParameter_BoolParam:
			out[name] = v.BoolParam
		case *inference.InferParameter_Int64Param:
			out[name] = v.Int64Param
		case *inference.InferParameter_StringParam:
			out[name] = v.StringParam
		case *inference.InferParameter_DoubleParam:
			out[name] = v.DoubleParam
		case *inference.InferParameter_Uint64Param:
			if v.Uint64Param > math.MaxInt64 {
				return nil, oip.Errorf(oip.Invalid, "parameter %q: %d is out of range", name, v.Uint64Param)
			}
			out[name] = int64(v.Uint64Param)
		default:
			return nil, oip.Errorf(oip.Invalid, "parameter %q has no value", name)
		}
	}
	return out, nil
}

// response returns a response as a message, with raw contents where the request had them.
func response(r *oip.InferResponse, raw bool) *inference.ModelInferResponse {
	out := &inference.ModelInferResponse{ModelName: r.Model, ModelVersion: r.Version, Id: r.ID}
	for i := range r.Outputs {
		t := &r.Outputs[i]
		to := &inference.ModelInferResponse_InferOutputTensor{Name: t.Name, Datatype: string(t.Datatype), Shape: t.Shape, Parameters: texts(t.Parameters)}
		switch {
		case raw:
			out.RawOutputContents = append(out.RawOutputContents, t.AppendBinary(nil))
		case t.Datatype == oip.Bool:
			to.Contents = &inference.InferTensorContents{BoolContents: t.Truths}
		case t.Datatype == oip.Bytes:
			to.Contents = &inference.InferTensorContents{BytesContents: make([][]byte, len(t.Texts))}
			for k, text := range t.Texts {
				to.Contents.BytesContents[k] = []byte(text)
			}
		default:
			to.Contents = &inference.InferTensorContents{Fp64Contents: t.Floats}
		}
		out.Outputs = append(out.Outputs, to)
	}
	return out
}

// texts returns the parameters of an output. A list, of which messages have none, is sent as
// JSON.
func texts(p oip.Parameters) map[string]*inference.InferParameter {
	if len(p) == 0 {
		return nil
	}
	out := make(map[string]*inference.InferParameter, len(p))
	for name, v := range p {
		text, _ := json.Marshal(v) // lists of texts always are
		out[name] = &inference.InferParameter{ParameterChoice: &inference.InferParameter_StringParam{StringParam: string(text)}}
	}
	return out
}
