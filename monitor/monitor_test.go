package monitor

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"beziergp/box"
	"beziergp/dataset"
	"beziergp/dataset/profile"
	"beziergp/model"
	"beziergp/predictive"
	"beziergp/serve"
	"beziergp/table"
)

// fake is a model that knows its training rows and predicts y to be 0 ± 1.
type fake struct {
	serve.Model
	set     *dataset.Set
	profile *profile.Profile
	classes []string
}

func (f fake) Inputs() []box.Input       { return f.set.Inputs }
func (f fake) Target() box.Target        { return f.set.Targets[0] }
func (f fake) Classes() []string         { return f.classes }
func (f fake) Profile() *profile.Profile { return f.profile }

// rows draws a table by one law: ten numbers of many kinds, a truth value, a category of
// four levels and rare ones, and a time. change may alter a row.
func rows(t testing.TB, rng *rand.Rand, n int, change func(row []float64)) *table.Table {
	t.Helper()
	const numbers = 10
	columns := make([][]float64, numbers+4)
	for range n {
		row := make([]float64, len(columns))
		for k := range numbers {
			switch v := rng.NormFloat64(); k % 5 {
			case 0:
				row[k] = v
			case 1:
				row[k] = math.Exp(v)
			case 2:
				row[k] = max(0, v) // half zeros
			case 3:
				row[k] = math.Round(v)
			case 4:
				if row[k] = v; rng.IntN(10) == 0 {
					row[k] = math.NaN()
				}
			}
		}
		row[numbers] = float64(rng.IntN(2))
		row[numbers+1] = float64(min(rng.IntN(100), 3))
		row[numbers+2] = 1.7e9 + 3600*float64(rng.IntN(10000))
		row[numbers+3] = rng.NormFloat64()
		if change != nil {
			change(row)
		}
		for k, v := range row {
			columns[k] = append(columns[k], v)
		}
	}
	var all []table.Column
	for k := range numbers {
		all = append(all, table.Column{Name: fmt.Sprint("x", k), Values: columns[k]})
	}
	all = append(all, table.Column{Name: "truth", Kind: table.Boolean, Values: columns[numbers]},
		table.Column{Name: "zone", Kind: table.Category, Levels: []string{"a", "b", "c", "d", "new"}, Values: columns[numbers+1]},
		table.Column{Name: "when", Kind: table.DateTime, Values: columns[numbers+2]}, table.Column{Name: "y", Values: columns[numbers+3]})
	tab, err := table.New(all...)
	if err != nil {
		t.Fatal(err)
	}
	return tab
}

func trained(t testing.TB, tab *table.Table) fake {
	t.Helper()
	set, err := dataset.FromTable(tab, dataset.Options{Targets: []box.Target{{Name: "y"}}})
	if err != nil {
		t.Fatal(err)
	}
	return fake{set: set, profile: set.Profile}
}

var normal, _ = predictive.NewFamily(0, false)

// watched returns the report of a table, in blocks of so many rows; the targets are known
// or not.
func watched(t testing.TB, m fake, tab *table.Table, block int, known bool) *Report {
	t.Helper()
	w, err := New(m)
	if err != nil {
		t.Fatal(err)
	}
	b := box.New(m.Inputs())
	columns, err := b.Pick(tab)
	if err != nil {
		t.Fatal(err)
	}
	y, _ := tab.Column("y")
	for from := 0; from < len(y); from += block {
		to := min(from+block, len(y))
		var part [][]float64
		for _, c := range columns {
			part = append(part, c[from:to])
		}
		n := to - from
		p := &model.Predictions{InBox: make([]bool, n)}
		if err := b.Map(make([]float32, n*len(b.Inputs)), part, box.Clip, p.InBox, make([]int, len(b.Inputs))); err != nil {
			t.Fatal(err)
		}
		for range n {
			p.Mean, p.Lower, p.Upper = append(p.Mean, 0), append(p.Lower, -1.959964), append(p.Upper, 1.959964)
			p.Location, p.Scale = append(p.Location, 0), append(p.Scale, 1)
		}
		p.Point, p.Family = p.Mean, normal
		own := y[from:to]
		if !known {
			own = nil
		}
		w.Add(part, own, p)
	}
	return w.Report()
}

func find(t testing.TB, r *Report, name string) *Shift {
	t.Helper()
	for i := range r.Inputs {
		if r.Inputs[i].Name == name {
			return &r.Inputs[i]
		}
	}
	t.Fatalf("no input %s", name)
	return nil
}

