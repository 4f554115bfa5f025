package train

import (
	"math/rand/v2"
	"sync"

	"beziergp/internal/process/basis"
	"beziergp/internal/process/buttress"
	"beziergp/internal/process/surface"
)

// component is one group of mean buttresses.
type component struct {
	Kind      basis.Kind `json:"kind"` // of the basis of a number
	Nodes     int        `json:"nodes"`
	Orderings int        `json:"orderings"`
	Amplitude float64    `json:"amplitude"` // that it starts with
}

// shape is what is chosen on held-out rows.
type shape struct {
	Scaling    Scaling     `json:"scaling"`
	Components []component `json:"components"`
	Smoothness float64     `json:"smoothness"` // λ
}

// basisOf returns the basis of one input in a component: that of the data for a
// category and for a constant, and no more nodes than the input has values.
func (c component) basisOf(given basis.Basis, distinct int) (basis.Basis, error) {
	if !basis.Ordered(given) || distinct < 2 {
		return given, nil
	}
	return basis.New(basis.Spec{Kind: c.Kind, Nodes: min(c.Nodes, distinct)})
}

// cost returns the arithmetic of a step by one row, in operations, for inputs of so
// many values: two for every weight forward and four backward.
func (c component) cost(distinct []int) float64 { return 6 * c.weights(distinct) }

// weights returns about how many a component has.
func (c component) weights(distinct []int) (sum float64) {
	for _, n := range distinct {
		sum += square(float64(min(c.Nodes, n)))
	}
	return sum * float64(c.Orderings)
}

// within returns the component with fewer nodes, and then fewer orderings, so that
// it costs no more than the most allowed, if it can.
func (c component) within(most float64, distinct []int) component {
	for c.Nodes > fewestNodes && c.cost(distinct) > most {
		c.Nodes--
	}
	for c.Orderings > fewestOrderings && c.cost(distinct) > most {
		c.Orderings--
	}
	return c
}

// What a component keeps whatever it costs.
const (
	fewestNodes     = 4
	fewestOrderings = 4
)

// surface returns the groups of one member, with orderings of its own.
func (s shape) surface(data Data, distinct []int, seed uint64) (*surface.Surface, error) {
	rng := rand.New(rand.NewPCG(seed, streamOrderings))
	var groups []surface.Group
	for _, c := range s.Components {
		g := surface.Group{Part: surface.MeanOnly}
		widths := make([]int, len(data.Bases))
		for i, given := range data.Bases {
			b, err := c.basisOf(given, distinct[i])
			if err == nil {
				b, err = data.averaged(b, i)
			}
			if err != nil {
				return nil, err
			}
			g.Bases, widths[i] = append(g.Bases, b), b.Nodes()
		}
		var err error
		if g.Ensemble, err = buttress.New(widths, buttress.RandomOrderings(len(widths), c.Orderings, rng)); err != nil {
			return nil, err
		}
		groups = append(groups, g)
	}
	return surface.New(groups...)
}

// averages are bases with their averages over all rows, which every member needs.
type averages struct {
	mu    sync.Mutex // held while an average is made, for the others wait for the same
	known map[inputBasis]basis.Basis
}

type inputBasis struct {
	kind         basis.Kind
	nodes, input int
}

// averaged returns a basis of input i with its averages over the rows, which stand
// where the input is missing.
func (d Data) averaged(b basis.Basis, i int) (basis.Basis, error) {
	spec := b.Spec()
	if spec.Average != nil {
		return b, nil
	}
	if d.averages == nil {
		return d.averageOver(b, i)
	}
	d.averages.mu.Lock()
	defer d.averages.mu.Unlock()
	key := inputBasis{spec.Kind, spec.Nodes, i}
	if known, ok := d.averages.known[key]; ok {
		return known, nil
	}
	a, err := d.averageOver(b, i)
	if err == nil {
		d.averages.known[key] = a
	}
	return a, err
}

func (d Data) averageOver(b basis.Basis, i int) (basis.Basis, error) {
	column := make([]float32, d.rows())
	for j := range column {
		column[j] = d.row(j)[i]
	}
	return basis.AverageOver(b, column)
}

// amplitudes returns those that the components start with.
func (s shape) amplitudes() []float64 {
	var a []float64
	for _, c := range s.Components {
		a = append(a, c.Amplitude)
	}
	return a
}

// maxDistinct is the number of values of an input above which nobody counts.
const maxDistinct = 64

// distinctValues returns the number of values that every input has in the training
// rows, maxDistinct where there are more.
func distinctValues(data Data) []int {
	counts := make([]int, len(data.Bases))
	for i := range counts {
		seen := map[float32]bool{}
		for j := 0; j < data.rows() && len(seen) < maxDistinct; j++ {
			if v := data.row(j)[i]; v == v { // or else it is missing
				seen[v] = true
			}
		}
		counts[i] = len(seen)
	}
	return counts
}
