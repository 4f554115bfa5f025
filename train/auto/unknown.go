package auto

import (
	"context"
	"math"
	"slices"

	"beziergp/box"
	"beziergp/model"
	"beziergp/table"
)

// A row of which an input is not known, a missing value or a level that no training row has, is predicted by the average over the
// input ([basis.Averaged]). How far targets lie from that is told by rows that lack the input or, where next to none do, by the others as
// if they did: members predict the rows of their folds without it. The variance v_i beside that of the noise which makes the targets
// likeliest is added to that of f where input i is not known:
//
//	a · Var f(x) + Σ_i v_i [x_i is not known]

// unknown is the variance of f by an input that is not known, in the units of a · Var f.
type unknown struct {
	Name     string  `json:"input"`
	Variance float64 `json:"variance"`
	input    int
}

const (
	// rowsWithout are enough for one number; of many inputs they are so many that all have unknownValues together, and of several
	// processes, whose probabilities are integrals, a tenth of that.
	rowsWithout   = 2000
	unknownValues = 200_000
	leastWithout  = 100
	// fewestWithout is the number of rows that lack an input, from which on they tell of it.
	fewestWithout = 50
	// moves is the share of the variance of an error, below which what an input moves f by when it is left out does not count.
	// From movesLarge on, errors of rows that lack it are not those of others.
	moves      = 0.01
	movesLarge = 0.5
	// unknownCost is what a variance has to add to the log-likelihood of the rows at least.
	unknownCost = 2
	// unknownSteps are the quarterings of the largest variance that are tried.
	unknownSteps = 12
)

// leftOut is what members say out of fold of some rows without an input.
type leftOut struct {
	rows   []int
	change [][]float64 // of every process by how much f changes where an input is left out, [n, d]
	inputs []int       // those that move f by enough
	large  []int       // those of these that move it by about as much as errors are
}

// leaveOut finds the inputs that count where they are not known.
func (f *fitted) leaveOut(ctx context.Context, w worker) (*leftOut, error) {
	e, d, t := f.ensemble, f.data.Inputs, f.data.latents()
	left, inputs := &leftOut{change: make([][]float64, t)}, f.data.lackable()
	if len(inputs) == 0 {
		return left, nil
	}
	most := unknownValues / d
	if t > 1 {
		most /= 10
	}
	most = min(rowsWithout, max(leastWithout, most))
	for k, fold := range e.folds {
		fold = fold[:min(len(fold), (most+len(e.folds)-1)/len(e.folds))]
		own, err := e.members[k].averagedOut(ctx, w, f.data.Coordinates(fold))
		if err != nil {
			return nil, err
		}
		left.rows = append(left.rows, fold...)
		for c := range left.change {
			left.change[c] = append(left.change[c], own[c]...)
		}
	}
	spread := 1.0 // of a law's f, by which probabilities notably change
	if f.data.gaussian() {
		spread = e.meanDeviance(left.rows)
	}
	for _, i := range inputs {
		var moved, weights float64
		for p, j := range left.rows {
			if f.data.lacks(j, i) {
				continue
			}
			for c := range left.change {
				moved += f.data.Weight(j) * square(left.change[c][p*d+i]) / float64(t)
			}
			weights += f.data.Weight(j)
		}
		if moved > moves*spread*weights {
			left.inputs = append(left.inputs, i)
		}
		if moved > movesLarge*spread*weights {
			left.large = append(left.large, i)
		}
	}
	return left, nil
}

// complete returns the rows out of fold that lack none of the inputs that count much, by which errors are learned, or all where most
// lack one.
func (l *leftOut) complete(e *ensemble) *ensemble {
	own, all, rest := *e, 0, 0
	own.folds = nil
	for _, fold := range e.folds {
		known := slices.DeleteFunc(slices.Clone(fold), func(j int) bool {
			return slices.ContainsFunc(l.large, func(i int) bool { return e.data.lacks(j, i) })
		})
		own.folds = append(own.folds, known)
		all, rest = all+len(fold), rest+len(known)
		if len(known) == 0 {
			return e
		}
	}
	if rest == all || rest < all/2 || rest < fewestForNoise {
		return e
	}
	return &own
}

