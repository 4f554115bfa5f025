// Package surface puts bases and buttresses together: f(x), a sum of groups of
// Bézier buttresses, each group with its own basis for every input and its own
// orderings. It holds what prediction and training share.
package surface

import (
	"errors"
	"fmt"
	"slices"
	"sync"

	"beziergp/internal/process/basis"
	"beziergp/internal/process/buttress"
	"beziergp/internal/simd"
)

// Group is an ensemble of buttresses with one basis for every input.
type Group struct {
	Bases    []basis.Basis // [d]
	Ensemble *buttress.Ensemble
	// Part tells whether the group has mean and variance buttresses, or one kind.
	Part Part
}

// Part names the buttresses that a group has.
type Part string

const (
	Whole        Part = ""         // of the mean and of the variance
	MeanOnly     Part = "mean"     // its variance is zero
	VarianceOnly Part = "variance" // its mean is zero
)

// HasMean tells whether the group has mean buttresses.
func (g Group) HasMean() bool { return g.Part != VarianceOnly }

// HasVariance tells whether the group has variance buttresses.
func (g Group) HasVariance() bool { return g.Part != MeanOnly }

// Size returns the number of parameters.
func (g Group) Size() int {
	if g.Part == Whole {
		return 2 * g.Ensemble.Size()
	}
	return g.Ensemble.Size()
}

// varianceButtresses returns the number of variance buttresses of all groups, or
// of all buttresses where there are none.
func varianceButtresses(groups []Group) int {
	all, sum := 0, 0
	for _, g := range groups {
		all += g.Ensemble.Buttresses()
		if g.HasVariance() {
			sum += g.Ensemble.Buttresses()
		}
	}
	if sum == 0 {
		return all
	}
	return sum
}

// Surface is the shape of f: everything but its weights. It is immutable and
// safe for concurrent use.
//
// One flat slice of parameters holds, group after group, the weights W of the
// mean buttresses and then the log-weights V of the variance buttresses.
type Surface struct {
	groups    []group
	inputs    int
	size      int
	tile      int
	evaluated int // points of a tile of an evaluator
	outputs   int
	// buttresses is r, the number of those that share the variance.
	buttresses int
	// alike returns the groups that have equal bases and parts together: their basis values
	// at a point are the same. It is found when it is first asked for.
	alike func() [][]int
	// single returns the surface of one output; see [Posterior.Output].
	single func() *Surface
}

type group struct {
	Group
	prior        *buttress.Prior
	nodeVariance [][]float32 // ς by input and node
	at           int         // of W in the parameters; V follows
}

// New returns the sum of groups. A priori each of the r variance buttresses of all
// groups has 1/r of the variance, so that Var f is one at the nodes. It fails when groups
// disagree on the number of inputs or of outputs, when a basis and its layers differ in width,
// or when a basis has no prior.
func New(groups ...Group) (*Surface, error) {
	if len(groups) == 0 {
		return nil, errors.New("a surface needs at least one group of buttresses")
	}
	s := &Surface{inputs: groups[0].Ensemble.Inputs(), outputs: groups[0].Ensemble.Outputs(), buttresses: varianceButtresses(groups)}
	known := map[basis.Basis][]float64{} // prior variances, which are costly
	for i, g := range groups {
		if g.Ensemble.Inputs() != s.inputs || len(g.Bases) != s.inputs {
			return nil, fmt.Errorf("group %d: %d layers and %d bases for %d inputs", i, g.Ensemble.Inputs(), len(g.Bases), s.inputs)
		}
		if got := g.Ensemble.Outputs(); got != s.outputs {
			return nil, fmt.Errorf("group %d has %d outputs, group 0 has %d", i, got, s.outputs)
		}
		switch g.Part {
		case Whole, MeanOnly, VarianceOnly:
		default:
			return nil, fmt.Errorf("group %d has part %q of a process; there are %q and %q", i, g.Part, MeanOnly, VarianceOnly)
		}
		own := group{Group: g, at: s.size}
		var variances [][]float64
		for input, b := range g.Bases {
			if m := g.Ensemble.Widths()[input]; b.Nodes() != m {
				return nil, fmt.Errorf("group %d, input %d: a basis of %d functions for a layer of %d nodes", i, input, b.Nodes(), m)
			}
			bare := basis.Bare(b)
			v, ok := known[bare]
			if !ok {
				var err error
				if v, err = b.PriorVariance(); err != nil {
					return nil, fmt.Errorf("group %d, input %d: %w", i, input, err)
				}
				known[bare] = v
			}
			variances = append(variances, v)
			own.nodeVariance = append(own.nodeVariance, toFloat32(v))
		}
		if s.outputs > 1 {
			variances = append(variances, slices.Repeat([]float64{1}, s.outputs))
		}
		var err error
		if own.prior, err = buttress.NewPrior(variances, 1/float64(s.buttresses)); err != nil {
			return nil, fmt.Errorf("group %d: %w", i, err)
		}
		s.groups = append(s.groups, own)
		s.size += g.Size()
	}
	s.tile, s.evaluated = tilePoints(s.groups), evaluatedPoints(s.groups)
	s.alike = sync.OnceValue(func() [][]int { return alike(s.groups) })
	s.single = sync.OnceValue(s.newSingle)
	return s, nil
}

