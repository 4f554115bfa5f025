package profile

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"beziergp/box"
	"beziergp/predictive"
	"beziergp/table"
)

// columns are n rows of values of every kind and the inputs of them: a skewed number, one
// half of whose rows are zeros, a constant, a truth value, a category with rare levels and a
// date-time of two parts; some are missing.
func columns(n int, seed uint64) (box.Box, [][]float64, []float64) {
	rng := rand.New(rand.NewPCG(seed, 1))
	values := make([][]float64, 6)
	var y []float64
	for range n {
		rain := 0.0
		if rng.IntN(2) == 0 {
			rain = math.Round(1000*rng.ExpFloat64()) / 100
		}
		row := []float64{math.Exp(rng.NormFloat64()), rain, 7, float64(rng.IntN(2)), float64(rng.IntN(4)), 1.7e9 + 3600*float64(rng.IntN(1000))}
		if rng.IntN(10) == 0 {
			row[0] = math.NaN()
		}
		for k, v := range row {
			values[k] = append(values[k], v)
		}
		y = append(y, rng.NormFloat64())
	}
	return box.New([]box.Input{
		{Name: "skewed", Missing: true}, {Name: "rain"}, {Name: "constant"}, {Name: "truth", Kind: table.Boolean},
		{Name: "zone", Kind: table.Category, Levels: []string{"a", "b"}, Pooled: box.Pool("zone", []string{"a", "b"}, []string{"p", "q"})},
		{Name: "at.time", Column: "at", Kind: table.DateTime, Part: box.Time}, {Name: "at.hour", Column: "at", Kind: table.DateTime, Part: box.Hour},
	}), values, y
}

// record makes the profile of rows in blocks of so many.
func record(b box.Box, values [][]float64, y []float64, block int) *Profile {
	r := NewRecorder(&b, 1, len(y))
	for _, take := range []func([][]float64, [][]float64, int){r.Find, r.Count} {
		for from := 0; from < len(y); from += block {
			to := min(from+block, len(y))
			var part [][]float64
			for _, column := range values {
				part = append(part, column[from:to])
			}
			take(part, [][]float64{y[from:to]}, to-from)
		}
	}
	return r.Profile()
}

// Every row is in one bin, by a count that shares no code with the profile's; blocks make no
// difference; a file holds it all.
func TestProfileCountsRows(t *testing.T) {
	b, values, y := columns(5000, 1)
	p := record(b, values, y, 5000)
	if err := p.Check(b.Inputs, 1); err != nil || p.Rows() != 5000 {
		t.Fatalf("%d rows, %v", p.Rows(), err)
	}
	if other := record(b, values, y, 77); !reflect.DeepEqual(other, p) {
		t.Error("other blocks make another profile")
	}
	for i, in := range b.Inputs[:4] {
		c, missing, edges := &p.Inputs[i], 0, slices.Concat([]float64{math.Inf(-1)}, p.Inputs[i].Cuts, []float64{math.Inf(1)})
		for k := range len(edges) - 1 {
			n := 0
			for _, v := range values[b.Column(i)] {
				if edges[k] < v && v <= edges[k+1] {
					n++
				}
			}
			if c.Counts[k+1] != n {
				t.Errorf("%s: %d rows in bin %d, want %d", in.Name, c.Counts[k+1], k+1, n)
			}
		}
		for _, v := range values[b.Column(i)] {
			if v != v {
				missing++
			}
		}
		if c.Missing != missing || c.Beyond() != 0 || c.Lo != slices.MinFunc(values[b.Column(i)], order) {
			t.Errorf("%s: %d missing of %d, %d beyond, from %g", in.Name, c.Missing, missing, c.Beyond(), c.Lo)
		}
	}
	// Levels a and b, those that share a node (the code 2), and one that is none (3).
	for code := range 4 {
		n := 0
		for _, v := range values[4] {
			if v == float64(code) {
				n++
			}
		}
		if p.Inputs[4].Counts[code] != n {
			t.Errorf("%d rows of level %d, want %d", p.Inputs[4].Counts[code], code, n)
		}
	}
	if hi := p.Inputs[6].Hi; hi > 24 || hi < 23 {
		t.Errorf("hours up to %g", hi)
	}
	text, err := p.Describe()
	if err != nil {
		t.Fatal(err)
	}
	if got, err := Restore(text, b.Inputs, 1); err != nil || !reflect.DeepEqual(got, p) {
		t.Errorf("a file gives %+v, want %+v; error %v", got, p, err)
	}
	if each := len(text) / 8; each > 400 {
		t.Errorf("%d bytes a column", each)
	}
}