// lacks tells whether row j lacks an input.
func (d *dataset) lacks(j, input int) bool {
	v := d.Row(j)[input]
	return v != v
}

// learnUnknown finds the variances of inputs that are not known, those first of which rows tell that lack them, and adds them to what is
// known out of fold of such rows.
func (f *fitted) learnUnknown(ctx context.Context, w worker, left *leftOut) error {
	if f.epistemic.model == nil || f.varianceScale() == 0 {
		return nil
	}
	lacking, scratch := f.rowsLacking(left.inputs), make([]float64, f.data.Len())
	for _, lacked := range []bool{true, false} {
		for k, i := range left.inputs {
			own, err := f.without(ctx, w, i, lacking[k], left, lacked)
			if err != nil {
				return err
			}
			own.scratch = scratch
			if v := own.likeliest(w); v > 0 {
				f.unknown = append(f.unknown, unknown{f.data.inputs[i].Name, v, i})
			}
		}
	}
	if f.unknown == nil {
		return nil
	}
	f.epistemic.learned, f.epistemic.outOfFold = f.epistemic.outOfFold, slices.Clone(f.epistemic.outOfFold)
	for j := range f.epistemic.outOfFold {
		f.epistemic.outOfFold[j] += f.unknownAt(j) / f.varianceScale()
	}
	return nil
}

// unknownAt returns Σ_i v_i of the inputs that row j lacks.
func (f *fitted) unknownAt(j int) (sum float64) {
	for _, own := range f.unknown {
		if f.data.lacks(j, own.input) {
			sum += own.Variance
		}
	}
	return sum
}

// varianceScale returns a, the factor of Var f in the variance of a prediction.
func (f *fitted) varianceScale() float64 {
	if f.data.gaussian() {
		return f.calibration.Epistemic
	}
	return f.law.Epistemic
}

// lackable returns the inputs that may be unknown in a prediction, those that are constant left out.
func (d *dataset) lackable() (inputs []int) {
	for i, in := range d.inputs[:d.Inputs-len(d.neighbours.tables())] {
		told := in.Part == box.Absent || in.Kind == table.Category && in.PoolsUnknown() && in.MissingLevel
		if !told && !in.Constant() {
			inputs = append(inputs, i)
		}
	}
	return inputs
}

// without is what is said out of fold of rows without an input.
type without struct {
	fitted
	rows    []int
	scratch []float64 // [n] of losses
}

// rowsLacking returns rows of all folds that lack each of some inputs, enough for a few numbers.
func (f *fitted) rowsLacking(inputs []int) [][]int {
	lacking, folds := make([][]int, len(inputs)), len(f.ensemble.folds)
	for _, fold := range f.ensemble.folds {
		own := make([][]int, len(inputs))
		for _, j := range fold {
			for k, i := range inputs {
				if f.data.lacks(j, i) {
					own[k] = append(own[k], j)
				}
			}
		}
		for k := range inputs {
			lacking[k] = append(lacking[k], some(own[k], folds)...)
		}
	}
	return lacking
}

// without returns that of input i: of rows that lack it, or of others as if they did; of none where the other kind tells.
func (f *fitted) without(ctx context.Context, w worker, i int, lacking []int, left *leftOut, lacked bool) (*without, error) {
	own := &without{fitted: *f}
	tell := len(lacking) >= fewestWithout
	if tell && lacked {
		own.rows = lacking
	}
	if tell || lacked {
		return own, nil
	}
	var at []int // where the rows are
	for p, j := range left.rows {
		if !f.data.lacks(j, i) {
			own.rows, at = append(own.rows, j), append(at, p)
		}
	}
	if len(own.rows) < fewestWithout {
		own.rows = nil
		return own, nil
	}
	return own, own.takeAway(ctx, w, i, at, left.change)
}

