package auto

import (
	"cmp"
	"context"
	"maps"
	"math"
	"slices"
	"sync"

	"beziergp/internal/process/basis"
	"beziergp/internal/process/descent"
)

// screen tells which of many inputs the target depends on, each alone or beside one other. Let r_t be the slopes of the loss
// at a constant f, in units of their deviation. Where the target depends on none of the inputs that tell cells of rows apart,
//
//	X = Σ_t Σ_c (Σ_{j∈c} w_j r_jt)² / Σ_{j∈c} w_j
//
// is about T (C − 1), with variance 2 T (C − 1) for T processes and C cells. The score of an input is how many deviations X is above that, by
// the input alone or, beyond what both tell alone, with another (after Fan & Lv, JRSS B 2008, who screen by correlations, and Lou et
// al., KDD 2013, who rank pairs). How large scores are by chance is told by those of the same slopes in random orders of the rows.
type screen struct {
	cells   [][]uint8   // of every input, the cell of every row
	slopes  [][]float64 // of every row, [1 + orders, T]: r, and r of others
	weights []float64
}

const (
	fourths     = 4  // of the rows by a number, or
	inputCells  = 10 // the most frequent levels of a category and all others; and the last is where the input is missing
	missingCell = inputCells - 1
	orders      = 3 // at random
	// mostScreened is how many slopes are summed over all pairs of inputs; of no fewer rows than leastScreened.
	mostScreened  = 4e9
	leastScreened = 500
)

// keptByChance are the shares, one after another, of the inputs that are kept that have such a score by chance alone.
var keptByChance = []float64{0.1, 0.01}

// newScreen returns that of some rows, or of fewer of them where pairs are many.
func newScreen(d *dataset, rows []int, seed uint64) *screen {
	t := d.latents()
	if most := max(leastScreened, int(2*mostScreened/float64(d.Inputs*d.Inputs*t))); len(rows) > most {
		rows = mixed(slices.Clone(rows), seed)[:most]
	}
	s := &screen{}
	for i := range d.Inputs {
		s.cells = append(s.cells, cellsOf(d, rows, i))
	}
	s.slopes, s.weights = slopesOf(d, rows)
	rng := descent.Random(seed, descent.StreamScreen)
	for k := range orders {
		for i, from := range rng.Perm(len(rows)) {
			copy(s.slopes[i][(1+k)*t:], s.slopes[from][:t])
		}
	}
	return s
}

// slopesOf returns r of some rows, with room for those of the random orders, and the weights of the rows.
func slopesOf(d *dataset, rows []int) (slopes [][]float64, weights []float64) {
	t := d.latents()
	zero, mean, variance, all := make([]float64, t), make([]float64, t), make([]float64, t), 0.0
	for _, j := range rows {
		own, w := make([]float64, (1+orders)*t), d.Weight(j)
		d.slopes(j, zero, own[:t])
		slopes, weights, all = append(slopes, own), append(weights, w), all+w
		for k, r := range own[:t] {
			mean[k], variance[k] = mean[k]+w*r, variance[k]+w*r*r
		}
	}
	for k := range mean {
		mean[k] /= all
		variance[k] = variance[k]/all - square(mean[k])
	}
	for _, own := range slopes {
		for k, r := range own[:t] {
			own[k] = 0
			if variance[k] > 0 {
				own[k] = (r - mean[k]) / math.Sqrt(variance[k])
			}
		}
	}
	return slopes, weights
}

// cellsOf returns the cell of each of some rows by one input.
func cellsOf(d *dataset, rows []int, input int) []uint8 {
	var known []float32
	count := map[float32]int{}
	for _, j := range rows {
		if v := d.Row(j)[input]; v == v {
			known = append(known, v)
			count[v]++
		}
	}
	slices.Sort(known)
	cell := func(v float32) uint8 {
		below, _ := slices.BinarySearch(known, v)
		return uint8(below * fourths / len(known))
	}
	if !basis.Ordered(d.bases[input]) {
		levels := slices.SortedFunc(maps.Keys(count), func(a, b float32) int { return cmp.Or(cmp.Compare(count[b], count[a]), cmp.Compare(a, b)) })
		cell = func(v float32) uint8 { return uint8(min(slices.Index(levels, v), missingCell-1)) }
	}
	cells := make([]uint8, len(rows))
	for i, j := range rows {
		cells[i] = missingCell
		if v := d.Row(j)[input]; v == v {
			cells[i] = cell(v)
		}
	}
	return cells
}

// told is X of some cells, of the slopes and of those in random orders, and T (C − 1).
type told struct {
	x        [1 + orders]float64
	expected float64
}

func (a told) beyond(b, c told) told {
	for k := range a.x {
		a.x[k] -= b.x[k] + c.x[k]
	}
	a.expected -= b.expected + c.expected
	return a
}

// sums returns room for those of the slopes by cell.
func (s *screen) sums() []float64 { return make([]float64, inputCells*inputCells*len(s.slopes[0])) }

// by returns what cells of two inputs tell, or of one and itself, and overwrites the sums.
func (s *screen) by(a, b []uint8, sums []float64) (all told) {
	n := len(s.slopes[0])
	t := n / (1 + orders)
	var weights [inputCells * inputCells]float64
	clear(sums)
	for i, slopes := range s.slopes {
		c, w := int(a[i])*inputCells+int(b[i]), s.weights[i]
		weights[c] += w
		own := sums[c*n:][:len(slopes)]
		for k, r := range slopes {
			own[k] += w * r
		}
	}
	all.expected = -float64(t)
	for c, w := range weights {
		if w == 0 {
			continue
		}
		all.expected += float64(t)
		for k, sum := range sums[c*n:][:n] {
			all.x[k/t] += square(sum) / w
		}
	}
	return all
}

// scores returns those of all inputs by the slopes, and by those in each random order.
func (s *screen) scores(ctx context.Context, w worker) (scores [1 + orders][]float64, err error) {
	d := len(s.cells)
	alone := make([]told, d)
	for k := range scores {
		scores[k] = slices.Repeat([]float64{math.Inf(-1)}, d)
	}
	raise := func(i int, x told) {
		for k, v := range x.x {
			if x.expected > 0 {
				scores[k][i] = max(scores[k][i], (v-x.expected)/math.Sqrt(2*x.expected))
			}
		}
	}
	room := s.sums()
	for i, cells := range s.cells {
		alone[i] = s.by(cells, cells, room)
		raise(i, alone[i])
	}
	var mu sync.Mutex
	err = parallel(ctx, w, d, func(ctx context.Context, w worker, i int) error {
		pairs, room := make([]told, d), s.sums()
		for j := i + 1; j < d; j++ {
			pairs[j] = s.by(s.cells[i], s.cells[j], room).beyond(alone[i], alone[j])
		}
		mu.Lock()
		defer mu.Unlock()
		for j, x := range pairs {
			raise(i, x)
			raise(j, x)
		}
		return nil
	})
	return scores, err
}

// kept returns the inputs of highest score, in their order: as many as there can be so that as many have such scores by chance
// as a share of them at most.
func kept(scores [1 + orders][]float64, share float64) []int {
	own, chance := scores[0], slices.Concat(scores[1:]...)
	order := upTo(len(own))
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(own[b], own[a]) })
	slices.Sort(chance)
	most := 0
	for n := 1; n <= len(order); n++ {
		below, _ := slices.BinarySearch(chance, own[order[n-1]])
		if float64(len(chance)-below) <= orders*share*float64(n) {
			most = n
		}
	}
	best := order[:most]
	slices.Sort(best)
	return best
}
