package rival_test

import (
	"bytes"
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"beziergp/box"
	"beziergp/internal/testkit"
	"beziergp/likelihood"
	"beziergp/model"
	"beziergp/predictive"
	"beziergp/rival"
	"beziergp/rival/method"
	"beziergp/rival/method/constant"
	"beziergp/rival/method/exact"
	"beziergp/rival/method/linear"
	"beziergp/table"
)

var nan = math.NaN()

// people is a table of every kind of column: y is 2x, 5 more for "high", 1 more where
// the flag is up, with a little noise. In a tenth of the rows x is missing.
func people(n int) rival.Rows {
	rows := complete(n)
	for i := 9; i < n; i += 10 {
		rows.Columns[0][i] = nan
	}
	rows.Inputs[0].Missing = true
	return rows
}

// complete is that table with nothing missing.
func complete(n int) rival.Rows {
	random := rand.New(rand.NewPCG(1, 2))
	x, c, flag, at, y := make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n)
	for i := range n {
		x[i], c[i], flag[i], at[i] = random.Float64(), float64(i%2), float64(i/2%2), 3600*float64(random.IntN(1000))
		y[i] = 2*x[i] + 5*c[i] + flag[i] + 0.01*random.NormFloat64()
	}
	rows := rival.Rows{
		Inputs: []box.Input{
			{Name: "x", Lo: 0, Hi: 1},
			{Name: "c", Kind: table.Category, Levels: []string{"low", "high"}},
			{Name: "flag", Kind: table.Boolean, Hi: 1},
			{Name: "at.time", Column: "at", Kind: table.DateTime, Part: box.Time, Hi: 42},
		},
		Columns: [][]float64{x, c, flag, at}, Y: y, Dropped: 3,
	}
	rows.Target, _ = likelihood.Standardize(box.Target{Name: "y"}, len(y), likelihood.Whole(y))
	return rows
}

