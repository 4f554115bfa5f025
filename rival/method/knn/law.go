package knn

import (
	"context"
	"fmt"
	"math"
	"slices"

	"beziergp/rival/method"
)

// priors are how many rows of the average target there are beside the neighbours.
var priors = []float64{0.5, 2, 8, 32}

// farther are numbers of neighbours that are tried under a law beside the usual ones: one
// target of a class or a rare count tells less than a number.
var farther = []int{89, 233}

// averaged predicts natural parameters of the neighbours' mean target, or of the shares of
// classes among them, with some rows of the average target added.
type averaged struct {
	scaling *method.Scaling
	law     method.Law
	workers int
	learned averages
	rows    *tree
	data    method.Data // targets and offsets alone
	mean    []float64   // of all targets
	usual   float64     // exposure on average
}

type averages struct {
	Options    Method  `json:"options"`
	Neighbours int     `json:"neighbours"` // k
	Prior      float64 `json:"prior"`      // rows of the average target beside them
	Loss       float64 `json:"loss"`       // mean of −log p of rows left out
}

// fitLaw is Fit under a law; m has its options.
func (m Method) fitLaw(ctx context.Context, data method.Data, env method.Environment, chosen bool) (method.Regressor, error) {
	if data.Offset != nil && !data.Law.Proportional() {
		return nil, &method.DataError{Err: fmt.Errorf("knn: neighbours can be averaged where means are in proportion to an exposure alone; leave the offset out or choose the method linear")}
	}
	standard, scaling, err := method.StandardiseInputs(data)
	if err != nil {
		return nil, err
	}
	if !chosen {
		m.Neighbours = slices.Concat(m.Neighbours, farther)
	}
	r := &averaged{scaling: scaling, law: data.Law, workers: env.Pool(), learned: averages{Options: m, Loss: math.Inf(1)}, rows: grow(standard.X, data.Inputs)}
	r.keep(standard.Y, standard.Offset)
	probe := sample(data.Rows(), m.Probe, env.Seed)
	if err := r.choose(ctx, probe); err != nil {
		return nil, err
	}
	var found []neighbour
	r.law, _ = r.law.Refit(len(probe), func(i int, f []float64) float64 {
		found = r.others(found, probe[i], r.learned.Neighbours)
		r.natural(found, probe[i], r.learned.Neighbours, r.learned.Prior, f)
		return r.data.Y[probe[i]]
	})
	return r, ctx.Err()
}

// keep takes targets and offsets in, and what they are on average.
func (r *averaged) keep(y, offset []float64) {
	r.data = method.Data{Y: y, Offset: offset, Law: r.law}
	r.mean = make([]float64, r.law.Latents())
	r.data.Mean(r.mean)
	r.usual = 0
	for i := range y {
		r.usual += r.data.Exposure(i) / float64(len(y))
	}
}

// others returns the nearest rows of one of the training rows, itself left out.
func (r *averaged) others(found []neighbour, row, most int) []neighbour {
	return r.rows.nearest(found, r.rows.x[row*r.rows.d:(row+1)*r.rows.d], most, row)
}

// natural writes the natural parameters of a training row, its offset included.
func (r *averaged) natural(found []neighbour, row, k int, prior float64, f []float64) {
	r.average(found, k, prior, f)
	for j := range f {
		f[j] += r.data.OffsetOf(row)
	}
}

