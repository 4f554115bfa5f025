package beziergp_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/floats"

	"beziergp"
	"beziergp/internal/testkit"
	"beziergp/table"
)

// shops are rows of as many shops, each with an effect of its own of some deviation, of a number x and of a number z of which the target is
// twice. law draws a target given its mean.
func shops(t *testing.T, seed uint64, names, each int, effect float64, law func(f float64, rng *rand.Rand) float64) *beziergp.Table {
	t.Helper()
	rng := rand.New(rand.NewPCG(seed, 11))
	var levels []string
	var shop, x, z, y []float64
	for s := range names {
		levels = append(levels, fmt.Sprintf("shop %d of %d", s, seed))
		own := effect * rng.NormFloat64()
		for range each {
			shop, x, z = append(shop, float64(s)), append(x, rng.Float64()), append(z, rng.Float64())
			last := len(x) - 1
			y = append(y, law(own+math.Sin(6*x[last])+2*z[last], rng))
		}
	}
	return mustTable(t, beziergp.Column{Name: "shop", Kind: table.Category, Levels: levels, Values: shop}, column("x", x...), column("z", z...), column("y", y...))
}

const shopNoise = 0.3

func number(f float64, rng *rand.Rand) float64 { return f + shopNoise*rng.NormFloat64() }

// lacking returns the rows without the values of a column.
func lacking(t *testing.T, rows *beziergp.Table, name string) *beziergp.Table {
	t.Helper()
	var columns []beziergp.Column
	for _, column := range rows.Names() {
		f, _ := rows.Field(column)
		values, _ := rows.Column(column)
		if column == name {
			values = make([]float64, len(values))
			for i := range values {
				values[i] = math.NaN()
			}
		}
		columns = append(columns, beziergp.Column{Name: f.Name, Kind: f.Kind, Levels: f.Levels, Values: values})
	}
	return mustTable(t, columns...)
}

// Intervals hold rows of levels that training had not, and rows without a number that all training rows have. Where an input tells nothing
// they are no wider than others.
func TestIntervalsOfWhatIsNotKnown(t *testing.T) {
	testkit.Long(t)
	ctx := context.Background()
	for _, effect := range []float64{1, 0} {
		known, fresh := shops(t, 1, 60, 25, effect, number), shops(t, 2, 400, 3, effect, number)
		m, err := beziergp.Fit(ctx, known, "y", beziergp.Options{Recipe: brief})
		if err != nil {
			t.Fatal(err)
		}
		deviation := func(rows *beziergp.Table) float64 {
			p, err := m.Predict(ctx, rows, beziergp.PredictOptions{})
			if err != nil {
				t.Fatal(err)
			}
			var sum float64
			for _, s := range p.Std {
				sum += s * s / float64(len(p.Std))
			}
			return math.Sqrt(sum)
		}
		again := shops(t, 1, 60, 25, effect, number)
		z := math.Sqrt(4.0 / 12) // the deviation of 2 z
		for what, c := range map[string]struct {
			rows *beziergp.Table
			want float64
		}{
			"known":              {again, shopNoise},
			"new shops":          {fresh, math.Hypot(effect, shopNoise)},
			"no number":          {lacking(t, again, "z"), math.Hypot(z, shopNoise)},
			"new, and no number": {lacking(t, fresh, "z"), math.Hypot(math.Hypot(effect, z), shopNoise)},
		} {
			share, std := covered(t, m, c.rows), deviation(c.rows)
			if !(share > 0.9 && share < 0.995) || !(std > 0.8*c.want && std < 1.35*c.want) {
				t.Errorf("effect %g, %s: %.3f of the rows are covered, with a deviation of %.3f where it is %.3f", effect, what, share, std, c.want)
			}
		}
	}
}

