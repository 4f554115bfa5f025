package auto

import (
	"context"
	"slices"

	"beziergp/internal/process/basis"
	"beziergp/internal/process/descent"
)

// A number whose values many rows share may say more than how large it is: rows of one value may
// belong together, as measurements of one day or parts of one batch. A component of ties has a
// function of its own for each value, as of a category's level, and neighbouring values are shrunk
// to one another.

// tiesOf is the component. Its other numbers have splines.
func tiesOf(orderings int) component {
	return component{Kind: basis.KindSpline, Nodes: 12, Orderings: orderings, Amplitude: 0.1, Cells: basis.MaxSteps}
}

func (c component) hasTies() bool { return c.Cells > 0 && !c.isMainEffects() }

// tellsApart tells whether a component has functions of values that others do not tell apart.
func (c component) tellsApart() bool { return c.Cells > 0 || c.isMainEffects() }

// tellsValues tells whether a component has functions of values of an input of data that tell these apart: main effects have them of all
// levels of a category.
func (c component) tellsValues(d *dataset, input int) bool {
	return d.tied(input) > 0 && (c.Cells > 0 || c.isMainEffects() && d.levelsOf(input) != nil)
}

// tiesOf returns the basis of an input of which components of ties tell so many values apart.
func (d *dataset) tiesOf(input, values, most int) (basis.Basis, error) {
	if l := d.levelsOf(input); l != nil {
		return basis.NewIndicator(l.All.Functions())
	}
	return basis.NewSteps(min(most, stepsOf(values)))
}

// ties returns the component that a step can pay for.
func (p plan) ties() component {
	return p.memberCost(p.memberBatch).within(tiesOf(p.tieOrderings), p.rowTime)
}

// stepsOf returns the steps for an input of so many values: twice as many, for those of few rows
// are near one another, and fewer where weights of so many would fill a file.
func stepsOf(values int) int {
	if values <= descent.ManySteps {
		return min(2*values, descent.ManySteps)
	}
	return min(3*values/2, basis.MaxSteps)
}

const (
	// fewestTied and mostTied are the values that an input has at least and at most, and rowsOfTie the rows of one on
	// average, for its values to be tried: fewer values have a node each in other components, and
	// more have none of their own in steps. Of persons who are asked twice a value has two rows.
	fewestTied = 20
	mostTied   = basis.MaxSteps
	rowsOfTie  = 1.5
	// rowsOfTieOfLaw are those where the law is not a Gaussian, which main effects of values are tried for.
	rowsOfTieOfLaw = 1.25
	// gainOfTies is the share of the residuals' variance that rows of one value have to explain,
	// beyond what rows of neighbouring values do.
	gainOfTies = 0.02
	// finest are the nodes of the finest component.
	finest = 121
	// weightsOfTied are those that a component of ties has at most, and weightsPerRow for each row, as orderingsForWeights tell.
	weightsOfTied       = 5e7
	weightsPerRow       = 1000
	orderingsForWeights = 24
)

// mostWeightsOfTies returns those that a component of ties of so many rows has at most.
func mostWeightsOfTies(rows int) float64 { return min(weightsOfTied, weightsPerRow*float64(rows)) }

// weightsOfTies returns about how many weights a component has where it tells so many values of inputs apart, 0 for none: the
// mean over some orderings.
func (d *dataset) weightsOfTies(c component, values []int) float64 {
	widths := d.functions()
	for i, n := range d.distinct {
		switch l := d.levelsOf(i); {
		case values[i] > 0 && l != nil:
			widths[i] = l.All.Functions()
		case values[i] > 0:
			widths[i] = min(c.Cells, stepsOf(values[i]))
		case widths[i] == 0:
			widths[i] = c.nodesOf(n)
		}
	}
	some := c
	some.Orderings = orderingsForWeights
	var sum float64
	for _, o := range some.orderings(widths, d.Len(), descent.Random(0, descent.StreamOrderings)) {
		for k := 1; k < len(o); k++ {
			sum += float64(widths[o[k-1]]) * float64(widths[o[k]])
		}
	}
	return sum / orderingsForWeights * float64(c.Orderings)
}

// mostValues returns how many an input has at most for them to be tried.
func (d *dataset) mostValues() int {
	if d.gaussian() {
		return min(mostTied, int(float64(d.Len())/rowsOfTie))
	}
	return min(mostTied, int(float64(d.Len())/rowsOfTieOfLaw))
}

