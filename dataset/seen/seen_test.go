package seen

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"beziergp/box"
	"beziergp/internal/safetensors"
	"beziergp/internal/testkit"
	"beziergp/table"
)

// mapping has a number, a category with two nodes and one that others share, a category
// without such a one, and a date-time of two parts.
func mapping() *box.Box {
	b := box.New([]box.Input{
		{Name: "x", Lo: 0, Hi: 1, Missing: true},
		{Name: "c", Kind: table.Category, Levels: []string{"a", "b"}, Pooled: box.Pool("c", []string{"a", "b"}, []string{"p", "q"})},
		{Name: "d", Kind: table.Category, Levels: []string{"a", "b"}},
		{Name: "t.time", Column: "t", Kind: table.DateTime, Part: "time", Lo: 0, Hi: 2e9},
		{Name: "t.hour", Column: "t", Kind: table.DateTime, Part: "hour", Lo: 0, Hi: 24},
	})
	return &b
}

func sum(x, c, d, t, y float64) uint64 {
	return NewHasher(mapping(), "y").Sum([][]float64{{x}, {c}, {d}, {t}}, 0, y)
}

func TestSumIsOfWhatTheModelSees(t *testing.T) {
	base := sum(0.5, 0, 1, 1.7e9, 3)
	for what, same := range map[string][2]uint64{
		"minus zero":       {sum(math.Copysign(0, -1), 0, 1, 0, 3), sum(0, 0, 1, 0, 3)},
		"another NaN":      {sum(math.Float64frombits(0x7ff8000000000123), 0, 1, 0, 3), sum(math.NaN(), 0, 1, 0, 3)},
		"float32":          {sum(float64(float32(0.1)), 0, 1, 0, float64(float32(0.3))), sum(0.1, 0, 1, 0, 0.3)},
		"levels of a node": {sum(0.5, 2, 1, 0, 3), sum(0.5, 3, 1, 0, 3)},
	} {
		if same[0] != same[1] {
			t.Errorf("%s: %x and %x", what, same[0], same[1])
		}
	}
	for what, other := range map[string]uint64{
		"number": sum(0.6, 0, 1, 1.7e9, 3), "level": sum(0.5, 1, 1, 1.7e9, 3), "shared node": sum(0.5, 2, 1, 1.7e9, 3),
		"no node": sum(0.5, 0, 2, 1.7e9, 3), "second": sum(0.5, 0, 1, 1.7e9+1, 3), "target": sum(0.5, 0, 1, 1.7e9, 4),
		"missing": sum(math.NaN(), 0, 1, 1.7e9, 3), "columns exchanged": sum(0.5, 1, 0, 1.7e9, 3),
		"target's name": NewHasher(mapping(), "z").Sum([][]float64{{0.5}, {0}, {1}, {1.7e9}}, 0, 3),
	} {
		if other == base {
			t.Errorf("another %s has the same hash", what)
		}
	}
}

// The recorder against all hashes at once: those kept are the smallest, in whatever order
// they come, and the repeats among them are all known.
func TestRecorderKeepsTheSmallest(t *testing.T) {
	for _, distinct := range []int{1, 5, 1000, Most - 1, Most, Most + 1, 3 * Most} {
		rng := rand.New(rand.NewPCG(1, uint64(distinct)))
		times := map[uint64]int{}
		var all []uint64
		for range distinct {
			h := rng.Uint64() >> (64 - bits)
			n := 1
			if rng.IntN(10) == 0 {
				n = 2 + rng.IntN(3)
			}
			times[h] += n
			for range n {
				all = append(all, h)
			}
		}
		rng.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
		var r Recorder
		for _, h := range all {
			r.Add(h)
		}
		got := r.Rows("s")

		slices.Sort(all)
		want := slices.Compact(all)
		trained := 0
		for _, n := range times {
			trained += n
		}
		want = want[:min(len(want), Most)]
		rows, repeated := 0, 0
		for _, h := range want {
			rows += times[h]
			if times[h] > 1 {
				repeated += times[h]
			}
		}
		if !slices.Equal(got.Sums, want) || got.Trained != trained || got.Split != "s" {
			t.Errorf("%d distinct rows: %d hashes of %d rows, want %d of %d", distinct, len(got.Sums), got.Trained, len(want), trained)
		}
		testkit.Close(t, "share repeated", got.Repeated, float64(repeated)/float64(rows), 1e-12, 0)
		if err := got.Check(); err != nil {
			t.Error(err)
		}
	}
}