func fit(t testing.TB, m method.Method, rows rival.Rows) *rival.Model {
	t.Helper()
	fitted, err := rival.Fit(context.Background(), m, rows, box.Extrapolate, method.Environment{Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	return fitted
}

func predict(t testing.TB, m *rival.Model, columns [][]float64, o model.PredictOptions) *model.Predictions {
	t.Helper()
	p, err := m.NewPredictor(o)
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	var out model.Predictions
	if err := p.Predict(context.Background(), columns, &out); err != nil {
		t.Fatal(err)
	}
	return &out
}

// all fits every method with few steps.
func all(t testing.TB, rows rival.Rows) map[string]*rival.Model {
	t.Helper()
	models := map[string]*rival.Model{}
	for _, m := range rival.Methods() {
		models[m.Name] = fit(t, m.New(rival.Settings{Inducing: 12, Steps: 30, Batch: 40, Neighbours: 3}), rows)
	}
	return models
}

func saved(t testing.TB, m *rival.Model) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := m.Write(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestSaveAndLoad(t *testing.T) {
	rows := people(80)
	for name, m := range all(t, rows) {
		path := filepath.Join(t.TempDir(), "m.bgp")
		if err := m.Save(path); err != nil {
			t.Fatal(err)
		}
		loaded, err := rival.Load(path)
		if err != nil {
			t.Fatal(err)
		}
		want, got := predict(t, m, rows.Columns, model.PredictOptions{}), predict(t, loaded, rows.Columns, model.PredictOptions{Workers: 3})
		for _, c := range [][2][]float64{{want.Mean, got.Mean}, {want.Std, got.Std}, {want.Lower, got.Lower}, {want.Upper, got.Upper}} {
			if !slices.Equal(c[0], c[1]) {
				t.Errorf("%s: the loaded model predicts otherwise", name)
			}
		}
		if !bytes.Equal(saved(t, loaded), saved(t, m)) {
			t.Errorf("%s: the loaded model is saved otherwise", name)
		}
		if loaded.Training() != (rival.Training{Rows: 80, Dropped: 3}) || loaded.Method() != name || loaded.Policy() != box.Extrapolate || !reflect.DeepEqual(loaded.Target(), m.Target()) {
			t.Errorf("%s: %+v", name, loaded)
		}
		if !reflect.DeepEqual(loaded.Inputs(), m.Inputs()) {
			t.Errorf("%s: inputs %v", name, loaded.Inputs())
		}
	}
}

// A line goes on beyond the rows, unless it is told not to.
func TestPoliciesBeyondTheBox(t *testing.T) {
	m := fit(t, linear.Method{}, people(400))
	row := [][]float64{{3, 0.5}, {1, 0}, {0, 1}, {0, 0}}
	for policy, want := range map[box.Policy]float64{"": 11, box.Extrapolate: 11, box.Clip: 7, box.Flag: nan} {
		p := predict(t, m, row, model.PredictOptions{Policy: policy})
		if math.Abs(p.Mean[0]-want) > 0.1 || math.IsNaN(p.Mean[0]) != math.IsNaN(want) || p.InBox[0] || !p.InBox[1] {
			t.Errorf("%q: mean %g, want %g; in the box %v", policy, p.Mean[0], want, p.InBox)
		}
		testkit.Close(t, "in the box", p.Mean[1], 2, 0, 0.1)
	}
	p, err := m.NewPredictor(model.PredictOptions{Policy: box.Refuse})
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	var out model.Predictions
	if err := p.Predict(context.Background(), [][]float64{{0.5}, {0}, {0}, {0}}, &out); err != nil {
		t.Fatal(err)
	}
	var outside *box.OutsideError
	if err := p.Predict(context.Background(), row, &out); !errors.As(err, &outside) || outside.Row != 2 {
		t.Errorf("error %v", err)
	}
	if _, err := m.NewPredictor(model.PredictOptions{Policy: "wrap"}); err == nil {
		t.Error("a policy that there is not")
	}
	if _, err := m.NewPredictor(model.PredictOptions{Interval: model.ConformalInterval}); err == nil || !strings.Contains(err.Error(), "no conformal intervals") {
		t.Errorf("error %v", err)
	}
}

// The deviation of f is what the method knows of it, or nothing.
func TestDeviations(t *testing.T) {
	rows := people(100)
	p := predict(t, fit(t, constant.Method{}, rows), rows.Columns, model.PredictOptions{})
	// The mean of n targets is known to 1/√n of their deviation.
	testkit.Close(t, "constant", p.StdF[0]/p.Std[0], 1/math.Sqrt(101), 1e-9, 0)
	testkit.Close(t, "upper", p.Upper[0], p.Mean[0]+1.959963984540054*p.Std[0], 1e-12, 0)
	for name, m := range all(t, rows) {
		p := predict(t, m, rows.Columns, model.PredictOptions{})
		noise, told := m.Noise()
		for i, std := range p.StdF {
			if told != (std >= 0 && std <= p.Std[i]) || told && math.Abs(math.Hypot(std, noise)-p.Std[i]) > 1e-9*p.Std[i] {
				t.Fatalf("%s, row %d: deviation %g of %g, noise %g", name, i+1, std, p.Std[i], noise)
			}
		}
		if told == (name == "knn") {
			t.Errorf("%s: noise told: %v", name, told)
		}
	}
}

// Learned on its logarithm, an exponential comes back in its own units.
func TestTransformedTarget(t *testing.T) {
	rows := complete(300)
	var err error
	for i, y := range rows.Y {
		rows.Y[i] = math.Expm1(y)
	}
	logs := box.Target{Name: "y", Transform: box.Log1p}
	if rows.Target, err = likelihood.Standardize(logs, len(rows.Y), likelihood.Whole(rows.Y)); err != nil {
		t.Fatal(err)
	}
	m := fit(t, linear.Method{}, rows)
	p := predict(t, m, [][]float64{{0.5}, {1}, {0}, {0}}, model.PredictOptions{})
	std, _ := m.Noise()
	// 300 rows tell a deviation to one part in √600; four times that.
	testkit.Close(t, "noise", std, 0.01, 0.17, 0)
	testkit.Close(t, "mean", p.Mean[0], math.Expm1(6), 0.01, 0)
	testkit.Close(t, "deviation", p.Std[0], 0.01*math.Exp(6), 0.17, 0)
	if !(p.StdF[0] > 0 && p.StdF[0] < p.Std[0]/3) {
		t.Errorf("deviation of f %g, of y %g", p.StdF[0], p.Std[0])
	}
	rows.Y[7] = -1
	var bad *box.TransformError
	if _, err := rival.Fit(context.Background(), linear.Method{}, rows, box.Clip, method.Environment{}); !errors.As(err, &bad) || bad.Row != 8 {
		t.Errorf("error %v", err)
	}
}

func TestErrorsNameColumns(t *testing.T) {
	rows := people(20)
	rows.Columns[0][0], rows.Columns[0][1] = 1e300, -1e300
	rows.Inputs[0].Lo, rows.Inputs[0].Hi = -1e300, 1e300
	_, err := rival.Fit(context.Background(), linear.Method{}, rows, box.Clip, method.Environment{})
	var bad *method.DataError
	if !errors.As(err, &bad) || !strings.Contains(err.Error(), `column "x"`) {
		t.Errorf("error %v", err)
	}
	rows = people(50)
	_, err = rival.Fit(context.Background(), exact.Method{Memory: 16 * 20 * 20}, rows, box.Clip, method.Environment{})
	if !errors.As(err, &bad) || !strings.Contains(err.Error(), "20 rows would fit") {
		t.Errorf("error %v", err)
	}
	m := fit(t, exact.Method{Steps: 3}, people(20))
	p, err := m.NewPredictor(model.PredictOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	var out model.Predictions
	good := [][]float64{{0.5}, {0}, {0}, {0}}
	if err := p.Predict(context.Background(), good, &out); err != nil {
		t.Fatal(err)
	}
	var value *box.ValueError
	if err := p.Predict(context.Background(), [][]float64{{math.Inf(1)}, {0}, {0}, {0}}, &out); !errors.As(err, &value) || value.Row != 2 {
		t.Errorf("error %v", err)
	}
}

func TestBadFiles(t *testing.T) {
	good := saved(t, all(t, people(30))["sgpr"])
	last := slices.Clone(good)
	copy(last[len(last)-8:], []byte{0, 0, 0, 0, 0, 0, 0xf8, 0x7f})
	last = testkit.Seal(last)
	for name, c := range map[string]struct {
		file []byte
		says string
	}{
		"empty":           {nil, "not a model"},
		"truncated":       {good[:len(good)-1], "damaged"},
		"another program": {testkit.EditHeader(good, "beziergp.rival", "another.rival_"), "beziergp.rival"},
		"another version": {testkit.EditHeader(good, `\"format\":2`, `\"format\":9`), "format 9"},
		"another method":  {testkit.EditHeader(good, `\"method\":\"sgpr\"`, `\"method\":\"magic\"`), `"magic" is unknown; this version knows exact, sgpr`},
		"wrong method":    {testkit.EditHeader(good, `\"method\":\"sgpr\"`, `\"method\":\"knn\"`), "knn"},
		"not finite":      {last, "is NaN"},
		"deviation":       {testkit.EditHeader(good, `\"sd\":`, `\"sd\":-`), "deviation"},
		"bounds":          {testkit.EditHeader(good, `\"hi\":42`, `\"hi\":-42`), "not an interval"},
		"policy":          {testkit.EditHeader(good, `\"extrapolate\"`, `\"explode\"`), "policy"},
		"names":           {testkit.EditHeader(good, `\"name\":\"flag\"`, `\"name\":\"x\"`), `"x"`},
		"more levels":     {testkit.EditHeader(good, `[\"low\",`, `[\"low\",\"middle\",`), "scalings"},
		"no digest":       {testkit.EditHeader(good, `"sha256"`, `"sha-256"`), "has a digest, and this one has none"},
		"twice":           {testkit.EditHeader(good, `\"method\":`, `\"Method\":\"knn\",\"method\":`), `"method" stands twice`},
		"another input":   {testkit.EditHeader(good, `\"inputs\":[`, `\"inputs\":[{},`), "no name"},
		"means":           {testkit.EditHeader(good, `\"means_of_inputs\":[0,4]`, `\"means_of_inputs\":[0,3]`), "more than 3 inputs"},
		"means beyond":    {testkit.EditHeader(good, `\"means_of_inputs\":[0,4]`, `\"means_of_inputs\":[9,400]`), "a list of 400 numbers"},
		"scaling":         {testkit.EditHeader(good, `\"scaling_of_numbers\":[4,`, `\"scaling_of_numbers\":[5,`), "scal"},
		"kernel":          {testkit.EditHeader(good, `{\"kernel\":\"matern52\",\"variance\"`, `{\"kernel\":\"matern5\",\"variance\"`), "matern5"},
		"noise":           {testkit.EditHeader(good, `\"noise\":`, `\"noise\":-`), "positive"},
		"lengths":         {testkit.EditHeader(good, `\"lengths\":[`, `\"lengths\":[1,`), "lengthscales"},
		"huge":            {testkit.EditHeader(good, `"shape":[12,`, `"shape":[1200000000,`), "lies at bytes"},
		"single":          {testkit.EditHeader(good, `"inputs":{"dtype":"F64"`, `"inputs":{"dtype":"F32"`), "lies at bytes"},
	} {
		_, err := rival.Read(bytes.NewReader(c.file))
		var bad *model.FileError
		if !errors.As(err, &bad) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: error %v, want one that says %q", name, err, c.says)
		}
	}
}

// Points and ranges are asked of every method.
func TestPointsAndRanges(t *testing.T) {
	rows := people(80)
	r := &predictive.Range{Lo: 2, Hi: 6}
	for name, m := range all(t, rows) {
		free := predict(t, m, rows.Columns, model.PredictOptions{Workers: 1})
		clamped := predict(t, m, rows.Columns, model.PredictOptions{Workers: 1, Range: r, Point: model.MedianPoint})
		for row := range clamped.Mean {
			if want := r.Clamp(free.Mean[row]); clamped.Mean[row] != want || clamped.Clamped[row]&model.ClampedMean != 0 != (want != free.Mean[row]) {
				t.Fatalf("%s: row %d: mean %g, clamped %v; without a range %g", name, row, clamped.Mean[row], clamped.Clamped[row], free.Mean[row])
			}
			d := clamped.Distribution(row)
			if clamped.Point[row] != d.Quantile(0.5) || !r.Contains(clamped.Point[row]) || !r.Contains(clamped.Lower[row]) || !r.Contains(clamped.Upper[row]) {
				t.Fatalf("%s: row %d: median %g in [%g, %g]", name, row, clamped.Point[row], clamped.Lower[row], clamped.Upper[row])
			}
			if free.Clamped[row] != 0 || free.Point[row] != free.Mean[row] {
				t.Fatalf("%s: row %d: clamped %v, point %g", name, row, free.Clamped[row], free.Point[row])
			}
		}
	}
}

// A rival's file has a digest, and no damage of it passes unseen.
func TestNoDamagePasses(t *testing.T) {
	testkit.NoDamagePasses(t, saved(t, fit(t, linear.Method{}, people(20))), func(file []byte) error {
		_, err := rival.Read(bytes.NewReader(file))
		return err
	})
}