// order puts NaN last.
func order(a, b float64) int {
	switch {
	case a < b || b != b:
		return -1
	case a > b || a != a:
		return 1
	}
	return 0
}

// Bins hold equal shares but for values that more rows have, each of which has a bin to
// itself; no value moves across a cut when it is rounded to a float32.
func TestCuts(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	draw := func(n int, of func() float64) []float64 {
		values := make([]float64, n)
		for i := range values {
			values[i] = of()
		}
		slices.Sort(values)
		return values
	}
	for what, c := range map[string]struct {
		values []float64
		bins   [2]int // fewest and most
	}{
		"normal":       {draw(10000, rng.NormFloat64), [2]int{20, 20}},
		"half zeros":   {draw(10000, func() float64 { return max(0, rng.NormFloat64()) }), [2]int{11, 12}},
		"zeros within": {draw(10000, func() float64 { return math.Trunc(2 * rng.NormFloat64()) }), [2]int{5, 12}},
		"tenths":       {draw(1000, func() float64 { return float64(rng.IntN(10)) / 10 }), [2]int{10, 10}},
		"two values":   {draw(1000, func() float64 { return float64(rng.IntN(2)) }), [2]int{2, 2}},
		"one value":    {draw(1000, func() float64 { return 3 }), [2]int{1, 1}},
		"none":         {nil, [2]int{1, 1}},
		"few":          {[]float64{-2, 1, 1, 5}, [2]int{3, 3}},
		"huge":         {[]float64{-math.MaxFloat64, -1, 1, math.MaxFloat64}, [2]int{4, 4}},
	} {
		cuts := cutsOf(c.values)
		if bins := len(cuts) + 1; bins < c.bins[0] || bins > c.bins[1] || !slices.IsSorted(cuts) || len(slices.Compact(slices.Clone(cuts))) != len(cuts) {
			t.Errorf("%s: cuts %v", what, cuts)
		}
		counts, distinct := make([]int, len(cuts)+1), make([]map[float64]int, len(cuts)+1)
		for _, v := range c.values {
			at, _ := slices.BinarySearch(cuts, v)
			if rounded, _ := slices.BinarySearch(cuts, float64(float32(v))); rounded != at && what != "huge" {
				t.Errorf("%s: %g falls in bin %d, rounded in %d", what, v, at, rounded)
			}
			counts[at]++
			if distinct[at] == nil {
				distinct[at] = map[float64]int{}
			}
			distinct[at][v]++
		}
		for k, values := range distinct {
			for v, n := range values {
				if n*wanted >= len(c.values) && len(values) > 1 {
					t.Errorf("%s: %g has %d of %d rows and shares its bin", what, v, n, len(c.values))
				}
			}
			if len(values) > 1 && counts[k]*wanted > 2*len(c.values)+wanted {
				t.Errorf("%s: bin %d has %d of %d rows", what, k, counts[k], len(c.values))
			}
		}
	}
}

// Cuts are found by a sample of many rows, and counts are of them all.
func TestManyRowsAreSampled(t *testing.T) {
	const n = 100000
	rng := rand.New(rand.NewPCG(3, 3))
	x := make([]float64, n)
	for i := range x {
		x[i] = rng.Float64()
	}
	r := NewRecorder(&box.Box{Inputs: []box.Input{{Name: "x"}}}, 0, n)
	b := box.New([]box.Input{{Name: "x"}})
	r.box = &b
	r.Find([][]float64{x}, nil, n)
	if got := len(r.inputs[0].values); math.Abs(float64(got)-sampleRows) > 5*math.Sqrt(sampleRows) {
		t.Errorf("a sample of %d rows, want about %d", got, sampleRows)
	}
	r.Count([][]float64{x}, nil, n)
	c := &r.Profile().Inputs[0]
	if c.Rows() != n || c.Lo != slices.Min(x) || c.Hi != slices.Max(x) {
		t.Errorf("%d rows from %g to %g", c.Rows(), c.Lo, c.Hi)
	}
	for k, count := range c.Counts[1 : len(c.Counts)-1] {
		if math.Abs(float64(count)-n/wanted) > n/wanted/4 {
			t.Errorf("bin %d has %d of %d rows", k, count, n)
		}
	}
}

