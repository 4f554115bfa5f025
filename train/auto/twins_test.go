package auto

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"beziergp/internal/process/descent"
	"beziergp/internal/process/elbo"
	"beziergp/internal/testkit"
	"beziergp/likelihood"
)

// Of two members that err by the same amount together and by another amount each, it is
// known what an average of many errs: the judgement is that, and not the error of a member.
func TestJudgementOfAnAverage(t *testing.T) {
	const n, shared, own = 20000, 0.5, 1.0
	data, p, w := prepared(fixture(t, n), 1)
	w.pool.Close()
	rng := rand.New(rand.NewPCG(1, 2))
	fold := make([]int, n)
	m := &outOfFold{held: make([]float64, n), twin: make([]float64, n)}
	for j := range fold {
		fold[j] = j
		common := float64(data.Targets(j, j+1)[0]) + shared*rng.NormFloat64()
		m.held[j], m.twin[j] = common+own*rng.NormFloat64(), common+own*rng.NormFloat64()
	}
	for _, members := range []int{2, 6, 1000} {
		e := newEnsemble(data)
		e.add(m, fold)
		want := shared*shared + own*own/float64(members)
		if got := e.meanAverageDeviance(e.rows(), members); math.Abs(got/want-1) > 0.05 {
			t.Errorf("an average of %d: deviance %g, want %g", members, got, want)
		}
	}
	alone := newEnsemble(data)
	alone.add(&outOfFold{held: m.held}, fold)
	if got, want := alone.meanAverageDeviance(alone.rows(), 6), alone.meanDeviance(alone.rows()); got != want {
		t.Errorf("one member alone: %g, want %g", got, want)
	}
	if !p.judgesAverages(len(p.tries)-1) && len(p.tries) > 1 {
		t.Error("the last round does not judge averages")
	}
}

// A candidate whose members err more, but differently, wins where the model is an average,
// and loses where it is one member.
func TestAverageIsWhatIsChosenFor(t *testing.T) {
	data, p, w := prepared(fixture(t, 3000), 1)
	w.pool.Close()
	rng := rand.New(rand.NewPCG(2, 2))
	fold := make([]int, data.Len())
	candidateOf := func(shared, own float64) candidate {
		m := &outOfFold{held: make([]float64, len(fold)), twin: make([]float64, len(fold))}
		for j := range fold {
			fold[j] = j
			common := float64(data.Targets(j, j+1)[0]) + shared*rng.NormFloat64()
			m.held[j], m.twin[j] = common+own*rng.NormFloat64(), common+own*rng.NormFloat64()
		}
		e := newEnsemble(data)
		e.add(m, fold)
		return candidate{ensemble: e}
	}
	smooth, rough := candidateOf(1, 0.1), candidateOf(0.7, 1)
	p.members, p.replicates = 8, 0
	if smooth.asGoodAs(rough, 2, p.averaged()) {
		t.Error("the smooth one is as good on average")
	}
	p.averages = false
	if rough.asGoodAs(smooth, 2, p.averaged()) {
		t.Error("the rough one is as good alone")
	}
}

