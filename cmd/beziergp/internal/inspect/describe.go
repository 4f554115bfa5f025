package inspect

import (
	"io"
	"math"

	"beziergp/box"
	"beziergp/model"
	"beziergp/predictive"
	"beziergp/rival"
	"beziergp/serve"
	"beziergp/table"
)

// description is what inspect prints; programs rely on the names.
type description interface{ print(w io.Writer) error }

// common is what it prints of every model.
type common struct {
	File   string     `json:"file"`
	Bytes  int64      `json:"bytes"`
	Format int        `json:"format"`
	Target target     `json:"target"`
	Noise  *float64   `json:"noise"` // nil where the method does not tell
	Policy box.Policy `json:"out_of_box"`
	Inputs []input    `json:"inputs"`
	// HashedRows are the training rows that it holds hashes of; nil where it comes from a
	// former version.
	HashedRows *int `json:"hashed_rows"`
}

// process is what it prints of a Bézier process.
type process struct {
	common
	Groups   []group        `json:"groups"`
	Weights  int            `json:"weights"`
	Limits   *limits        `json:"limits,omitempty"` // nil where there are none
	Training model.Training `json:"training"`
}

// limits are what predictions are held in, in the units of the target, transformed.
type limits struct {
	Lo   float64 `json:"lo"` // of the mean
	Hi   float64 `json:"hi"`
	StdF float64 `json:"std_f,omitempty"` // at most; 0 for any
}

type target struct {
	Name      string            `json:"name"`
	Mean      float64           `json:"mean"`
	Deviation float64           `json:"deviation"`
	Range     *predictive.Range `json:"range,omitempty"`
}

type input struct {
	Name     string  `json:"name"`
	Lo       float64 `json:"lo"`
	Hi       float64 `json:"hi"`
	Declared bool    `json:"declared"`
	Constant bool    `json:"constant"`
	// Of what is not a plain number: its kind, the column that it comes from, the
	// levels with a node each and the number of those that share one; and whether it is
	// mapped by ranks, and was missing in training rows.
	Kind    table.Kind `json:"kind,omitempty"`
	Column  string     `json:"column,omitempty"`
	Levels  []string   `json:"levels,omitempty"`
	Pooled  int        `json:"pooled,omitempty"`
	Ranks   bool       `json:"ranks,omitempty"`
	Missing bool       `json:"missing,omitempty"`
}

type group struct {
	Orders             []int   `json:"orders"`
	Orderings          int     `json:"orderings"`
	Log10ControlPoints float64 `json:"log10_control_points"`
}

func describe(m serve.Model, file string, bytes int64) description {
	t := m.Target()
	all := common{File: file, Bytes: bytes, Format: m.Origin().Format, Target: target{t.Name, t.Mean, t.SD, t.Range}, Policy: m.Policy()}
	if rows := m.Seen(); rows != nil {
		hashed := len(rows.Sums)
		all.HashedRows = &hashed
	}
	for _, in := range m.Inputs() {
		own := input{Name: in.Name, Lo: in.Lo, Hi: in.Hi, Declared: in.Declared, Constant: in.Constant(), Column: in.Column,
			Levels: in.Levels, Pooled: in.Pooled.Len(), Ranks: in.Knots != nil, Missing: in.Missing}
		if in.Kind != table.Numeric {
			own.Kind = in.Kind
		}
		all.Inputs = append(all.Inputs, own)
	}
	if m, ok := m.(*rival.Model); ok {
		return describeRival(m, all)
	}
	return describeProcess(m.(*model.Model), all)
}

func describeProcess(m *model.Model, all common) process {
	q, noise := m.Posterior(), m.Noise()
	all.Noise = &noise
	d := process{common: all, Weights: len(q.Params()), Training: m.Training()}
	if l := m.Output().Limits; l != nil {
		t := m.Target()
		d.Limits = &limits{t.Mean + t.SD*l.Lo, t.Mean + t.SD*l.Hi, t.SD * math.Sqrt(l.Variance)}
	}
	for g := range q.Groups() {
		own := q.Group(g)
		described := group{Orderings: own.Ensemble.Buttresses(), Log10ControlPoints: own.Ensemble.LogPaths() / math.Ln10}
		for _, b := range own.Bases {
			described.Orders = append(described.Orders, b.Nodes()-1)
		}
		d.Groups = append(d.Groups, described)
	}
	return d
}