func scores(n int) *Scores {
	rng := rand.New(rand.NewPCG(4, 4))
	normal, _ := predictive.NewFamily(0, false)
	var y, at, off []float64
	for range n {
		at = append(at, rng.NormFloat64())
		y = append(y, at[len(at)-1]+2*rng.NormFloat64())
		off = append(off, math.Abs(y[len(y)-1]-at[len(at)-1]))
	}
	s := NewScores(slices.Clone(at), off)
	for i := range y {
		s.Add(y[i], at[i], at[i]-3.92, at[i]+3.92, predictive.Distribution{Location: at[i], Scale: 2, Family: normal})
	}
	return s
}

// Scores of draws from the distributions predicted, in closed form; the same from a file.
func TestScores(t *testing.T) {
	const n = 20000
	s := scores(n)
	root, e := s.RMSE()
	if math.Abs(root-2) > 4*e || math.Abs(e-2/math.Sqrt(2*n)) > 0.1*e {
		t.Errorf("RMSE %g ± %g, want 2 ± %g", root, e, 2/math.Sqrt(2*n))
	}
	if share, e := s.Coverage(); math.Abs(share-0.95) > 4*e || math.Abs(e-math.Sqrt(0.95*0.05/n)) > 0.1*e {
		t.Errorf("coverage %g ± %g", share, e)
	}
	// The entropy of a Gaussian, whose −log p has the variance 1/2.
	if want := math.Log(2*math.Pi*math.E*4) / 2; math.Abs(s.Surprise.Mean-want) > 4*s.Surprise.Error() || math.Abs(s.Surprise.Error()-math.Sqrt(0.5/n)) > 0.1*s.Surprise.Error() {
		t.Errorf("NLPD %g ± %g, want %g", s.Surprise.Mean, s.Surprise.Error(), want)
	}
	for k, count := range s.PIT {
		if math.Abs(float64(count)-n/PITBins) > 5*math.Sqrt(n/PITBins) {
			t.Errorf("part %d of the PIT has %d rows", k, count)
		}
	}
	b, values, y := columns(50, 2)
	p := record(b, values, y, 50)
	p.Scores = s
	text, err := p.Describe()
	if err != nil {
		t.Fatal(err)
	}
	if got, err := Restore(text, b.Inputs, 1); err != nil || !reflect.DeepEqual(got, p) {
		t.Errorf("a file gives other scores; error %v", err)
	}
	if e := p.Empty(); e.Scores.Scored() != 0 || e.Rows() != 0 || e.Inputs[4].Unseen() != 0 || p.Rows() != 50 {
		t.Error("an empty profile has rows, or has taken them")
	}
}

// What is new is counted apart: values beyond, a level without a node, but no rounding.
func TestRowsThatComeLater(t *testing.T) {
	b, values, y := columns(1000, 5)
	values[0][3] = 0.1
	lo := slices.MinFunc(values[0], order)
	now := record(b, values, y, 1000).Empty()
	row := [][]float64{{lo - 1, 1e9, float64(float32(lo))}, {-1, 0, 0}, {7, 8, 7}, {1, 0, 1}, {3, 2, 0}, {0, 3e9, 1.7e9}}
	now.AddInputs(&b, row, 3)
	for i, want := range []int{2, 1, 1, 0, 0, 2, 1} {
		if got := now.Inputs[i].Beyond(); got != want {
			t.Errorf("%s: %d beyond, want %d", b.Inputs[i].Name, got, want)
		}
	}
	if got := now.Inputs[4].Unseen(); got != 1 {
		t.Errorf("%d new levels, want 1", got)
	}
}