// choose takes the number of neighbours and the prior of the least loss over probed rows, each
// predicted from all others.
func (r *averaged) choose(ctx context.Context, probe []int) error {
	var numbers []int
	for _, k := range r.learned.Options.Neighbours {
		if k < len(r.data.Y) {
			numbers = append(numbers, k)
		}
	}
	if numbers == nil {
		return fewer(len(r.data.Y))
	}
	choices := len(numbers) * len(priors)
	losses := make([]float64, choices*len(probe))
	err := method.Blocks(ctx, r.workers, len(probe), 64, func(_, from, to int) error {
		var found []neighbour
		f, slope := make([]float64, len(r.mean)), make([]float64, len(r.mean))
		for p := from; p < to; p++ {
			found = r.others(found, probe[p], slices.Max(numbers))
			for c := range choices {
				r.natural(found, probe[p], numbers[c/len(priors)], priors[c%len(priors)], f)
				losses[c*len(probe)+p] = r.law.Loss(r.data.Y[probe[p]], f, slope)
			}
		}
		return nil
	})
	for c := range choices {
		var mean float64
		for _, loss := range losses[c*len(probe) : (c+1)*len(probe)] {
			mean += loss / float64(len(probe))
		}
		if mean < r.learned.Loss {
			r.learned.Neighbours, r.learned.Prior, r.learned.Loss = numbers[c/len(priors)], priors[c%len(priors)], mean
		}
	}
	return err
}

// average writes the natural parameters of the k first found and a prior, offsets apart.
func (r *averaged) average(found []neighbour, k int, prior float64, f []float64) {
	mean := make([]float64, len(f))
	exposure := prior * r.usual
	for j, v := range r.mean {
		mean[j] = exposure * v
	}
	for _, n := range found[:min(k, len(found))] {
		if y := r.data.Y[n.row]; len(f) > 1 {
			mean[int(y)]++
		} else {
			mean[0] += y
		}
		exposure += r.data.Exposure(n.row)
	}
	for j := range mean {
		mean[j] /= exposure
	}
	r.law.Link(mean, f)
}

// Law implements [method.Lawful].
func (r *averaged) Law() method.Law { return r.law }

func (r *averaged) Predict(ctx context.Context, x, mean, std []float64) error {
	d, k := r.rows.d, r.law.Latents()
	return r.scaling.PredictNatural(x, mean, std, k, func(rows, f []float64) error {
		return method.Blocks(ctx, r.workers, len(std), 64, func(_, from, to int) error {
			var found []neighbour
			for i := from; i < to; i++ {
				found = r.rows.nearest(found, rows[i*d:(i+1)*d], r.learned.Neighbours, -1)
				r.average(found, r.learned.Neighbours, r.learned.Prior, f[i*k:(i+1)*k])
			}
			return nil
		})
	})
}

const offsets = "offsets" // the tensor, [n], where there are offsets

// State implements [method.Storable]. It holds the training rows, standardised.
func (r *averaged) State() (method.State, error) {
	tensors := map[string]method.Tensor{inputs: method.Rows(r.rows.x, r.rows.d), targets: method.Vector(r.data.Y)}
	if r.data.Offset != nil {
		tensors[offsets] = method.Vector(r.data.Offset)
	}
	s, err := method.NewState("knn", r.scaling, r.learned, tensors)
	return s.Of(r.law), err
}

func restoreLaw(s method.State) (method.Storable, error) {
	r := &averaged{scaling: s.Scaling, law: s.Law, workers: 1}
	d, err := s.Open("knn", &r.learned)
	if err != nil {
		return nil, err
	}
	rows, y, err := pairs(s, d, inputs, targets)
	if err != nil {
		return nil, err
	}
	var known []float64
	if _, ok := s.Tensors[offsets]; ok {
		t, err := s.Tensor(offsets, len(y))
		if err != nil {
			return nil, err
		}
		known = t.Data
	}
	if k := s.Law.Latents(); k > 1 {
		for i, v := range y {
			if v != math.Floor(v) || v < 0 || v >= float64(k) {
				return nil, fmt.Errorf("knn: target %d is %g, and there are %d classes", i+1, v, k)
			}
		}
	}
	r.rows = rows
	r.keep(y, known)
	if k := r.learned.Neighbours; k < 1 || k > len(y) || !(r.learned.Prior > 0) {
		return nil, fmt.Errorf("knn: %d neighbours of %d rows and a prior of %g rows", k, len(y), r.learned.Prior)
	}
	return r, nil
}
