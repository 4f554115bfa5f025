package likelihood

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"beziergp/box"
	"beziergp/internal/testkit"
	"beziergp/predictive"
	"beziergp/table"
)

// inParts visits values a few at a time.
func inParts(values []float64) Values {
	return func(visit func(part []float64) error) error {
		for part := range slices.Chunk(values, 3) {
			if err := visit(part); err != nil {
				return err
			}
		}
		return nil
	}
}

// A law adds a base and offsets to the process, and is the scalar law there: its loss, its
// expectation and its predictions.
func TestLawsAddABaseAndOffsets(t *testing.T) {
	const base = 0.7
	l := NewLaw(Poisson{}, base)
	y := []float32{3, 0.25, 0, -1.5, 7, 2} // with their offsets
	mean, variance, weights := []float64{0.1, -0.4, 0.6}, []float64{0.2, 0.5, 0.1}, []float64{1, 3, 0.5}
	f := make([]float64, 3)
	l.Offset(y, f)
	var want, certain float64
	for j := range f {
		offset := float64(y[2*j+1])
		testkit.Close(t, "offset", f[j], base+offset, 1e-12, 0)
		target, row := float64(y[2*j]), y[2*j:2*j+2]
		value, byMean, byVariance := Poisson{}.Expected(target, base+offset+mean[j], variance[j])
		want -= weights[j] * value
		// A row alone.
		m, v := []float64{base + offset + mean[j]}, []float64{variance[j]}
		testkit.Close(t, "of a row", l.Expectation(row, []float64{2}, m, v), -2*value, 1e-12, 0)
		testkit.Close(t, "by the mean", m[0], -byMean, 1e-12, 0)
		testkit.Close(t, "by the variance", v[0], -byVariance, 1e-12, 0)
		log, first, _ := Poisson{}.Log(target, base+offset+mean[j])
		loss, slope := l.Loss(mean[j], row)
		testkit.Close(t, "loss", loss, -log, 1e-12, 0)
		testkit.Close(t, "its slope", slope, -first, 1e-12, 0)
		certain += weights[j] * loss
	}
	// Without offsets f is the base and the process alone.
	alone := []float64{math.NaN(), math.NaN()}
	if l.Offset([]float32{3, 7}, alone); alone[0] != base || alone[1] != base {
		t.Errorf("without offsets %v are added, want the base", alone)
	}
	with, _ := l.Loss(0.1, []float32{3, 0})
	without, _ := l.Loss(0.1, []float32{3})
	testkit.Close(t, "loss without an offset", without, with, 0, 0)
	for j := range f {
		f[j] += mean[j]
	}
	testkit.Close(t, "expectation", l.Expectation(y, weights, slices.Clone(f), variance), want, 1e-12, 0)
	testkit.Close(t, "where f is known", l.Expectation(y, weights, f, nil), certain, 1e-9, 0)
	if got, want := l.Response(0.3), (Poisson{}).Mean(base+0.3); got != want {
		t.Errorf("response %g, want %g", got, want)
	}
	d := predictive.Distribution{Location: base + 0.3, Scale: 0.5, Family: predictive.NewLawFamily(Poisson{})}
	testkit.Close(t, "prediction", l.Predictive(0.3, 0.25, 0).LogDensity(2), d.LogDensity(2), 1e-12, 0)
}

// Without offsets the base is that of the average target, and with exposures that of targets
// a unit of exposure, however the rows come; exposures that are twice as large take log 2 away.
func TestLawsStartAtTheAverage(t *testing.T) {
	var y, offsets, double []float64
	for i := range 5000 { // of which some start the parameters
		y = append(y, float64(i%7*(i%3)))
		offsets = append(offsets, math.Log(1+float64(i%5)))
		double = append(double, offsets[i]+math.Ln2)
	}
	var sum, exposure float64
	for i := range y {
		sum, exposure = sum+y[i], exposure+math.Exp(offsets[i])
	}
	base := func(l Law, offsets []float64) float64 {
		t.Helper()
		var o Values
		if offsets != nil {
			o = inParts(offsets)
		}
		started, err := l.Started(len(y), inParts(y), o)
		if err != nil {
			t.Fatal(err)
		}
		return started.(Law).Base
	}
	for name, l := range map[string]Law{"poisson": NewLaw(Poisson{}, 0), "negative binomial": NewLaw(NegativeBinomial{Dispersion: 1}, 0)} {
		testkit.Close(t, name, base(l, nil), math.Log(sum/5000), 1e-9, 0)
		testkit.Close(t, name+", exposures", base(l, offsets), math.Log(sum/exposure), 1e-9, 0)
		testkit.Close(t, name+", twice as large", base(l, double), math.Log(sum/exposure)-math.Ln2, 1e-9, 0)
	}
	if _, err := NewLaw(Poisson{}, 0).Started(3, Whole([]float64{0, math.NaN(), 0}), nil); err == nil {
		t.Error("an average that is no number has a natural parameter")
	}
	if _, err := NewLaw(Poisson{}, 0).Started(4, Whole([]float64{-3, 1, -2, 0}), nil); err == nil || !strings.Contains(err.Error(), "the average of the targets is -1,") {
		t.Errorf("an average below 0: error %v", err)
	}
	broken := errors.New("broken")
	failing := Values(func(func([]float64) error) error { return broken })
	for name, c := range map[string][2]Values{"targets": {failing, nil}, "offsets": {inParts(y), failing}} {
		if _, err := NewLaw(Poisson{}, 0).Started(len(y), c[0], c[1]); !errors.Is(err, broken) {
			t.Errorf("%s that cannot be read: error %v", name, err)
		}
	}
}