// alike returns the numbers of groups of equal bases and parts together, in the order of
// the first ones.
func alike(groups []group) (all [][]int) {
	known := map[string]int{}
	var key []byte
	for g, own := range groups {
		key = append(append(key[:0], own.Part...), ' ')
		if own.Ensemble.HasLocal() {
			key = append(key, ' ')
		}
		for _, b := range own.Bases {
			key = append(key, b.Spec().Key()...)
		}
		k, ok := known[string(key)]
		if !ok {
			k = len(all)
			known[string(key)] = k
			all = append(all, nil)
		}
		all[k] = append(all[k], g)
	}
	return all
}

// Inputs returns d.
func (s *Surface) Inputs() int { return s.inputs }

// Outputs returns T.
func (s *Surface) Outputs() int { return s.outputs }

// TilePoints returns the number of points that go through the buttresses
// together, at most.
func (s *Surface) TilePoints() int { return s.tile }

// Groups returns the number of groups.
func (s *Surface) Groups() int { return len(s.groups) }

// Group returns group g.
func (s *Surface) Group(g int) Group { return s.groups[g].Group }

// Prior returns the prior of group g's buttresses.
func (s *Surface) Prior(g int) *buttress.Prior { return s.groups[g].prior }

// PriorScale returns the share of the prior variance that each buttress has.
func (s *Surface) PriorScale() float64 { return 1 / float64(s.buttresses) }

// Size returns the number of parameters.
func (s *Surface) Size() int { return s.size }

// Ends returns where the parameters of every buttress end: those of the mean for all
// of a group, and then those of the variance.
func (s *Surface) Ends() (ends []int) {
	for _, g := range s.groups {
		for at := g.at; at < g.at+g.Size(); at += g.Ensemble.Size() {
			for k := range g.Ensemble.Buttresses() {
				ends = append(ends, at+g.Ensemble.End(k))
			}
		}
	}
	return ends
}

// Mean returns the part of params that holds the weights W of group g, nil where it
// has none.
func (s *Surface) Mean(params []float32, g int) []float32 {
	own := s.groups[g]
	if !own.HasMean() {
		return nil
	}
	return params[own.at : own.at+own.Ensemble.Size()]
}

// Variance returns the part of params that holds the log-weights V of group g, nil
// where it has none.
func (s *Surface) Variance(params []float32, g int) []float32 {
	own := s.groups[g]
	if !own.HasVariance() {
		return nil
	}
	end := own.at + own.Size()
	return params[end-own.Ensemble.Size() : end]
}

// Posterior is a surface with its weights. It is immutable and safe for
// concurrent use.
type Posterior struct {
	*Surface
	params []float32
	expV   [][]float32 // by group
	// along is what evaluators along the last input share, made when it is first asked for.
	along func() []alongKind
}

// NewPosterior returns the surface with the given parameters, which have [Surface.Size]
// elements when they are joined and are finite. It keeps those of one slice, which must
// not be changed any more.
func NewPosterior(s *Surface, parts ...[]float32) (*Posterior, error) {
	params, err := joined(parts, s.Size())
	if err != nil {
		return nil, err
	}
	q := &Posterior{Surface: s, params: params}
	q.along = sync.OnceValue(q.alongKinds)
	for g := range s.groups {
		v := s.Variance(params, g)
		expV := make([]float32, len(v))
		simd.Exp(expV, v)
		q.expV = append(q.expV, expV)
	}
	return q, nil
}

// ExpV returns the weights exp V of group g's variance buttresses, which must not be
// changed; none where it has none.
func (q *Posterior) ExpV(g int) []float32 { return q.expV[g] }

// NodeVariance returns ς of an input of group g. It must not be changed.
func (s *Surface) NodeVariance(g, input int) []float32 { return s.groups[g].nodeVariance[input] }

// Params returns the parameters. They must not be changed.
func (q *Posterior) Params() []float32 { return q.params }

// Effect returns, for every group and input, the coefficients of the mean of f
// given that input alone, the others being uniform and independent, [groups][d][m]:
//
//	E[f | x_γ] = Σ_groups Σ_i Effect[g][γ][i] φ_i(x_γ)
func (q *Posterior) Effect() [][][]float64 {
	effects := make([][][]float64, len(q.groups))
	for g, own := range q.groups {
		if !own.HasMean() {
			effects[g] = zeros(own.Ensemble.Widths())
			continue
		}
		means := make([][]float64, q.inputs)
		for i, b := range own.Bases {
			means[i] = b.Mean()
		}
		effects[g] = own.Ensemble.Effect(q.Mean(q.params, g), means)
	}
	return effects
}

// Average returns E[f] for uniform and independent inputs.
func (q *Posterior) Average() float64 {
	var sum float64
	for g, effect := range q.Effect() {
		for i, mean := range q.groups[g].Bases[0].Mean() {
			sum += effect[0][i] * mean
		}
	}
	return sum
}

func zeros(widths []int) [][]float64 {
	rows := make([][]float64, len(widths))
	for i, m := range widths {
		rows[i] = make([]float64, m)
	}
	return rows
}

func toFloat32(v []float64) []float32 {
	out := make([]float32, len(v))
	for i, x := range v {
		out[i] = float32(x)
	}
	return out
}