// Where training rows lack a number that tells much the intervals of the others are no wider for it, and those of rows that lack it hold them.
func TestErrorsOfCompleteRows(t *testing.T) {
	ctx := context.Background()
	gaps := func(rows *beziergp.Table) *beziergp.Table {
		x, _ := rows.Column("x")
		y, _ := rows.Column("y")
		z, _ := rows.Column("z")
		for i := 0; i < len(z); i += 5 {
			z[i] = math.NaN()
		}
		return mustTable(t, column("x", x...), column("z", z...), column("y", y...))
	}
	m, err := beziergp.Fit(ctx, gaps(shops(t, 8, 1, 2000, 0, number)), "y", beziergp.Options{Recipe: brief})
	if err != nil {
		t.Fatal(err)
	}
	rows := shops(t, 9, 1, 1000, 0, number)
	if std := predicted(t, m, rows).Std; !(floats.Norm(std, 2)/math.Sqrt(float64(len(std))) < 1.15*shopNoise) {
		t.Errorf("a deviation of %.3f of complete rows, where it is %.3f", floats.Norm(std, 2)/math.Sqrt(float64(len(std))), shopNoise)
	}
	for what, rows := range map[string]*beziergp.Table{"complete": rows, "no number": lacking(t, rows, "z")} {
		if share := covered(t, m, rows); !(share > 0.92 && share < 0.99) {
			t.Errorf("%s: %.3f of the rows are covered", what, share)
		}
	}
}

// The same holds of counts, and of several targets each by itself.
func TestOtherTargetsOfWhatIsNotKnown(t *testing.T) {
	testkit.Long(t)
	ctx := context.Background()
	poisson := func(f float64, rng *rand.Rand) float64 {
		n, p, limit := -1.0, 1.0, math.Exp(-math.Exp(f))
		for p > limit {
			p *= rng.Float64()
			n++
		}
		return n
	}
	m, err := beziergp.Fit(ctx, shops(t, 3, 80, 25, 0.7, poisson), "y", beziergp.Options{Likelihood: mustLaw(t, "poisson"), Recipe: brief})
	if err != nil {
		t.Fatal(err)
	}
	if share := covered(t, m, shops(t, 4, 400, 3, 0.7, poisson)); !(share > 0.92) {
		t.Errorf("counts: %.3f of the rows of new shops are covered", share)
	}
	tab := shops(t, 5, 80, 25, 1, number)
	names, more := shops(t, 6, 400, 3, 1, number), shops(t, 7, 80, 25, 0, number)
	bundle, err := beziergp.FitOutputs(ctx, beside(t, tab, more), []string{"y", "other"}, beziergp.Options{Recipe: brief})
	if err != nil {
		t.Fatal(err)
	}
	for k, want := range []float64{math.Hypot(1, shopNoise), shopNoise} {
		p := predicted(t, bundle.Models()[k], names)
		if std := math.Sqrt(floats.Dot(p.Std, p.Std) / float64(len(p.Std))); !(std > 0.8*want && std < 1.4*want) {
			t.Errorf("target %d: a deviation of %.3f for new shops, where it is %.3f", k, std, want)
		}
	}
}

// beside is a table with one more target, that of as many other rows given their inputs here.
func beside(t *testing.T, tab, more *beziergp.Table) *beziergp.Table {
	t.Helper()
	var columns []beziergp.Column
	for _, name := range tab.Names() {
		f, _ := tab.Field(name)
		values, _ := tab.Column(name)
		columns = append(columns, beziergp.Column{Name: name, Kind: f.Kind, Levels: f.Levels, Values: values})
	}
	x, _ := tab.Column("x")
	y, _ := more.Column("y")
	u, _ := more.Column("x")
	z, _ := more.Column("z")
	other := make([]float64, len(y))
	for i := range other { // the same noise about a function of x alone
		other[i] = y[i] - math.Sin(6*u[i]) - 2*z[i] + math.Cos(5*x[i])
	}
	return mustTable(t, append(columns, column("other", other...))...)
}