// Parameters start as the likeliest of all rows, with the offset of every row: counts of an
// exposure that explains them have no more scatter than Poisson's.
func TestParametersStartWithOffsets(t *testing.T) {
	var y, offsets []float64
	for i := range 3000 {
		exposure := []float64{1, 20, 400}[i%3]
		offsets = append(offsets, math.Log(exposure))
		y = append(y, math.Floor(exposure*2+math.Sqrt(exposure*2)*math.Sin(float64(i))+0.5))
	}
	dispersion := func(o Values) float64 {
		l, err := NewLaw(NegativeBinomial{Dispersion: 1}, 0).Started(len(y), inParts(y), o)
		if err != nil {
			t.Fatal(err)
		}
		return l.(Law).Parameters()[0].Value
	}
	if with, without := dispersion(inParts(offsets)), dispersion(nil); !(with < without/100) {
		t.Errorf("the dispersion is %g with exposures, %g without", with, without)
	}
}

// Of many rows every so manyth starts the parameters, with its own offset.
func TestRowsThatStartParameters(t *testing.T) {
	const n = 3*startRows + 7
	rows := draw(Gamma{Shape: 3}, n, 5)
	l, err := NewLaw(Gamma{Shape: 1}, 0).Started(n, inParts(rows.y), inParts(rows.f))
	if err != nil {
		t.Fatal(err)
	}
	start := l.(Law)
	want := Refit(Gamma{Shape: 1}, (n+2)/3, func(i int) (y, weight, mean, variance float64) {
		return rows.y[3*i], 1, start.Base + rows.f[3*i], 0
	})
	if start.Scalar != want {
		t.Errorf("the law starts as %+v, want %+v", start.Scalar, want)
	}
}

// Statistics learn a law's parameters as a refit by their rows does, and keep its base; a law without any stays
// as it is.
func TestStatisticsLearnParameters(t *testing.T) {
	const n = 100
	rows := draw(Gamma{Shape: 3}, n, 6)
	learned := func(l Law) Law {
		s := l.NewStatistics().(Learner)
		for i := range n {
			s.Add([]float32{float32(rows.y[i])}, 1, rows.f[i], 0.1)
		}
		return s.Learned().(Law)
	}
	l := learned(NewLaw(Gamma{Shape: 1}, 0.25))
	want := Refit(Gamma{Shape: 1}, n, func(i int) (y, weight, mean, variance float64) {
		return float64(float32(rows.y[i])), 1, 0.25 + rows.f[i], 0.1
	})
	if l.Scalar != want || l.Base != 0.25 {
		t.Errorf("learned %+v at %g, want %+v", l.Scalar, l.Base, want)
	}
	if l := learned(NewLaw(Exponential{}, 0.25)); l.Scalar != (Exponential{}) || l.Base != 0.25 {
		t.Errorf("learned %+v at %g", l.Scalar, l.Base)
	}
}

