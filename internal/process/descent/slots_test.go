package descent

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"beziergp/internal/process/basis"
	"beziergp/internal/process/buttress"
	"beziergp/internal/process/elbo"
	"beziergp/internal/process/optim"
	"beziergp/internal/process/surface"
	"beziergp/internal/simd"
	"beziergp/internal/testkit"
)

// leveled is a surface over a number, categories of 6, 40 and 60 levels and a number, or of more levels. Where some are
// pooled a group is before it in which 32 of the 40 levels share a function.
func leveled(t *testing.T, part surface.Part, orderings [][]int, outputs, times int, pooled bool) *surface.Surface {
	t.Helper()
	groups := []surface.Group{group(t, part, orderings, outputs, times, pooled)}
	if pooled {
		groups = append(groups, group(t, part, orderings, outputs, times, false))
	}
	s, err := surface.New(groups...)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func group(t *testing.T, part surface.Part, orderings [][]int, outputs, times int, pooled bool) surface.Group {
	t.Helper()
	g := surface.Group{Part: part}
	var widths []int
	for i, n := range []int{fewest(times), 6, 40 * times, 60 * times, 16} {
		b, err := basis.NewSpline(min(n, basis.MaxSplineNodes))
		var own basis.Basis = b
		if i != 0 && i != 4 {
			own, err = basis.NewIndicator(n)
		}
		if pooled && i == 2 {
			n = 8
			own, err = basis.NewPooled(n, basis.Pool{From: 3, To: 36})
		}
		if err != nil {
			t.Fatal(err)
		}
		rng := rand.New(rand.NewPCG(5, uint64(i))) // all groups have the same shares
		shares, sum := make([]float64, n), 0.0
		for i := range shares {
			shares[i] = rng.Float64()
			sum += shares[i]
		}
		for i := range shares {
			shares[i] /= sum
		}
		if own, err = basis.NewAveraged(own, shares); err != nil {
			t.Fatal(err)
		}
		g.Bases, widths = append(g.Bases, own), append(widths, n)
	}
	var err error
	if g.Ensemble, err = buttress.NewOutputs(widths, surface.Supports(g.Bases), orderings, outputs); err != nil {
		t.Fatal(err)
	}
	return g
}

// fewest nodes make with the most a layer of 64 weights, each with a second moment of its own, or a larger one.
func fewest(times int) int { return 4 + min(times-1, 1) }

func leveledBatch(n int, unknown float64, known, times int, rng *rand.Rand) (b elbo.Batch) {
	for range n {
		row := []float32{rng.Float32(), float32(rng.IntN(6)), float32(rng.IntN(12*times) * rng.IntN(4)), float32(rng.IntN(60 * times)), rng.Float32()}
		for i := range row {
			if i != known && rng.Float64() < unknown {
				row[i] = float32(math.NaN())
			}
		}
		b.X, b.Y = append(b.X, row...), append(b.Y, -rng.Float32()) // residuals do not vanish
	}
	return b
}

// Steps with slots for levels are, weight by weight, those of their definition on the whole
// surface, whatever the number of workers.
func TestSlotsFollowTheWholeSurface(t *testing.T) {
	apart := [][]int{{0, 2, 4, 3, 1}, {2, 1, 3, 0, 4}, {4, 3, 0, 1, 2}}
	last := [][]int{{0, 2, 4, 1, 3}, {2, 1, 0, 4, 3}, {4, 2, 0, 1, 3}}   // the mean of weights is then that of f
	before := [][]int{{0, 2, 4, 3, 1}, {4, 3, 0, 1, 2}, {2, 1, 3, 0, 4}} // a buttress follows one whose outputs are behind levels
	together := [][]int{{0, 2, 3, 4, 1}, {3, 2, 0, 1, 4}, {1, 0, 4, 3, 2}}
	for _, c := range []struct {
		name      string
		part      surface.Part
		objective func(*surface.Surface, elbo.Loss, *simd.Pool) *elbo.Mean
		orderings [][]int
		unknown   float64
		tolerance float64
		outputs   int
		times     int
		pooled    bool
	}{
		{"apart", surface.MeanOnly, elbo.NewMean, apart, 0, 2e-4, 1, 1, false},
		{"unknown", surface.MeanOnly, elbo.NewMean, last, 0.1, 2e-4, 1, 1, false},
		{"together", surface.MeanOnly, elbo.NewMean, together, 0, 2e-4, 1, 1, false},
		{"variance", surface.VarianceOnly, elbo.NewVariance, last, 0.1, 2e-4, 1, 1, false},
		{"outputs apart", surface.MeanOnly, outputsObjective, before, 0, 2e-4, 4, 1, false},
		{"outputs together", surface.MeanOnly, outputsObjective, together, 0, 2e-4, 3, 1, false},
		{"many", surface.MeanOnly, elbo.NewMean, apart, 0, 2e-4, 1, 8, false}, // of a mini-batch levels make two chunks
		{"pooled", surface.MeanOnly, elbo.NewMean, last, 0.1, 2e-4, 1, 1, true},
		{"pooled together", surface.MeanOnly, elbo.NewMean, together, 0, 2e-4, 1, 1, true},
		{"outputs of a variance", surface.VarianceOnly, outputsObjective, before, 0, 2e-4, 3, 1, false},
	} {
		s := leveled(t, c.part, c.orderings, c.outputs, c.times, c.pooled)
		const rate, lambda = 0.004, 0.05
		rows, steps := 9*c.times, 14
		if c.times > 1 {
			steps = 9 // of which one has the penalty of the other layers
		}
		rng := rand.New(rand.NewPCG(6, 1))
		start := make([]float32, s.Size())
		for i := range start {
			start[i] = float32(0.6 + 0.2*rng.NormFloat64())
		}
		want := newWhole(s, start, c.objective, lambda)
		var ends [][]float32
		for _, workers := range []int{1, 3} {
			pool := simd.NewPool(workers)
			params := slices.Clone(start)
			slotted, err := newSlotted(s, params, rows, 5, lambda, optim.Beta2, pool)
			if err != nil {
				t.Fatal(err)
			}
			for g := range s.Groups() {
				want := []int{fewest(c.times), 6, rows + 1, rows + 1, 16}
				if c.pooled && g == 0 {
					want[2] = 8
				}
				if got := slotted.surface.Group(g).Ensemble.Widths(); !slices.Equal(got, want) {
					t.Fatalf("%s: layers of %v nodes, want %v", c.name, got, want)
				}
			}
			objective := c.objective(slotted.surface, squared, pool)
			draw := rand.New(rand.NewPCG(7, 1))
			for range steps {
				b := leveledBatch(rows, c.unknown, 2, c.times, draw)
				if workers == 1 {
					want.step(b, rate)
				}
				slotted.begin(rate, b)
				objective.Evaluate(slotted.params, 0, b, slotted.gradient, slotted.move)
			}
			slotted.end()
			checkStandIns(t, c.name, slotted)
			ends = append(ends, params)
			pool.Close()
			if i := slices.IndexFunc(slotted.gradient, func(g float32) bool { return g != 0 }); i >= 0 {
				t.Errorf("%s: slope %d is left over", c.name, i)
			}
		}
		if !slices.Equal(ends[0], ends[1]) {
			t.Errorf("%s: one worker and three disagree", c.name)
		}
		for i, w := range ends[0] {
			testkit.Close(t, fmt.Sprintf("%s: weight %d", c.name, i), float64(w), want.params[i], 0, c.tolerance)
		}
	}
}

// outputsLayer stands for the layer of several outputs, in the place of an input.
const outputsLayer = 5

// outputsObjective is [squaredOutputs] of all outputs.
func outputsObjective(s *surface.Surface, _ elbo.Loss, pool *simd.Pool) *elbo.Mean {
	return elbo.NewOutputs(s, squaredOutputs, pool)
}

// squaredOutputs is half the squared error of every output, of which number t has the target
// y + t/2.
func squaredOutputs(f []float64, y []float32, slope []float64) (value float64) {
	for t, v := range f {
		slope[t] = v - float64(y[0]) - float64(t)/2
		value += slope[t] * slope[t] / 2
	}
	return value
}

// Where all levels weigh the same, rows of unknown levels are as they are to the basis.
func TestSlotsOfUnknownLevels(t *testing.T) {
	for part, objective := range map[surface.Part]func(*surface.Surface, elbo.Loss, *simd.Pool) *elbo.Mean{surface.MeanOnly: elbo.NewMean, surface.VarianceOnly: elbo.NewVariance} {
		checkUnknownLevels(t, part, objective, [][]int{{0, 2, 4, 3, 1}, {3, 2, 0, 1, 4}, {1, 2, 3, 0, 4}}, 1)
		checkUnknownLevels(t, part, outputsObjective, [][]int{{0, 2, 4, 3, 1}, {4, 3, 0, 1, 2}, {1, 0, 4, 2, 3}}, 3)
	}
}

func checkUnknownLevels(t *testing.T, part surface.Part, objective func(*surface.Surface, elbo.Loss, *simd.Pool) *elbo.Mean, orderings [][]int, outputs int) {
	s := leveled(t, part, orderings, outputs, 1, false)
	pool := simd.NewPool(1)
	defer pool.Close()
	for _, unknown := range []float64{0.4, 1} { // also where no level is in use
		params := slices.Repeat([]float32{0.7}, s.Size())
		slotted, err := newSlotted(s, params, 9, 5, 0, optim.Beta2, pool)
		if err != nil {
			t.Fatal(err)
		}
		b := leveledBatch(9, unknown, -1, 1, rand.New(rand.NewPCG(8, 1)))
		want := objective(s, squared, pool).Evaluate(params, 0, b, make([]float32, s.Size()), nil)
		slotted.begin(0.1, b)
		got := objective(slotted.surface, squared, pool).Evaluate(slotted.params, 0, b, slotted.gradient, nil)
		testkit.Close(t, fmt.Sprint(part, ", unknown ", unknown), got, want, 1e-4, 0)
	}
}

// checkStandIns holds what stands in for unknown levels, which steps have carried on, against its
// definition by the weights of all levels.
func checkStandIns(t *testing.T, name string, s *slotted) {
	t.Helper()
	for _, own := range s.buttresses {
		for _, l := range own.lines {
			mean, squares := make([]float64, l.nodes), make([]float64, l.nodes)
			for level := range l.all {
				share := float64(l.all[level].share)
				for i, w := range l.line(int32(level)) {
					mean[i] += share * float64(w)
					squares[i] += share * share * math.Exp(float64(w))
				}
			}
			for i, want := range mean {
				testkit.Close(t, name+": mean of levels", l.mean[i], want, 1e-5, 1e-6)
				if l.variance {
					want = squares[i]
				}
				testkit.Close(t, name+": what unknown levels have", l.unknown[i], want, 1e-5, 1e-6)
			}
		}
	}
}

// A weight of a level that never had a slope is moved down the first one, by a step that is finite.
func TestSecondMomentOfNoSlope(t *testing.T) {
	for _, square := range []float64{0, 1e-300} {
		var v float32
		if got := secondMoment(&v, square, 1, 0.1); !(got > 0) || math.IsInf(got, 1) {
			t.Errorf("a square of %g is multiplied by %g", square, got)
		}
	}
}

// whole takes the same steps by the gradient of the whole surface, in float64.
type whole struct {
	s            *surface.Surface
	objective    *elbo.Mean
	params, m, v []float64
	lambda       float64
	at           int
	counts, last [5][]int // by input and level
	inUse        [5][]int // levels in the order of the rows
}

func newWhole(s *surface.Surface, start []float32, objective func(*surface.Surface, elbo.Loss, *simd.Pool) *elbo.Mean, lambda float64) *whole {
	w := &whole{s: s, objective: objective(s, squared, simd.NewPool(1)), lambda: lambda}
	for _, p := range start {
		w.params = append(w.params, float64(p))
	}
	w.m, w.v = make([]float64, len(start)), make([]float64, len(start))
	for i := range w.counts {
		w.counts[i], w.last[i] = make([]int, 480), make([]int, 480)
	}
	return w
}

// gradient returns that by the rows of which an input is known, or by all for −1.
func (w *whole) gradient(b elbo.Batch, known int) []float32 {
	params, gradient := make([]float32, len(w.params)), make([]float32, len(w.params))
	for i, p := range w.params {
		params[i] = float32(p)
	}
	for p := range b.Y {
		weight := float32(1)
		if known >= 0 && b.X[5*p+known] != b.X[5*p+known] {
			weight = 0
		}
		b.Weights = append(b.Weights, weight)
	}
	w.objective.Evaluate(params, 0, b, gradient, nil)
	return gradient
}

func (w *whole) step(b elbo.Batch, rate float64) {
	w.at++
	var since [5]map[int]int
	w.inUse = [5][]int{}
	for _, input := range []int{2, 3} {
		since[input] = map[int]int{}
		for p := range b.Y {
			if x := b.X[5*p+input]; x == x && !slices.Contains(w.inUse[input], int(x)) {
				since[input][int(x)] = w.at - w.last[input][int(x)]
				w.inUse[input] = append(w.inUse[input], int(x))
			}
		}
		for _, level := range w.inUse[input] {
			w.last[input][level] = w.at
			w.counts[input][level]++
		}
	}
	by := map[int][]float32{-1: w.gradient(b, -1), 2: w.gradient(b, 2), 3: w.gradient(b, 3)}
	old, at := slices.Clone(w.params), 0
	for g := range w.s.Groups() {
		at = w.stepGroup(b, rate, w.s.Group(g), old, at, by, since)
	}
}

// stepGroup moves the weights of a group, of which at is the first, and returns where the next begin.
func (w *whole) stepGroup(b elbo.Batch, rate float64, group surface.Group, old []float64, at int, by map[int][]float32, since [5]map[int]int) int {
	isMany := func(input int) bool { return (input == 2 || input == 3) && group.Bases[input].Nodes() > 8 }
	for _, ordering := range group.Ensemble.Orderings() {
		rows, before := 1, -1
		if w.s.Outputs() > 1 {
			ordering = append(slices.Clone(ordering), outputsLayer)
		}
		for _, input := range ordering {
			cols := w.s.Outputs()
			if input != outputsLayer {
				cols = group.Bases[input].Nodes()
			}
			size := rows * cols
			many, manyBefore := isMany(input), isMany(before)
			share := func(input, level int) float64 { return float64(float32(group.Bases[input].Spec().Average[level])) }
			switch {
			case many && manyBefore:
				var mean float64
				for i := range size {
					mean += old[at+i] * share(before, i/cols) * share(input, i%cols)
				}
				for p := range b.Y {
					from, to := int(b.X[5*p+before]), int(b.X[5*p+input])
					i := at + from*cols + to
					if w.params[i] != old[i] {
						continue
					}
					g := float64(by[-1][i]) + 2*w.lambda*float64(max(since[before][from], since[input][to]))*(old[i]-mean)
					w.v[at+to] = 0.999*w.v[at+to] + 0.001*g*g
					w.params[i] -= 3 * rate * g / (math.Sqrt(w.v[at+to]/(1-math.Pow(0.999, float64(w.counts[input][to])))) + 1e-8)
					mean += (w.params[i] - old[i]) * share(before, from) * share(input, to)
				}
			case many:
				w.line(old, by[input], at, cols, rows, rate, group.Bases, input, before, since[input], func(level, i int) int { return at + i*cols + level })
			case manyBefore:
				w.line(old, by[before], at, rows, cols, rate, group.Bases, before, input, since[before], func(level, i int) int { return at + level*cols + i })
			default:
				w.whole(old, by[-1], at, rows, cols, rate, before < 0 || basis.Ordered(group.Bases[before]), input != outputsLayer && basis.Ordered(group.Bases[input]), input == outputsLayer)
			}
			at, rows, before = at+size, cols, input
		}
	}
	return at
}

// line moves the weights of levels in use.
func (w *whole) line(old []float64, gradient []float32, at, levels, nodes int, rate float64, bases []basis.Basis, input, other int, since map[int]int, index func(level, i int) int) {
	mean := make([]float64, nodes)
	for i := range mean {
		for level := range levels {
			mean[i] += bases[input].Spec().Average[level] * old[index(level, i)]
		}
	}
	for _, level := range w.inUse[input] {
		g, square := make([]float64, nodes), 0.0
		for i := range g {
			own := old[index(level, i)]
			slope := own - mean[i]
			if other < 0 || other != outputsLayer && basis.Ordered(bases[other]) {
				if i > 0 {
					slope += own - old[index(level, i-1)]
				}
				if i+1 < nodes {
					slope += own - old[index(level, i+1)]
				}
			}
			g[i] = float64(gradient[index(level, i)]) + w.lambda*float64(since[level])*slope
			square += g[i] * g[i] / float64(nodes)
		}
		v := &w.v[index(level, 0)]
		*v = 0.999**v + 0.001*square
		for i := range g {
			move := 3 * rate * g[i] / (math.Sqrt(*v/(1-math.Pow(0.999, float64(w.counts[input][level])))) + 1e-8)
			w.params[index(level, i)] -= move
		}
	}
}

// whole moves a layer of which all weights are in use, by groups of 32 or, of small layers, single weights.
func (w *whole) whole(old []float64, gradient []float32, at, rows, cols int, rate float64, rowsOrdered, colsOrdered, outputs bool) {
	own, slope := make([]float32, rows*cols), make([]float32, rows*cols)
	for i := range own {
		own[i], slope[i] = float32(old[at+i]), gradient[at+i]
	}
	every, size, variance := 8, 32, w.s.Group(0).Part == surface.VarianceOnly
	if variance {
		every = 1
	}
	if w.at%every == 0 {
		if outputs {
			elbo.SmoothOutputs(own, slope, rows, rowsOrdered, float32(float64(every)*w.lambda))
		} else {
			elbo.SmoothLayer(own, slope, rows, rowsOrdered, colsOrdered, float32(float64(every)*w.lambda))
		}
	}
	if variance || !rowsOrdered || !colsOrdered || rows*cols <= 64 {
		size = 1
	}
	for from := 0; from < rows*cols; from += size {
		to, square := min(from+size, rows*cols), 0.0
		for _, g := range slope[from:to] {
			square += float64(g) * float64(g) / float64(to-from)
		}
		v := &w.v[at+from]
		*v = 0.999**v + 0.001*square
		for i := from; i < to; i++ {
			m := &w.m[at+i]
			*m = 0.9**m + 0.1*float64(slope[i])
			w.params[at+i] -= rate * *m / (1 - math.Pow(0.9, float64(w.at))) / (math.Sqrt(*v/(1-math.Pow(0.999, float64(w.at)))) + 1e-8)
		}
	}
}