// The training rows have not moved from themselves, in whatever blocks they come.
func TestTheTrainingRowsDoNotDrift(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	tab := rows(t, rng, 3000, nil)
	m := trained(t, tab)
	r := watched(t, m, tab, 3000, true)
	if r.Rows != 3000 || r.Trained != 3000 || r.Moved != 0 || r.Outside != 0 || len(r.Inputs) != len(m.Inputs()) {
		t.Errorf("%+v", r)
	}
	for _, s := range append(r.Inputs, *r.Target) {
		if s.PSI != 0 || s.KS != nil && *s.KS != 0 || s.P != 1 || s.Beyond != 0 || s.NewLevels != 0 || s.Missing != s.MissingTrained || s.HasMoved() {
			t.Errorf("%+v", s)
		}
	}
	if got := watched(t, m, tab, 100, true); got.Scores.RMSE.Value == nil || math.Abs(*got.Scores.RMSE.Value-*r.Scores.RMSE.Value) > 1e-12 || got.Moved != 0 || got.Scores.PIT != r.Scores.PIT {
		t.Errorf("in blocks: %+v, want %+v", got.Scores, r.Scores)
	}
	some := rows(t, rng, 3000, func(row []float64) {
		if row[0] > 0 {
			row[13] = math.NaN()
		}
	})
	if r = watched(t, m, some, 3000, true); r.Target.HasMoved() || r.Target.Missing != 0 || r.Scores.N > 1800 || r.Rows != 3000 {
		t.Errorf("half of the targets are not known: %+v of %d rows", r.Target, r.Scores.N)
	}
	if r = watched(t, m, tab, 3000, false); r.Scores != nil || r.Target != nil {
		t.Errorf("without targets %+v", r.Scores)
	}
}

// Rows of the same law raise an alarm no more often than the level says, all columns taken
// together, and hardly ever move a column.
func TestFalseAlarms(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 2))
	const draws = 200
	m := trained(t, rows(t, rng, 2000, nil))
	alarms, moved := 0, 0
	for range draws {
		r := watched(t, m, rows(t, rng, 300, nil), 300, false)
		for _, s := range r.Inputs {
			if s.P < Level {
				alarms++
				break
			}
		}
		moved += r.Moved
	}
	t.Logf("%d alarms of %d draws, %d columns moved", alarms, draws, moved)
	if limit := draws*Level + 3*math.Sqrt(draws*Level*(1-Level)); float64(alarms) > limit {
		t.Errorf("%d alarms of %d draws, want at most %.0f", alarms, draws, limit)
	}
	if moved > alarms || moved > draws/20 {
		t.Errorf("%d columns moved", moved)
	}
}

// What is shifted is found first, and it alone.
func TestShiftsAreFound(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 3))
	m := trained(t, rows(t, rng, 3000, nil))
	for what, c := range map[string]struct {
		name   string
		change func(row []float64)
		says   func(s *Shift) bool
	}{
		"a number higher": {"x0", func(row []float64) { row[0] += 0.8 }, func(s *Shift) bool { return s.Direction == "higher" && s.Verdict == Far }},
		"a number lower":  {"x5", func(row []float64) { row[5] -= 0.5 }, func(s *Shift) bool { return s.Direction == "lower" }},
		"a wider one":     {"x5", func(row []float64) { row[5] *= 3 }, func(s *Shift) bool { return s.Direction == "" && s.Beyond > 0.1 }},
		"fewer zeros": {"x7", func(row []float64) {
			if row[7] == 0 {
				row[7] = 1e-3
			}
		}, func(s *Shift) bool { return s.Verdict == Far && s.Direction == "higher" }},
		"more missing": {"x4", func(row []float64) {
			if row[13] > 0 { // half of the rows
				row[4] = math.NaN()
			}
		}, func(s *Shift) bool { return s.Missing > 0.5 && s.MissingTrained < 0.12 }},
		"beyond": {"x6", func(row []float64) { row[6] += 1e6 }, func(s *Shift) bool { return s.Beyond == 1 && *s.KS == 1 }},
		"truths": {"truth", func(row []float64) {
			if row[13] > 0 {
				row[10] = 1
			}
		}, func(s *Shift) bool { return s.Kind == table.Boolean }},
		"a new level": {"zone", func(row []float64) {
			if row[13] > 1 { // a sixth
				row[11] = 4
			}
		}, func(s *Shift) bool { return s.NewLevels > 0.1 && s.KS == nil }},
		"other levels": {"zone", func(row []float64) {
			if row[13] > 0.5 {
				row[11] = 0
			}
		}, func(s *Shift) bool {
			return s.Level.Name == "a" && s.Level.Share > s.Level.ShareTrained+0.2 && s.NewLevels == 0
		}},
	} {
		r := watched(t, m, rows(t, rng, 500, c.change), 500, false)
		if s := &r.Inputs[0]; s.Name != c.name || !s.HasMoved() || r.Moved != 1 || !c.says(s) {
			t.Errorf("%s: %d moved, first %+v", what, r.Moved, s)
		}
		if r.Tests < len(r.Inputs) {
			t.Errorf("%d tests of %d inputs", r.Tests, len(r.Inputs))
		}
	}
}

