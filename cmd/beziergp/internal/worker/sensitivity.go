//go:build !lean && !wasm

package worker

import (
	"cmp"
	"runtime"

	"beziergp/analysis"
	"beziergp/cmd/beziergp/internal/exit"
)

type estimate struct {
	Value number `json:"value"`
	Error number `json:"error"`
}

func estimateOf(e analysis.Estimate) estimate { return estimate{number(e.Value), number(e.Error)} }

type group struct {
	Inputs []string `json:"inputs"`
	Closed estimate `json:"closed"`
	Total  estimate `json:"total"`
}

type pair struct {
	Inputs [2]string `json:"inputs"`
	Index  number    `json:"index"`
}

// sensitivity returns Sobol indices.
func sensitivity(r *request) (any, []byte, error) {
	var o struct {
		inputs
		Samples int        `json:"samples"`
		Seed    uint64     `json:"seed"`
		Workers int        `json:"workers"`
		NoPairs bool       `json:"no_pairs"`
		Groups  [][]string `json:"groups"`
	}
	if err := r.read(&o); err != nil {
		return nil, nil, err
	}
	if o.Samples != 0 && o.Samples < analysis.Replicates {
		return nil, nil, exit.Usagef("samples: %d; there must be at least %d, one a replicate", o.Samples, analysis.Replicates)
	}
	a, err := o.analysis(r)
	if err != nil {
		return nil, nil, err
	}
	var groups [][]int
	for _, names := range o.Groups {
		var own []int
		for _, name := range names {
			i, err := a.Input(name)
			if err != nil {
				return nil, nil, err
			}
			own = append(own, i)
		}
		groups = append(groups, own)
	}
	s, err := a.Sobol(r.ctx, analysis.SobolOptions{
		Samples: o.Samples, Seed: o.Seed, Workers: cmp.Or(o.Workers, runtime.GOMAXPROCS(0)), NoPairs: o.NoPairs, Groups: groups,
	})
	if err != nil {
		return nil, nil, err
	}
	return reportOf(a, s, o.Groups), nil, nil
}

// indices is what is told of Sobol indices.
type indices struct {
	Inputs   []string   `json:"inputs"`
	Columns  []string   `json:"columns"` // that the inputs come from
	Mean     number     `json:"mean"`
	Variance estimate   `json:"variance"`
	First    []number   `json:"first"`
	Total    []estimate `json:"total"`
	Pairs    []pair     `json:"pairs"`
	Groups   []group    `json:"groups"`
}

func reportOf(a *analysis.Analysis, s *analysis.Sobol, names [][]string) indices {
	out := indices{Mean: number(s.Mean), Variance: estimateOf(s.Variance), First: numbersOf(s.First)}
	for _, in := range a.Inputs() {
		out.Inputs = append(out.Inputs, in.Name)
		out.Columns = append(out.Columns, cmp.Or(in.Column, in.Name))
	}
	for _, t := range s.Total {
		out.Total = append(out.Total, estimateOf(t))
	}
	for _, p := range s.Pairs {
		out.Pairs = append(out.Pairs, pair{[2]string{out.Inputs[p.I], out.Inputs[p.J]}, number(p.Index)})
	}
	for k, g := range s.Groups {
		out.Groups = append(out.Groups, group{names[k], estimateOf(g.Closed), estimateOf(g.Total)})
	}
	return out
}
