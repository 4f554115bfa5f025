package rival_test

import (
	"bytes"
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"beziergp/box"
	"beziergp/internal/testkit"
	"beziergp/likelihood"
	"beziergp/model"
	"beziergp/rival"
	"beziergp/rival/method"
	"beziergp/rival/method/constant"
	"beziergp/rival/method/linear"
	"beziergp/rival/method/natural"
	"beziergp/table"
)

// counts is [complete] with counts for targets and an exposure.
func counts(n int) rival.Rows {
	rows, random := complete(n), rand.New(rand.NewPCG(3, 4))
	rows.Target = box.Target{Name: "y", SD: 1}
	rows.Likelihood = likelihood.NewLaw(likelihood.Poisson{}, 0)
	rows.Offset = &box.OffsetColumn{Column: "years", Exposure: true}
	for i, y := range rows.Y {
		years := 0.5 + random.Float64()
		rows.Offsets = append(rows.Offsets, math.Log(years))
		rows.Y[i] = math.Floor(years * max(y, 0))
	}
	return rows
}

// kinds is [complete] with one of three classes for targets.
func kinds(n int) rival.Rows {
	rows := complete(n)
	rows.Target = box.Target{Name: "y", SD: 1, Kind: table.Category, Levels: []string{"a", "b", "c"}}
	rows.Likelihood = likelihood.Classes{Base: []float64{0, 0, 0}}
	for i, y := range rows.Y {
		rows.Y[i] = math.Mod(math.Floor(max(y, 0)), 3)
	}
	return rows
}

func lawful() (all []rival.Method) {
	for _, m := range rival.Methods() {
		if m.Laws {
			all = append(all, m)
		}
	}
	return all
}

func exponentials(v []float64) (e []float64) {
	for _, x := range v {
		e = append(e, math.Exp(x))
	}
	return e
}

func TestLawsSavedAndLoaded(t *testing.T) {
	for _, m := range lawful() {
		for name, rows := range map[string]rival.Rows{"counts": counts(80), "kinds": kinds(80)} {
			fitted := fit(t, m.New(rival.Settings{}), rows)
			b := saved(t, fitted)
			if !bytes.Contains(b, []byte(`\"format\":3`)) {
				t.Errorf("%s: %s: not in format 3", m.Name, name)
			}
			back, err := rival.Read(bytes.NewReader(b))
			if err != nil {
				t.Fatal(err)
			}
			columns := rows.Columns
			if rows.Offset != nil {
				columns = append(slices.Clone(columns), exponentials(rows.Offsets))
			}
			o := model.PredictOptions{Policy: box.Clip}
			want, got := predict(t, fitted, columns, o), predict(t, back, columns, o)
			for row := range rows.Y {
				if !slices.Equal(got.Probabilities(row), want.Probabilities(row)) {
					t.Fatalf("%s: classes of row %d: %g, were %g", m.Name, row+1, got.Probabilities(row), want.Probabilities(row))
				}
				if name == "counts" && (got.Mean[row] != want.Mean[row] || got.Upper[row] != want.Upper[row]) {
					t.Fatalf("%s: row %d: %g, was %g", m.Name, row+1, got.Mean[row], want.Mean[row])
				}
			}
			if again := saved(t, back); !bytes.Equal(again, b) {
				t.Errorf("%s: %s: another file", m.Name, name)
			}
		}
	}
}

// Frequencies and the ratio of counts to exposures are what a constant predicts, and the
// distribution of a count about it is Poisson's.
func TestConstantOfLaws(t *testing.T) {
	rows := kinds(90)
	var shares [3]float64
	for _, y := range rows.Y {
		shares[int(y)] += 1.0 / 90
	}
	p := predict(t, fit(t, constant.Method{}, rows), rows.Columns, model.PredictOptions{})
	for k, share := range shares {
		testkit.Close(t, "share", p.Probabilities(7)[k], share, 1e-6, 0)
	}
	rows = counts(90)
	var sum, years float64
	for i, y := range rows.Y {
		sum, years = sum+y, years+math.Exp(rows.Offsets[i])
	}
	p = predict(t, fit(t, constant.Method{}, rows), append(rows.Columns, slices.Repeat([]float64{2}, 90)), model.PredictOptions{})
	testkit.Close(t, "mean of two years", p.Mean[3], 2*sum/years, 1e-6, 0)
	testkit.Close(t, "its variance", p.Std[3]*p.Std[3], 2*sum/years, 1e-6, 0)
}

