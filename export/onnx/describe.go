package onnx

import (
	"encoding/hex"

	"beziergp/box"
	"beziergp/model"
	"beziergp/table"
)

// Describe says what the file of a model has, and what it has not.
func Describe(m *model.Model) Description {
	d := Description{
		Target: m.Target().Name,
		Outputs: []Output{
			{Mean, "the predicted mean, in the target's units"},
			{Std, "the deviation of a new observation, noise included, in the target's units"},
			{InBox, "whether all values of the row lie where training rows were"},
		},
		OutOfBox: "clip: values beyond go to the nearer bound, and in_box is false",
		Notes: []string{
			"Every tensor is [rows, 1].",
			"A row with an infinite value, or whose prediction overflows, has NaN, and where a value is infinite in_box is false.",
		},
		Missing: []string{
			"quantiles, intervals and the shape of the distribution",
			"the deviation of the function without noise",
			"which values were clamped",
			"errors about rows",
		},
	}
	if m.Policy() != box.Clip {
		d.OutOfBox = "nan: a row outside has NaN, and in_box is false"
	}
	if m.Output().Conformal > 0 {
		d.Missing = append(d.Missing, "conformal intervals")
	}
	fields := m.Columns()
	names := tensorNames(fields, []string{Mean, Std, InBox})
	for _, f := range fields {
		in := Input{Tensor: names[f.Name], Column: f.Name, Kind: f.Kind}
		switch f.Kind {
		case table.Category:
			in.Holds = "the number of the level, from 0; -1 where it is missing"
			in.Levels = f.Levels
			other := f.Other()
			in.Other = &other
			if rare := len(f.Levels); rare < other {
				in.Rare = &rare
			}
			if p := f.Pooled; p != nil && p.Apart {
				in.RareLevels = &RareLevels{hex.EncodeToString(p.Key[:]), p.Sums}
			}
		case table.DateTime:
			in.Holds = "seconds since the beginning of 1970, UTC; NaN where it is missing"
		case table.Boolean:
			in.Holds = "1 for true, 0 for false; NaN where it is missing"
		default:
			in.Kind = table.Numeric
			in.Holds = "the number; NaN where it is missing"
		}
		d.Inputs = append(d.Inputs, in)
	}
	return d
}