// A target is taken as it is, within its range; one that a law does not give is told with its row, and
// one that never varies has nothing to learn.
func TestLawsTakeTargets(t *testing.T) {
	l := NewLaw(Poisson{}, 0)
	target := box.Target{Name: "n", Range: &predictive.Range{Lo: 0, Hi: 9}}
	got, err := l.Scale(target, 5, inParts([]float64{3, 1, 4, 1, 9}))
	if err != nil || got.Mean != 0 || got.SD != 1 {
		t.Errorf("%+v, %v", got, err)
	}
	var law *box.LawError
	if _, err := l.Scale(target, 5, inParts([]float64{3, 1, 4, 1, 2.5})); !errors.As(err, &law) || law.Row != 5 || law.Value != 2.5 {
		t.Errorf("a half: %v", err)
	}
	var beyond *box.RangeError
	if _, err := l.Scale(target, 5, inParts([]float64{3, 1, 4, 10, 2})); !errors.As(err, &beyond) || beyond.Row != 4 {
		t.Errorf("beyond its range: %v", err)
	}
	target.Range = nil
	if _, err := l.Scale(target, 5, inParts([]float64{3, 1, 4, 10, 2})); err != nil {
		t.Errorf("of any range: %v", err)
	}
	if _, err := l.Scale(target, 4, inParts([]float64{3, 3, 3, 3})); err == nil {
		t.Error("a target that never varies is taken")
	}
}

// Rows by which parameters are learned again are spread evenly over all, as many as are enough, with their
// weights and all of f.
func TestRowsOfParametersAreSpreadEvenly(t *testing.T) {
	l := NewLaw(NegativeBinomial{Dispersion: 1}, 0.5)
	for _, n := range []int{10, startRows, startRows + 1, 5*startRows + 3} {
		s := l.NewStatistics().(*losses)
		var loss float64
		for i := range n {
			y, weight, mean := []float32{float32(i), 0.25}, 1+float64(i%3), 0.001*float64(i%50)
			s.Add(y, weight, mean, 0.1)
			value, _ := l.Loss(mean, y)
			loss += weight * value
		}
		testkit.Close(t, "loss", s.Loss(), loss, 1e-12, 0)
		every := 1
		for (n+every-1)/every > startRows {
			every *= 2
		}
		if len(s.rows) != (n+every-1)/every {
			t.Fatalf("of %d rows %d are kept, want every %d.", n, len(s.rows), every)
		}
		for k, r := range s.rows {
			i := k * every
			if r.y != float64(i) || r.weight != 1+float64(i%3) || math.Abs(r.mean-(0.5+0.25+0.001*float64(i%50))) > 1e-12 || r.variance != 0.1 {
				t.Fatalf("of %d rows the %d. kept is %+v, want row %d", n, k, r, i)
			}
		}
	}
}

// Classes are those of the target's levels, of which every one has rows; they start at the logarithms of
// their shares.
func TestClassesAreCounted(t *testing.T) {
	target := box.Target{Name: "c", Kind: table.Category, Levels: []string{"a", "b", "c"}}
	y := []float64{0, 2, 1, 2, 2, 0}
	if got, err := (Classes{}).Scale(target, 6, inParts(y)); err != nil || got.SD != 1 || got.Mean != 0 {
		t.Errorf("%+v, %v", got, err)
	}
	for _, bad := range []float64{-1, mostCodes, math.NaN()} {
		var law *box.LawError
		if _, err := (Classes{}).Scale(target, 6, inParts([]float64{0, 1, 2, 0, bad})); !errors.As(err, &law) || law.Row != 5 || law.Column != "c" {
			t.Errorf("class %g: %v", bad, err)
		}
	}
	if _, err := (Classes{}).Scale(target, 6, inParts([]float64{0, 1, 0})); err == nil {
		t.Error("a class without rows is taken")
	}
	if _, err := (Classes{}).Scale(box.Target{Name: "c"}, 6, inParts(y)); err == nil {
		t.Error("numbers are taken for classes")
	}
	l, err := Classes{}.Started(len(y), inParts(y), nil)
	if err != nil {
		t.Fatal(err)
	}
	for k, share := range []float64{2. / 6, 1. / 6, 3. / 6} {
		testkit.Close(t, "base", l.(Classes).Base[k], math.Log(share), 1e-12, 0)
	}
	broken := errors.New("broken")
	if _, err := (Classes{}).Started(6, func(func([]float64) error) error { return broken }, nil); !errors.Is(err, broken) {
		t.Errorf("error %v", err)
	}
	if _, err := (Classes{}).Started(6, inParts(y), inParts(y)); err == nil {
		t.Error("classes take an offset")
	}
	// Probabilities do not overflow, and add up to one.
	p := make([]float64, 2)
	Classes{Base: []float64{0, 0}}.Probabilities([]float64{2000, -2000}, 0, p)
	if p[0] != 1 || p[1] != 0 {
		t.Errorf("probabilities %v", p)
	}
}