// At the least penalised loss the derivatives by all weights are 0: of Poisson and multinomial
// regression those are sums of residuals times inputs.
func TestLinearMeetsTheScoreEquations(t *testing.T) {
	const n, d, penalty = 150, 3, 2.5
	random := rand.New(rand.NewPCG(9, 9))
	data := method.Data{Inputs: d}
	for range n {
		for range d {
			data.X = append(data.X, random.NormFloat64())
		}
		data.Offset = append(data.Offset, 0.5*random.NormFloat64())
		data.Y = append(data.Y, float64(random.IntN(3)))
	}
	for _, law := range []likelihood.Likelihood{likelihood.NewLaw(likelihood.Poisson{}, 0), likelihood.Classes{Base: make([]float64, 3)}} {
		var err error
		if data.Law, err = rival.NewLaw(law); err != nil {
			t.Fatal(err)
		}
		k := data.Law.Latents()
		if k > 1 {
			data.Offset = nil
		}
		w, _, err := natural.Fit(context.Background(), data, penalty, method.Environment{Workers: 2})
		if err != nil {
			t.Fatal(err)
		}
		score := make([]float64, len(w))
		for i, y := range data.Y {
			e, sum := make([]float64, k), 0.0
			for c := range e {
				f := w[c*(d+1)] + data.OffsetOf(i)
				for j := range d {
					f += w[c*(d+1)+1+j] * data.X[i*d+j]
				}
				e[c] = math.Exp(f)
				sum += e[c]
			}
			for c := range e {
				residual := e[c] - y
				if k > 1 {
					residual = e[c] / sum
					if int(y) == c {
						residual--
					}
				}
				score[c*(d+1)] += residual
				for j := range d {
					score[c*(d+1)+1+j] += residual * data.X[i*d+j]
				}
			}
		}
		for j := range score {
			if j%(d+1) != 0 {
				score[j] += penalty * w[j]
			}
			if math.Abs(score[j]) > 1e-4 {
				t.Errorf("%s: derivative %d is %g", law.Name(), j, score[j])
			}
		}
	}
}

func TestMethodsWithoutLawsSayWhichHaveThem(t *testing.T) {
	for _, m := range rival.Methods() {
		_, err := rival.Fit(context.Background(), m.New(rival.Settings{}), kinds(40), box.Extrapolate, method.Environment{})
		switch {
		case m.Laws && err != nil:
			t.Errorf("%s: %v", m.Name, err)
		case !m.Laws && (err == nil || !strings.Contains(err.Error(), "choose one of linear, knn, constant")):
			t.Errorf("%s: %v", m.Name, err)
		}
	}
}

// Rows outside the box have no prediction where that is asked for.
func TestFlaggedRowsHaveNoClass(t *testing.T) {
	m := fit(t, linear.Method{}, kinds(60))
	p := predict(t, m, [][]float64{{0.5, 9}, {0, 0}, {0, 0}, {20, 20}}, model.PredictOptions{Policy: box.Flag})
	if p.Class(0) < 0 || p.Class(1) != -1 {
		t.Errorf("classes %d and %d", p.Class(0), p.Class(1))
	}
}

// A head that is whole but tells something else is an error, digest or not.
func TestHeadsOfLawsAreChecked(t *testing.T) {
	b := saved(t, fit(t, linear.Method{}, counts(60)))
	for from, to := range map[string]string{
		`\"likelihood\":\"poisson\"`: `\"likelihood\":\"poissom\"`,
		`\"column\":\"years\"`:       `\"column\":\"flags\"`,
	} {
		if !bytes.Contains(b, []byte(from)) {
			t.Fatalf("the head has no %s", from)
		}
		if _, err := rival.Read(bytes.NewReader(bytes.Replace(b, []byte(from), []byte(to), 1))); err == nil {
			t.Errorf("%s: no error", to)
		}
	}
}

// Without its offset a model predicts what it does at an exposure of 1, and needs no column for it.
func TestWithoutOffset(t *testing.T) {
	rows := counts(80)
	m := fit(t, linear.Method{}, rows)
	bare := m.WithoutOffset()
	predict := func(m *rival.Model, columns [][]float64) (out model.Predictions) {
		p, err := m.NewPredictor(model.PredictOptions{})
		if err != nil {
			t.Fatal(err)
		}
		defer p.Close()
		if err := p.Predict(t.Context(), columns, &out); err != nil {
			t.Fatal(err)
		}
		return out
	}
	want := predict(m, append(slices.Clip(rows.Columns), slices.Repeat([]float64{1}, 80)))
	got := predict(bare, rows.Columns)
	if !slices.Equal(got.Mean, want.Mean) || !slices.Equal(got.Std, want.Std) {
		t.Errorf("at no exposure means are %v, at an exposure of 1 %v", got.Mean[:3], want.Mean[:3])
	}
	if len(bare.Columns()) != len(rows.Columns) || bare.Offset() != nil || m.Offset() == nil {
		t.Errorf("columns %v, offsets %v and %v", bare.Columns(), bare.Offset(), m.Offset())
	}
}