// A file may say anything: what is no profile of the inputs is refused.
func TestDamagedProfiles(t *testing.T) {
	b, values, y := columns(100, 3)
	p := record(b, values, y, 100)
	p.Scores = scores(100)
	text, err := p.Describe()
	if err != nil {
		t.Fatal(err)
	}
	for what, change := range map[string]func(h *head){
		"a number too few":  func(h *head) { h.Inputs = h.Inputs[:len(h.Inputs)-1] },
		"a number too many": func(h *head) { h.Inputs = append(h.Inputs, 0) },
		"cuts without end":  func(h *head) { h.Inputs[0] = 1e15 },
		"half a cut":        func(h *head) { h.Inputs[0] += 0.5 },
		"cuts in disorder":  func(h *head) { h.Inputs[4] = h.Inputs[3] },
		"other extremes":    func(h *head) { h.Inputs[1] = 1e9 },
		"a count below 0":   func(h *head) { h.Targets[len(h.Targets)-2] = -1 },
		"another count":     func(h *head) { h.Inputs[len(h.Inputs)-1]++ },
		"no target":         func(h *head) { h.Targets = nil },
		"no inputs":         func(h *head) { h.Inputs = nil },
		"half a PIT":        func(h *head) { h.Scores.PIT = h.Scores.PIT[1:] },
		"more inside":       func(h *head) { h.Scores.Inside = 101 },
		"nothing scored":    func(h *head) { h.Scores.Scored = 0 },
		"less than nothing": func(h *head) { h.Scores.Squared[1] = -1 },
		"other columns":     func(h *head) { h.Scores.Columns = h.Scores.Columns[1:] },
	} {
		var h head
		if err := json.Unmarshal(text, &h); err != nil {
			t.Fatal(err)
		}
		change(&h)
		damaged, err := json.Marshal(h)
		if err != nil {
			t.Fatal(err)
		}
		if p, err := Restore(damaged, b.Inputs, 1); err == nil {
			t.Errorf("%s: %+v", what, p)
		}
	}
	rng := rand.New(rand.NewPCG(5, 5))
	for range 2000 { // whatever it says, nothing panics
		damaged := slices.Clone(text)
		for range 1 + rng.IntN(3) {
			damaged[rng.IntN(len(damaged))] = `0123456789,[]-.e"`[rng.IntN(17)]
		}
		if p, err := Restore(damaged, b.Inputs, 1); err == nil && p.Check(b.Inputs, 1) != nil {
			t.Fatalf("%s is accepted", damaged)
		}
	}
	if p, err := Restore(nil, b.Inputs, 1); p != nil || err != nil {
		t.Errorf("no profile: %v, %v", p, err)
	}
}

// A head has no room for the profile of very many inputs, and does without.
func TestVeryManyInputs(t *testing.T) {
	b, values, y := columns(100, 3)
	p := record(b, values, y, 100)
	for _, c := range []struct {
		inputs int
		kept   bool
	}{{5000, true}, {50000, false}} {
		wide := &Profile{Inputs: slices.Repeat(p.Inputs[:1], c.inputs), Targets: p.Targets}
		text, err := wide.Describe()
		if err != nil || (text != nil) != c.kept || len(text) > most {
			t.Errorf("%d inputs take %d bytes, %v", c.inputs, len(text), err)
		}
	}
	var none *Profile
	if text, err := none.Describe(); text != nil || err != nil || strings.Contains(string(text), "{") {
		t.Errorf("no profile is %s, %v", text, err)
	}
}

// Recorders of parts of the rows have together the profile of all.
func TestRecordersJoin(t *testing.T) {
	const rows = 3 * sampleRows
	b, values, y := columns(rows, 5)
	want := record(b, values, y, 1000)
	cuts := []int{0, 1, 9000, 9000, rows}
	recorders := make([]*Recorder, len(cuts)-1)
	part := func(k int) (columns, targets [][]float64, n int) {
		for _, c := range values {
			columns = append(columns, c[cuts[k]:cuts[k+1]])
		}
		return columns, [][]float64{y[cuts[k]:cuts[k+1]]}, cuts[k+1] - cuts[k]
	}
	for k := range recorders {
		recorders[k] = NewRecorder(&b, 1, rows)
		recorders[k].From(cuts[k])
		recorders[k].Find(part(k))
	}
	join := func(say func(*Recorder) []byte, take func(*Recorder, []byte) error) {
		var said [][]byte
		for _, r := range recorders {
			said = append(said, say(r))
		}
		for k, r := range recorders {
			for i, message := range said {
				if i == k {
					continue
				}
				if err := take(r, message); err != nil {
					t.Fatal(err)
				}
			}
			if err := take(NewRecorder(&b, 1, rows), said[0][:5]); err == nil {
				t.Error("bytes that are cut short are joined")
			}
		}
	}
	join((*Recorder).Found, (*Recorder).JoinFound)
	for k, r := range recorders {
		r.Count(part(k))
	}
	join((*Recorder).Counted, (*Recorder).JoinCounted)
	for k, r := range recorders {
		if got := r.Profile(); !reflect.DeepEqual(got, want) {
			t.Errorf("part %d has another profile than all rows", k)
		}
	}
}
