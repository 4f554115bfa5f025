package inspect

import (
	"io"
	"math"

	"beziergp/box"
	"beziergp/dataset/profile"
	"beziergp/likelihood"
	"beziergp/model"
	"beziergp/predictive"
	"beziergp/rival"
	"beziergp/serve"
	"beziergp/table"
)

// description is what inspect prints; programs rely on the names.
type description interface {
	shared() *common
	print(w io.Writer, o Options) error
}

// common is what it prints of every model.
type common struct {
	File   string     `json:"file"`
	Bytes  int64      `json:"bytes"`
	Format int        `json:"format"`
	Target target     `json:"target"`
	Noise  *float64   `json:"noise"` // nil where the method does not tell
	Policy box.Policy `json:"out_of_box"`
	// Offset is where the offsets of rows come from; nil for none.
	Offset *box.OffsetColumn `json:"offset,omitempty"`
	Inputs []input           `json:"inputs"`
	// HashedRows are the training rows that it holds hashes of; nil where it comes from a
	// former version.
	HashedRows *int `json:"hashed_rows"`
	// Tensors and Digest are of the file: those that were asked for.
	Tensors []tensor `json:"tensors,omitempty"`
	Digest  string   `json:"digest,omitempty"`

	model serve.Model
}

func (c *common) shared() *common { return c }

// process is what it prints of a Bézier process.
type process struct {
	*common
	Groups  []group `json:"groups"`
	Weights int     `json:"weights"`
	Limits  *limits `json:"limits,omitempty"` // nil where there are none
	// Neighbours are inputs that the model makes of the target's means over training rows.
	Neighbours []neighbours   `json:"neighbours,omitempty"`
	Training   model.Training `json:"training"`
	output     model.Output
}

// limits are what predictions are held in, in the units of the target, transformed.
type limits struct {
	Lo   float64 `json:"lo"` // of the mean
	Hi   float64 `json:"hi"`
	StdF float64 `json:"std_f,omitempty"` // at most; 0 for any
}

// neighbours are means of the target over neighbouring training rows.
type neighbours struct {
	Order []string `json:"order"` // names of the inputs that rows are ordered by
	Knots int      `json:"knots"`
}

type target struct {
	Name      string            `json:"name"`
	Mean      float64           `json:"mean"`
	Deviation float64           `json:"deviation"`
	Range     *predictive.Range `json:"range,omitempty"`
	// Likelihood is the law of the target, absent of a Gaussian; Classes are those of the target,
	// if it has any.
	Likelihood string   `json:"likelihood,omitempty"`
	Classes    []string `json:"classes,omitempty"`
	// Lowest and Highest are of the training rows; nil where the model does not tell.
	Lowest  *float64 `json:"lowest,omitempty"`
	Highest *float64 `json:"highest,omitempty"`
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
	Parts   []string   `json:"parts,omitempty"` // of one that is made of several columns
	// What the model knows of its training rows, if it does: the share of those without a
	// value, the extremes of numbers, and the shares of the levels among the rows that have
	// one, of those pooled last.
	MissingShare *float64  `json:"missing_share,omitempty"`
	Lowest       *float64  `json:"lowest,omitempty"`
	Highest      *float64  `json:"highest,omitempty"`
	Shares       []float64 `json:"shares,omitempty"`
	truth        *float64  // of a boolean, the share of true
	absent       bool      // whether it tells where its column lacks a value
}

type group struct {
	Orders             []int   `json:"orders"`
	Orderings          int     `json:"orderings"`
	Log10ControlPoints float64 `json:"log10_control_points"`
}

// Describe returns what inspect --json prints of a model, of a file of so many bytes.
func Describe(m serve.Model, file string, bytes int64) any { return describe(m, file, bytes) }

func describe(m serve.Model, file string, bytes int64) description {
	t := m.Target()
	all := &common{File: file, Bytes: bytes, Format: m.Origin().Format, Target: target{Name: t.Name, Mean: t.Mean, Deviation: t.SD, Range: t.Range}, Policy: m.Policy(), model: m}
	if rows := m.Seen(); rows != nil {
		hashed := len(rows.Sums)
		all.HashedRows = &hashed
	}
	looks := m.Profile()
	if looks != nil {
		own := &looks.Targets[0]
		all.Target.Lowest, all.Target.Highest = &own.Lo, &own.Hi
	}
	for i, in := range m.Inputs() {
		own := input{Name: in.Name, Lo: in.Lo, Hi: in.Hi, Declared: in.Declared, Constant: in.Constant(), Column: in.Column, Parts: in.Parts, absent: in.Part == box.Absent,
			Levels: in.Levels, Pooled: in.Pooled.Len(), Ranks: in.Knots != nil, Missing: in.Missing}
		if in.Kind != table.Numeric {
			own.Kind = in.Kind
		}
		if looks != nil {
			own.recall(&looks.Inputs[i])
		}
		all.Inputs = append(all.Inputs, own)
	}
	if m, ok := m.(*rival.Model); ok {
		return describeRival(m, all)
	}
	return describeProcess(m.(*model.Model), all)
}

// recall fills in what is known of the training rows.
func (in *input) recall(c *profile.Column) {
	missing := float64(c.Missing) / float64(c.Rows())
	in.MissingShare = &missing
	known := float64(max(1, c.Known()))
	if c.Nodes == 0 {
		in.Lowest, in.Highest = &c.Lo, &c.Hi
		if in.Kind == table.Boolean && c.Lo < c.Hi {
			truth := float64(c.Counts[len(c.Counts)-2]) / known // from the last cut to 1
			in.truth = &truth
		}
		return
	}
	for _, n := range c.Counts[:c.Nodes] {
		in.Shares = append(in.Shares, float64(n)/known)
	}
}

// law fills in what a model of any kind tells of the law of its target.
func (c *common) law(m interface {
	Likelihood() likelihood.Likelihood
	Classes() []string
	Offset() *box.OffsetColumn
}) {
	if law := m.Likelihood(); !likelihood.IsGaussian(law) {
		c.Target.Likelihood, c.Target.Classes, c.Offset = likelihood.Text(law), m.Classes(), m.Offset()
	}
}

func describeProcess(m *model.Model, all *common) process {
	q, noise := m.Posterior(), m.Noise()
	if !math.IsNaN(noise) { // laws of their own have none
		all.Noise = &noise
	}
	all.law(m)
	d := process{common: all, Weights: len(q.Params()), Training: m.Training(), output: m.Output()}
	if l := m.Output().Limits; l != nil {
		t := m.Target()
		d.Limits = &limits{t.Mean + t.SD*l.Lo, t.Mean + t.SD*l.Hi, t.SD * math.Sqrt(l.Variance)}
	}
	for _, t := range m.Neighbours() {
		own := neighbours{Knots: len(t.At)}
		for _, c := range t.Order {
			own.Order = append(own.Order, m.Inputs()[c.Input].Name)
		}
		d.Neighbours = append(d.Neighbours, own)
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
