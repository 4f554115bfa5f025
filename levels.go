package beziergp

import (
	"beziergp/box"
	"beziergp/dataset"
	"beziergp/internal/process/basis"
	"beziergp/model/modelfile"
	"beziergp/table"
	"beziergp/train"
)

// levels returns what returns all levels of the categories of which so many at least share a node; nil where there are none, or no file
// could hold them.
func (o Options) levels(s *dataset.Set, bases []basis.Basis, least int) (func() ([]train.Levels, error), error) {
	if least == 0 {
		return nil, nil
	}
	given, err := s.Levels(least)
	if len(given) == 0 || err != nil || modelfile.CheckStorable(s.Targets[0].Name, s.With(given)) != nil {
		return nil, err
	}
	return func() (all []train.Levels, err error) {
		codes, err := s.Codes(given, o.Workers)
		if err != nil {
			return nil, err
		}
		for k, l := range given {
			own := train.Levels{Input: l.Input, All: l.All, Own: len(s.Inputs[l.Input].Levels), Codes: make([]float32, s.Rows)}
			for row := range own.Codes {
				own.Codes[row] = codes[row*len(given)+k]
			}
			if own.Basis, err = train.PooledOf(l.All, own.Own, bases[l.Input]); err != nil {
				return nil, err
			}
			all = append(all, own)
		}
		return all, nil
	}, nil
}

// keptOf returns the inputs of a set that a result has, with its levels.
func keptOf(inputs []box.Input, result *train.Result) (kept []box.Input) {
	for k, i := range result.Kept {
		in := inputs[i]
		if in.Kind == table.Category {
			in = result.Inputs[k]
		}
		kept = append(kept, in)
	}
	return kept
}