// repeated returns of every input how many values it has, where they repeat often enough, and
// else 0; nil where none has.
func (d *dataset) repeated() []int {
	counts, some := make([]int, d.Inputs), false
	for i := range counts {
		if l := d.levelsOf(i); l != nil {
			counts[i], some = l.All.Nodes(), true
		}
		if !basis.Ordered(d.bases[i]) || d.distinct[i] < fewestTied {
			continue
		}
		most := d.mostValues()
		if n := countValues(d.Rows, i, most+1); n <= most {
			counts[i], some = n, true
		}
	}
	if !some {
		return nil
	}
	return counts
}

// tied returns how many values of an input components of ties tell apart, 0 for none.
func (d *dataset) tied(input int) int {
	if d.ties == nil {
		return 0
	}
	return d.ties[input]
}

// withTies returns the data with so many values of inputs that components of ties tell apart. The coordinates of a category among
// these are those of all its levels.
func (d *dataset) withTies(values []int) *dataset {
	own := *d
	own.ties = values
	anew := slices.DeleteFunc(upTo(len(values)), func(i int) bool { return values[i] == 0 || d.levelsOf(i) == nil || d.tellsLevels(i) })
	x, inputs := own.X, own.inputs
	if len(anew) > 0 {
		x, inputs, own.bases = slices.Clone(x), slices.Clone(inputs), slices.Clone(own.bases)
		if own.few == nil {
			own.few = d
		}
	}
	for _, i := range anew {
		l := d.levels[i]
		inputs[i], own.bases[i] = l.All, l.Basis
		for j, code := range l.Codes {
			x[j*d.Inputs+i] = code
		}
	}
	if n := d.neighbours; n != nil {
		with := *n
		with.from, own.neighbours = n.from.withTies(values[:n.from.Inputs]), &with
	}
	return own.scaled(x, inputs)
}

// tying returns the data as shapes that were given need them: one of ties tells the values of all
// numbers apart that repeat.
func (p plan) tying(d *dataset) *dataset {
	for _, s := range p.shapes {
		if slices.ContainsFunc(s.Components, component.hasTies) {
			return d.withTies(d.repeated())
		}
	}
	if slices.ContainsFunc(p.shapes, structure.hasMainEffects) {
		return d.withAllLevels()
	}
	return d
}

// tryTies tries the best candidates with a component of ties more, of those inputs of few values, or late of
// others, whose values mark rows that the best one errs on alike. It returns them, the best first, if they are better than the best
// without by enough standard errors, or nil. The data of the tournament have the ties then.
func (t *tournament) tryTies(ctx context.Context, w worker, stage int, without []candidate, share float64) ([]candidate, error) {
	if t.repeated == nil || without[0].ensemble == nil || w.progress.spent() > budgetToSelect {
		return nil, nil
	}
	tried := hasFew
	if stage == tryingTiesLate {
		tried = t.late
	}
	marks, err := t.marks(ctx, w, without[0], tried)
	if err != nil || marks == nil {
		return nil, err
	}
	with, ties, names := t.again(without), t.ties(), t.areNames(marks)
	if stage == tryingTiesLate {
		with = with[:min(1, len(with))]
	} else {
		ties.Cells = descent.ManySteps
		if names && len(with) > 0 {
			with = t.ofEverySmoothness(with)
		}
	}
	for i := range with {
		own := slices.Clone(with[i].Components)
		if k := slices.IndexFunc(own, component.hasTies); k >= 0 {
			own[k].Cells = ties.Cells
		} else {
			own = append(own, ties)
		}
		with[i].Components = own
	}
	return t.tryOn(ctx, w, t.data.withTies(marks), stage, with, without[0], share, t.sureOfTies(stage, names))
}

// hasFew tells whether an input of so many values is tried in the first round.
func hasFew(values int) bool { return values <= descent.ManySteps }

// areNames tells whether all inputs that are marked anew are categories: levels are names for sure, and values of a number may be.
func (t *tournament) areNames(marks []int) bool {
	for i, n := range marks {
		if n > 0 && t.data.tied(i) == 0 && t.data.levelsOf(i) == nil {
			return false
		}
	}
	return true
}

// ofEverySmoothness returns the candidates, the best first, with the best of every λ: that which was best where rare levels were one
// says little of what is best where they are many.
func (t *tournament) ofEverySmoothness(candidates []candidate) []candidate {
	for _, lambda := range t.smoothness {
		c := untried(candidates[0].structure)
		c.Smoothness = lambda
		if !slices.ContainsFunc(candidates, func(o candidate) bool { return o.structure.String() == c.structure.String() }) {
			candidates = append(candidates, c)
		}
	}
	return candidates
}

// sureOfTies returns the standard errors by which candidates with ties have to be better.
func (p plan) sureOfTies(stage int, names bool) float64 {
	if names || stage == tryingTiesLate && !p.gaussian {
		return likely
	}
	return certainly
}