// takeAway takes input i from the rows: f changes as is told, and Var f and the noise are the model's there. Of a category all levels
// weigh the same, because any may be like a new one.
func (o *without) takeAway(ctx context.Context, w worker, i int, at []int, change [][]float64) error {
	from, t := o.ensemble, len(change)
	e := &ensemble{data: o.data, outOfFold: slices.Clone(from.outOfFold)}
	for p, j := range o.rows {
		own := e.outOfFold[j*t : (j+1)*t]
		for c := range own {
			own[c] += change[c][at[p]*o.data.Inputs+i]
		}
		o.data.clamp(own)
	}
	variance, err := o.valuesWithout(ctx, w, o.epistemic.model, o.data.wide(), i, make([]float64, len(o.rows)))
	if err != nil {
		return err
	}
	o.epistemic.outOfFold = variance
	if o.noise.varying != nil {
		if o.noise.outOfFold, err = o.valuesWithout(ctx, w, o.noise.varying, o.data, i, e.of(o.rows)); err != nil {
			return err
		}
	}
	if o.data.inputs[i].Kind == table.Category {
		own := *o.data
		own.Weights = o.levelWeights(i)
		o.data, e.data = &own, &own
	}
	o.ensemble = e
	return nil
}

// valuesWithout returns the values of a surface at the rows, of the coordinates of data, without input i, [n].
func (o *without) valuesWithout(ctx context.Context, w worker, a *model.Auxiliary, data *dataset, i int, mean []float64) ([]float64, error) {
	x := data.Coordinates(o.rows)
	for at := i; at < len(x); at += data.Inputs {
		x[at] = float32(math.NaN())
	}
	values, all := make([]float64, len(o.rows)), make([]float64, data.Len())
	if err := a.NewEvaluator(w.pool).Values(ctx, x, mean, values); err != nil {
		return nil, err
	}
	for p, j := range o.rows {
		all[j] = values[p]
	}
	return all, nil
}

// levelWeights returns weights of the rows by which all levels of a category have the same one together.
func (o *without) levelWeights(i int) []float32 {
	sums := map[float32]float64{}
	for _, j := range o.rows {
		sums[o.data.Row(j)[i]] += o.data.Weight(j)
	}
	weights := make([]float32, o.data.Len())
	for _, j := range o.rows {
		if own := o.data.Weight(j); own > 0 {
			weights[j] = float32(own / sums[o.data.Row(j)[i]])
		}
	}
	return weights
}

// likeliest returns the variance that makes the targets likeliest, 0 where none does so by enough.
func (o *without) likeliest(w worker) float64 {
	if len(o.rows) == 0 {
		return 0
	}
	best, least := 0.0, o.loss(w, 0)-unknownCost/float64(len(o.rows))
	try := func(v float64) {
		if loss := o.loss(w, v); loss < least {
			best, least = v, loss
		}
	}
	largest := o.data.limits.Variance
	if !o.data.gaussian() {
		largest *= square(o.law.Slope)
	}
	for k := range unknownSteps {
		try(largest * math.Pow(4, -float64(k)))
	}
	for _, by := range []float64{2, math.Sqrt2} {
		from := best
		try(from * by)
		try(from / by)
	}
	return min(best, largest)
}

// loss returns minus the mean log-likelihood of the rows with a variance of what is not known.
func (o *without) loss(w worker, unknown float64) float64 {
	v := epistemic{outOfFold: o.scratch}
	for _, j := range o.rows {
		v.outOfFold[j] = o.epistemic.outOfFold[j] + (o.unknownAt(j)+unknown)/o.varianceScale()
	}
	if o.data.gaussian() {
		return o.calibration.loss(w.pool, o.ensemble, o.noise, v, o.rows)
	}
	return o.law.loss(evidence{o.ensemble, v, o.rows, w.pool})
}