// Of classes, whose loss has no upper bound, two members tell what an average of many errs at its own
// slope, however far apart they are, and however sure of what they say.
func TestJudgementOfAnAverageOfClasses(t *testing.T) {
	const rows, classes = 20000, 3
	y, truth := drawnClasses(rows, classes)
	law := likelihood.Classes{Base: make([]float64, classes)}
	data := &dataset{Rows: descent.Rows{Batch: elbo.Batch{Y: y, Outputs: 1}}, law: law}
	rng := rand.New(rand.NewPCG(4, 5))
	// of returns what an average of some members says that are too sure by a factor and off by a deviation.
	of := func(average int, off, sure float64) []float64 {
		f := slices.Clone(truth)
		for i := range f {
			f[i] = sure * (f[i] + off*rng.NormFloat64()/math.Sqrt(float64(average)))
		}
		return f
	}
	judged := func(members int, off, sure float64) float64 {
		e := newEnsemble(data)
		e.add(&outOfFold{held: of(1, off, sure), twin: of(1, off, sure)}, upTo(rows))
		return e.meanAverageDeviance(e.rows(), members)
	}
	for _, off := range []float64{0.3, 1, 2} {
		for _, members := range []int{2, 6} {
			whole := newEnsemble(data)
			whole.add(&outOfFold{held: of(members, off, 1)}, upTo(rows))
			want := whole.meanAverageDeviance(whole.rows(), members)
			testkit.Close(t, fmt.Sprintf("of %d members off by %g", members, off), judged(members, off, 1), want, 0.1, 0)
			testkit.Close(t, fmt.Sprintf("of %d members off by %g, too sure", members, off), judged(members, off, 5), want, 0.1, 0)
		}
	}
}

// Where members are so sure of classes, and right, that losses vanish, the deviance is 0, which is better than any
// other; it is no quotient of zeros.
func TestJudgementWhereClassesAreSure(t *testing.T) {
	const rows, classes = 300, 3
	y := make([]float32, rows)
	sure, wrong := make([]float64, rows*classes), make([]float64, rows*classes)
	for j := range y {
		y[j] = float32(j % classes)
		sure[j*classes+j%classes], wrong[j*classes+(j+1)%classes] = 400, 400
	}
	data := &dataset{Rows: descent.Rows{Batch: elbo.Batch{Y: y, Outputs: 1}}, law: likelihood.Classes{Base: make([]float64, classes)}}
	judged := func(f, g []float64) candidate {
		e := newEnsemble(data)
		e.add(&outOfFold{held: f, twin: g}, upTo(rows))
		return candidate{deviance: e.meanAverageDeviance(e.rows(), 6), ensemble: e}
	}
	right, worse := judged(sure, sure), judged(wrong, wrong)
	if right.deviance != 0 || !(worse.deviance > 0) {
		t.Errorf("deviances %g of what is right and %g of what is wrong", right.deviance, worse.deviance)
	}
	if !right.asGoodAs(worse, 0, 6) || worse.asGoodAs(right, 2, 6) {
		t.Error("what is wrong is as good")
	}
}

// A density may be above 1 and its loss below 0: the two of one member and of the average of two lie on either side of
// 0 here. Where −log p is a square of f, what an average of many errs is told exactly but for the draws.
func TestJudgementOfAnAverageOfDensities(t *testing.T) {
	const rows, deviation = 20000, 0.05
	rng := rand.New(rand.NewPCG(6, 7))
	y, truth := make([]float32, rows), make([]float64, rows)
	for j := range y {
		truth[j] = 2*rng.Float64() - 1
		y[j] = float32(math.Exp(truth[j] + deviation*rng.NormFloat64()))
	}
	data := &dataset{Rows: descent.Rows{Batch: elbo.Batch{Y: y, Outputs: 1}}, law: likelihood.NewLaw(likelihood.LogNormal{Deviation: deviation}, 0)}
	of := func(average int, off float64) []float64 {
		f := slices.Clone(truth)
		for i := range f {
			f[i] += off * rng.NormFloat64() / math.Sqrt(float64(average))
		}
		return f
	}
	for _, off := range []float64{0.02, 0.1, 0.15} {
		for _, members := range []int{2, 6, 1000} {
			e, whole := newEnsemble(data), newEnsemble(data)
			e.add(&outOfFold{held: of(1, off), twin: of(1, off)}, upTo(rows))
			whole.add(&outOfFold{held: of(members, off)}, upTo(rows))
			got, want := e.meanAverageDeviance(e.rows(), members), whole.meanAverageDeviance(whole.rows(), members)
			if !(math.Abs(got-want) < 0.3) {
				t.Errorf("an average of %d off by %g: deviance %g, want %g", members, off, got, want)
			}
		}
	}
}