// The time goes on, which is told and no alarm; the hour need not, and is one where it does.
func TestTimeGoesOn(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 4))
	m := trained(t, rows(t, rng, 2000, nil))
	r := watched(t, m, rows(t, rng, 500, func(row []float64) { row[12] += 3600 * 24 * 364 * 2 }), 500, false)
	if s := find(t, r, "when.time"); s.Verdict != GoesOn || s.Beyond < 0.9 || s.HasMoved() || r.Outside < 450 {
		t.Errorf("%d rows outside, %+v", r.Outside, s)
	}
	r = watched(t, m, rows(t, rng, 500, func(row []float64) { row[12] -= math.Mod(row[12], 24*3600) }), 500, false)
	if s := r.Inputs[0]; s.Name != "when.hour" || s.Verdict != Far {
		t.Errorf("all at midnight: %+v", s)
	}
}

// A few rows may look as they will; they are no alarm.
func TestFewRows(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 5))
	m := trained(t, rows(t, rng, 2000, nil))
	r := watched(t, m, rows(t, rng, 10, nil), 10, true)
	if r.Moved != 0 || r.Inputs[0].PSI < Moved || r.Inputs[0].Verdict != Chance {
		t.Errorf("%d of ten rows moved, %+v", r.Moved, r.Inputs[0])
	}
	if r.Scores.Calibration != Holds {
		t.Errorf("calibration %s, %+v", r.Scores.Calibration, r.Scores.Coverage95)
	}
}

// Calibration and errors are judged by rows whose law is known.
func TestScores(t *testing.T) {
	rng := rand.New(rand.NewPCG(6, 6))
	m := trained(t, rows(t, rng, 2000, nil))
	was := profile.NewScores(make([]float64, 5), []float64{0, 1, 2, 3, 4})
	for range 5000 {
		was.Add(rng.NormFloat64(), 0, -1.959964, 1.959964, predictive.Distribution{Scale: 1, Family: normal})
	}
	p := *m.profile
	p.Scores = was
	m.profile = &p
	for _, c := range []struct {
		what        string
		factor, add float64
		calibration Calibration
		errors      Errors
	}{
		{"as promised", 1, 0, Holds, AsLarge}, {"larger errors", 1.3, 0, TooNarrow, Larger},
		{"smaller errors", 0.7, 0, TooWide, Smaller}, {"off to one side", 1, 0.25, Off, AsLarge},
	} {
		r := watched(t, m, rows(t, rng, 4000, func(row []float64) { row[13] = c.factor*row[13] + c.add }), 1000, true)
		if s := r.Scores; s.N != 4000 || s.Calibration != c.calibration || s.Errors != c.errors || s.RMSE.OutOfFold == nil || r.Errors == nil || r.Predicted == nil {
			t.Errorf("%s: calibration %s, errors %s: %+v", c.what, s.Calibration, s.Errors, *s.RMSE.Value)
		}
	}
}

// Intervals of classes hold more than their level whatever the law: these are never too wide, and transforms tell what is off. Classes have no
// order, so that nothing has moved higher or lower.
func TestClassesAreNotTooWide(t *testing.T) {
	rng := rand.New(rand.NewPCG(6, 7))
	m := trained(t, rows(t, rng, 2000, nil))
	m.classes = []string{"no", "yes"}
	r := watched(t, m, rows(t, rng, 4000, func(row []float64) { row[13] *= 0.7 }), 1000, true)
	if r.Scores.Calibration != Off || r.Target.KS != nil || r.Target.Direction != "" || r.Target.Kind != table.Category {
		t.Errorf("calibration %s, target %+v", r.Scores.Calibration, r.Target)
	}
}

func TestAModelWithoutAProfile(t *testing.T) {
	m := trained(t, rows(t, rand.New(rand.NewPCG(7, 7)), 50, nil))
	m.profile = nil
	if _, err := New(m); !errors.Is(err, ErrNoProfile) {
		t.Errorf("error %v", err)
	}
}
