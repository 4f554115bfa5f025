package method

import "errors"

// Law is p(y | f), the law of targets that are not a function and Gaussian noise: what a
// method needs of it. f are K natural parameters, K being 1 but of classes, of which each
// has one and y is the code. A Law is immutable and safe for concurrent use.
//
// A [Regressor] of a law predicts f: its Predict sets mean, [m, K] by rows, to E f without
// the offset, and std, [m], to the deviation of each. It is 0 where a method tells none.
type Law interface {
	// Latents returns K.
	Latents() int
	// Loss returns −log p(y | f), offsets included, and writes its derivatives by f to slope.
	Loss(y float64, f, slope []float64) float64
	// Link writes to f the natural parameters under which targets have a mean: of K > 1
	// classes their shares, [K], else one number.
	Link(mean, f []float64)
	// Proportional tells that means are in proportion to the exponential of the offset.
	Proportional() bool
	// Refit returns the law with the parameters of its own that are likeliest for n rows,
	// where at writes f of a row, its offset included, and returns its target; and whether it
	// is another law than before.
	Refit(n int, at func(i int, f []float64) (y float64)) (law Law, another bool)
}

// Lawful is a [Storable] regressor of a law.
type Lawful interface {
	Storable
	// Law returns the law with what was learned of it.
	Law() Law
}

// ErrLaw is that of methods that learn no law but a function and Gaussian noise.
var ErrLaw = errors.New("the method learns numbers with Gaussian noise alone")

const errOffset = "method: offsets differ in rows from the targets, or there is no law"

// Mean writes to mean what targets have on average, [Law.Link]'s argument: of K > 1 classes
// their shares. Where there are offsets it is that of a row of offset 0, which is so for
// laws that are [Law.Proportional] and a place to begin for others.
func (d Data) Mean(mean []float64) {
	clear(mean)
	var exposure float64
	for i, y := range d.Y {
		if len(mean) > 1 {
			mean[int(y)]++
		} else {
			mean[0] += y
		}
		exposure += d.Exposure(i)
	}
	for k := range mean {
		mean[k] /= exposure
	}
}

// StandardiseInputs is [Standardise] of data with a law, whose targets are left as they are.
func StandardiseInputs(data Data) (Data, *Scaling, error) {
	if err := data.check(); err != nil {
		return Data{}, nil, err
	}
	out := sorted(data)
	s := &Scaling{Target: Affine{0, 1}}
	return out, s, s.inputs(out)
}

// PredictNatural does what the Predict of a [Regressor] of a law with so many natural
// parameters does, where natural sets f, [rows, K], at standardised rows, and nothing is told
// of its deviation.
func (s *Scaling) PredictNatural(x, mean, std []float64, latents int, natural func(rows, f []float64) error) error {
	if len(x) != len(std)*len(s.Inputs) || len(mean) != len(std)*latents {
		panic(errPredict)
	}
	if err := finiteRows(x, len(s.Inputs)); err != nil {
		return err
	}
	rows := make([]float64, len(x))
	s.apply(rows, x)
	clear(std)
	if err := natural(rows, mean); err != nil {
		return err
	}
	for i, f := range mean {
		if !finite(f) {
			return &RowError{i/latents + 1, errors.New("the natural parameter overflows; the row is too far off")}
		}
	}
	return nil
}
