package auto

import (
	"cmp"
	"context"
	"maps"
	"math"
	"slices"
	"sync"

	"gonum.org/v1/gonum/stat"

	"beziergp/internal/process/basis"
	"beziergp/internal/process/descent"
)

// screen tells which of many inputs the target depends on, each alone or beside one other. Let r_t be the slopes of the loss
// at a constant f, in units of their deviation. Where the target depends on none of the inputs that tell cells of rows apart,
//
//	X = Σ_t Σ_c (Σ_{j∈c} w_j r_jt)² / Σ_{j∈c} w_j
//
// is about T (C − 1), with variance 2 T (C − 1) for T processes and C cells, and with the ranks s of a number, about their mean,
//
//	X = Σ_t (Σ_j w_j r_jt s_j)² / Σ_j w_j s_j²
//
// is about T, with variance 2 T. The scores of an input are how many deviations X is above that, in three ways: by its ranks, by its own
// cells and, beyond what both tell alone, by those with another (after Fan & Lv, JRSS B 2008, who screen by correlations, and Lou et
// al., KDD 2013, who rank pairs). How large scores are by chance is told by those of the same slopes in random orders of the rows: way by
// way, for of all pairs some score highly by chance, and ranks tell most of an effect that rises.
type screen struct {
	ranks   [][]float32 // of every number, that of every row, about their mean; nil of a category
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

// scores are those of all inputs in one way, by the slopes and by those in each random order.
type scores [1 + orders][]float64

// The ways in which inputs tell of the target.
const (
	byRanks = iota
	byCells
	byPairs
	ways
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
		s.cells, s.ranks = append(s.cells, cellsOf(d, rows, i)), append(s.ranks, ranksOf(d, rows, i))
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
	known := knownOf(d, rows, input)
	cell := func(v float32) uint8 {
		below, _ := slices.BinarySearch(known, v)
		return uint8(below * fourths / len(known))
	}
	if !basis.Ordered(d.bases[input]) {
		count := map[float32]int{}
		for _, v := range known {
			count[v]++
		}
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

// knownOf returns the values of an input that some rows have, sorted.
func knownOf(d *dataset, rows []int, input int) (known []float32) {
	for _, j := range rows {
		if v := d.Row(j)[input]; v == v {
			known = append(known, v)
		}
	}
	slices.Sort(known)
	return known
}

// ranksOf returns the ranks of some rows by a number, from −½ to ½, equal values having their middle one and missing ones 0; nil of a
// category.
func ranksOf(d *dataset, rows []int, input int) []float32 {
	if !basis.Ordered(d.bases[input]) {
		return nil
	}
	known := knownOf(d, rows, input)
	ranks := make([]float32, len(rows))
	for i, j := range rows {
		if v := d.Row(j)[input]; v == v {
			first, _ := slices.BinarySearch(known, v)
			after, _ := slices.BinarySearch(known, math.Nextafter32(v, float32(math.Inf(1))))
			ranks[i] = float32(first+after)/float32(2*len(known)) - 0.5
		}
	}
	return ranks
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

// trend returns what ranks tell.
func (s *screen) trend(ranks []float32) (all told) {
	if ranks == nil {
		return all
	}
	n := len(s.slopes[0])
	sums, squares := make([]float64, n), 0.0
	for i, slopes := range s.slopes {
		rank := float64(ranks[i])
		by := s.weights[i] * rank
		squares += by * rank
		for k, r := range slopes {
			sums[k] += by * r
		}
	}
	if squares == 0 {
		return all
	}
	t := n / (1 + orders)
	all.expected = float64(t)
	for k, sum := range sums {
		all.x[k/t] += square(sum) / squares
	}
	return all
}

// scores returns those of every way.
func (s *screen) scores(ctx context.Context, w worker) (all [ways]scores, err error) {
	d := len(s.cells)
	alone := make([]told, d)
	for way := range all {
		for k := range all[way] {
			all[way][k] = slices.Repeat([]float64{math.Inf(-1)}, d)
		}
	}
	raise := func(way, i int, x told) {
		for k, v := range x.x {
			if own := all[way][k]; x.expected > 0 {
				own[i] = max(own[i], (v-x.expected)/math.Sqrt(2*x.expected))
			}
		}
	}
	room := s.sums()
	for i, cells := range s.cells {
		alone[i] = s.by(cells, cells, room)
		raise(byRanks, i, s.trend(s.ranks[i]))
		raise(byCells, i, alone[i])
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
			raise(byPairs, i, x)
			raise(byPairs, j, x)
		}
		return nil
	})
	return all, err
}

// kept returns the inputs that are kept in any way, in their order.
func kept(all [ways]scores, share float64) (inputs []int) {
	for _, own := range all {
		inputs = append(inputs, own.kept(share)...)
	}
	slices.Sort(inputs)
	return slices.Compact(inputs)
}

// kept returns the inputs of highest score: as many as there can be so that as many have such scores by chance
// as a share of them at most.
func (s scores) kept(share float64) []int {
	own, chance := s[0], slices.Sorted(slices.Values(slices.Concat(s[1:]...)))
	order := upTo(len(own))
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(own[b], own[a]) })
	most := 0
	for n := 1; n <= len(order); n++ {
		if expectedByChance(chance, own[order[n-1]]) <= share*float64(n) {
			most = n
		}
	}
	return order[:most]
}

// The scores that show the tail of those by chance: a share of them, and at most so many.
const (
	tailOf      = 10
	mostOfTail  = 30
	leastOfTail = 5
)

// expectedByChance returns how many inputs have at least a score in a random order of the rows, given the scores in all
// of these orders, sorted. Few orders have few scores as high as those that decide, and the highest of them is rough; so
// beyond the highest scores they are taken to fall off exponentially, as the square of a Gaussian does.
func expectedByChance(chance []float64, score float64) float64 {
	below, _ := slices.BinarySearch(chance, score)
	tail := chance[len(chance)-min(len(chance)/tailOf, mostOfTail):]
	if len(chance)-below >= len(tail) || len(tail) < leastOfTail {
		return float64(len(chance)-below) / orders
	}
	scale := stat.Mean(tail, nil) - tail[0]
	if !(scale > 0) {
		return float64(len(chance)-below) / orders
	}
	return float64(len(tail)) / orders * math.Exp((tail[0]-score)/scale)
}