// rows of random numbers hashed.
func hashes(n int, seed uint64) []uint64 {
	rng := rand.New(rand.NewPCG(seed, 0))
	b := box.New([]box.Input{{Name: "a", Hi: 1}, {Name: "b", Hi: 1}})
	h := NewHasher(&b, "y")
	sums := make([]uint64, n)
	for i := range sums {
		sums[i] = h.Sum([][]float64{{rng.Float64()}, {float64(rng.IntN(10))}}, 0, rng.NormFloat64())
	}
	return sums
}

func record(sums []uint64, split string) *Rows {
	var r Recorder
	for _, s := range sums {
		r.Add(s)
	}
	return r.Rows(split)
}

func TestUnseenRowsAreNotTakenForSeenOnes(t *testing.T) {
	if FalsePositives > 1e-11 {
		t.Fatalf("the stated rate is %g", FalsePositives)
	}
	count := record(hashes(Most, 1), "").Count()
	for _, s := range hashes(300000, 2) {
		count.Add(s)
	}
	if count.Equal() != 0 || count.All != 300000 {
		t.Errorf("%d of %d", count.Equal(), count.All)
	}
}

func TestEqualRowsAreCounted(t *testing.T) {
	for _, n := range []int{100, 4 * Most} {
		trained := hashes(n, 1)
		count := record(trained, "").Count()
		scored := append(hashes(n/4, 2), trained[:n/4]...)
		for _, s := range scored {
			count.Add(s)
		}
		// A binomial share of a quarter of those scored, where there is a sample of them.
		slack := 0.0
		if count.Sampled() {
			slack = 4 * math.Sqrt(0.25*float64(len(scored))*4)
		}
		testkit.Close(t, "rows equal", float64(count.Equal()), float64(n/4), 0, slack)
		if count.Chance("") {
			t.Error("it is taken for chance")
		}
	}
}

// Rows of a table that repeats are equal by chance on the side that was left out, but not
// where another table hides behind the same split.
func TestChance(t *testing.T) {
	pool := hashes(400, 1) // of which rows are drawn, many of them twice
	rng := rand.New(rand.NewPCG(3, 0))
	draw := func(n int) (sums []uint64) {
		for range n {
			sums = append(sums, pool[rng.IntN(len(pool))])
		}
		return sums
	}
	trained := draw(200)
	rows := record(trained, "holdout 0.1")
	fresh, same := rows.Count(), rows.Count()
	for _, s := range draw(200) {
		fresh.Add(s)
	}
	for _, s := range trained {
		same.Add(s)
	}
	if fresh.Equal() == 0 || math.Abs(fresh.Expected()-float64(fresh.Equal())) > 4*math.Sqrt(200*0.25*2) {
		t.Errorf("%d rows are equal, %g are expected", fresh.Equal(), fresh.Expected())
	}
	if !fresh.Chance("holdout 0.1") || fresh.Chance("holdout 0.2") || fresh.Chance("") {
		t.Error("rows that repeat: by chance under the known split alone")
	}
	if same.Chance("holdout 0.1") {
		t.Error("all rows of another table behind the same split are taken for chance")
	}
	if !rows.Count().Chance("") {
		t.Error("no rows are not chance")
	}
}

func TestFile(t *testing.T) {
	rows := record(hashes(50, 1), "mask 12")
	tensors := map[string]safetensors.Tensor{}
	head := rows.Describe(tensors)
	back, err := head.Restore(tensors)
	if err != nil || !slices.Equal(back.Sums, rows.Sums) || back.Trained != 50 || back.Split != "mask 12" || len(tensors) != 0 {
		t.Errorf("%+v, %v", back, err)
	}
	for what, damage := range map[string]func(h *Head, v []float64){
		"order":    func(_ *Head, v []float64) { v[0], v[1] = v[1], v[0] },
		"negative": func(_ *Head, v []float64) { v[0] = -1 },
		"fraction": func(_ *Head, v []float64) { v[0] = 0.5 },
		"NaN":      func(_ *Head, v []float64) { v[0] = math.NaN() },
		"large":    func(_ *Head, v []float64) { v[49] = 1 << 53 },
		"few rows": func(h *Head, _ []float64) { h.Trained = 49 },
		"share":    func(h *Head, _ []float64) { h.Repeated = 2 },
	} {
		tensors := map[string]safetensors.Tensor{}
		head := rows.Describe(tensors)
		damage(head, tensors[tensor].Wide)
		if _, err := head.Restore(tensors); err == nil {
			t.Errorf("%s: it is read", what)
		}
	}
	if _, err := head.Restore(nil); err == nil {
		t.Error("no hashes are read")
	}
	if none, err := (*Head)(nil).Restore(nil); none != nil || err != nil {
		t.Error("a file of a former version is none")
	}
}