// What a target is calls for a law; classes are those whose targets are codes.
func TestLawsOfTargets(t *testing.T) {
	for name, c := range map[string]struct {
		target    box.Target
		law       string
		classes   bool
		isDefault bool
	}{
		"a number":      {box.Target{}, gaussianName, false, true},
		"truth values":  {box.Target{Kind: table.Boolean}, "bernoulli", true, false},
		"two classes":   {box.Target{Kind: table.Category, Levels: []string{"a", "b"}}, "bernoulli", true, false},
		"three classes": {box.Target{Kind: table.Category, Levels: []string{"a", "b", "c"}}, classesName, true, false},
	} {
		l := OfTarget(c.target)
		if l.Name() != c.law || Classifies(l) != c.classes || IsGaussian(l) != c.isDefault {
			t.Errorf("%s: %s, of classes %v, gaussian %v", name, l.Name(), Classifies(l), IsGaussian(l))
		}
	}
	two, err := NewOrdinal(2)
	if err != nil {
		t.Fatal(err)
	}
	three, err := NewOrdinal(3)
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		law  Scalar
		want bool
	}{"two levels": {two, true}, "three levels": {three, false}, "counts": {Poisson{}, false}, "shares": {Beta{Precision: 3}, false}} {
		if got := Classifies(NewLaw(c.law, 0)); got != c.want {
			t.Errorf("%s are classes: %v", name, got)
		}
	}
	if !IsGaussian(nil) {
		t.Error("no law is no Gaussian")
	}
	if err := Known(NewLaw(Poisson{}, 0)); err != nil {
		t.Error(err)
	}
}

// An ordinal law has as many levels as the largest target asks for, all as probable at first.
func TestLevelsAreCounted(t *testing.T) {
	any, err := NewOrdinal(2)
	if err != nil {
		t.Fatal(err)
	}
	for largest, ok := range map[float64]bool{1: true, 4: true, MostLevels - 1: true, MostLevels: false, math.Inf(1): false} {
		sized, err := NewLaw(any, 0.5).Sized(inParts([]float64{0, 1, largest, 1}))
		if (err == nil) != ok {
			t.Errorf("level %g: error %v", largest, err)
		}
		if err != nil {
			continue
		}
		l := sized.(Law)
		if l.Base != 0.5 || l.Check(largest) != nil || l.Check(largest+1) == nil {
			t.Errorf("level %g: base %g of levels to %v", largest, l.Base, len(l.Scalar.(Ordinal).Cuts()))
		}
		for k := 0.0; k <= min(largest, 20); k++ {
			testkit.Close(t, "P(k | 0)", math.Exp(l.LogDensity(k, 0)), 1/(largest+1), 1e-9, 0)
		}
	}
	if _, err := NewLaw(any, 0).Sized(inParts([]float64{0, 1234})); err == nil || !strings.Contains(err.Error(), "the largest level is 1234: an ordinal target has levels from 0 to at most 999;") {
		t.Errorf("level 1234: error %v", err)
	}
	for levels, ok := range map[int]bool{1: false, 2: true, MostLevels: true, MostLevels + 1: false} {
		if _, err := NewOrdinal(levels); (err == nil) != ok {
			t.Errorf("%d levels: error %v", levels, err)
		}
	}
	if same, err := NewLaw(Poisson{}, 2).Sized(inParts(nil)); err != nil || same.Name() != "poisson" || same.(Law).Base != 2 {
		t.Errorf("a law without levels becomes %v, %v", same, err)
	}
	broken := errors.New("broken")
	if _, err := NewLaw(any, 0).Sized(func(func([]float64) error) error { return broken }); !errors.Is(err, broken) {
		t.Errorf("error %v", err)
	}
}

// Far out log p of Student's t is a power of the residual, with its derivatives: r times ∂f is what the
// power tells, 1 + ν, and r² times ∂²f, too.
func TestStudentFarOut(t *testing.T) {
	l := Student{Tails: 3, Scale: 0.5}
	for _, far := range []float64{1e5, 1e9, 1e12, 1e100, -1e9, -1e40} {
		value, first, second := l.Log(far, 0)
		double, _, _ := l.Log(2*far, 0)
		testkit.Close(t, "log p of twice as far", double-value, -4*math.Ln2, 1e-6, 0)
		testkit.Close(t, "slope", first*far, 4, 1e-6, 0)
		testkit.Close(t, "curvature", second*far*far, 4, 1e-6, 0)
	}
}
