package auto

import (
	"context"
	"slices"

	"beziergp/box"
)

// TriesAbsent tells whether inputs are tried that tell where columns lack a value: not beside shapes that were given, of which
// one may not be tried at all.
func (o Recipe) TriesAbsent() bool { return o.Shapes == nil && !o.lacks(Absences) }

// withoutAbsences returns the rows without inputs that tell where columns lack a value; its absences are the rows with them.
func (d *dataset) withoutAbsences() *dataset {
	values := slices.DeleteFunc(upTo(d.Inputs), func(i int) bool { return d.inputs[i].Part == box.Absent })
	if len(values) == d.Inputs {
		return d
	}
	without := d.only(values)
	without.absences = d
	return without
}

// marked returns candidates of the first round on rows with inputs that tell where columns lack a value, where the best of them is better than
// the best without by two standard errors; the plan and the data of the tournament are theirs then. Else it returns those
// without: what is missing at random tells nothing, and an input that tells nothing costs accuracy. The structure of the best is tried first,
// and no other where it is not better with these inputs. Tall tables cannot pay for it.
func (t *tournament) marked(ctx context.Context, w worker, left []candidate, share float64) ([]candidate, error) {
	if t.data.absences == nil || t.rows > tallRows || w.progress.spent() > budgetToSelect {
		return left, nil
	}
	best, without := t.best, bar{candidate: left[0], standardErrors: certainly}
	plan, data := t.plan, t.data
	same, err := t.sameMarked(ctx, w, left[0].structure, share)
	t.plan, t.data = plan, data
	if err != nil {
		return nil, err
	}
	if !without.under(same, t.fits) {
		short, _, err := t.narrower(ctx, w, t.data.absences, share, without)
		if short != nil || err != nil {
			return short, err
		}
	}
	t.triedInVain(best)
	return left, nil
}

// sameMarked returns a structure tried on rows with inputs that tell where columns lack a value, whose plan and data the tournament has then.
func (t *tournament) sameMarked(ctx context.Context, w worker, s structure, share float64) (candidate, error) {
	var err error
	if t.plan, err = t.plan.of(t.data.absences); err != nil {
		return candidate{}, err
	}
	t.data = t.tellingLevels(t.data.absences)
	same := []candidate{untried(s)}
	err = t.try(ctx, w, screening, same, share)
	return same[0], err
}

// markedLate is marked after the last of several rounds, for few steps may not show what missing values tell. The best candidate is tried with
// these inputs first, and where it is better the others left, and additive ones of others.
func (t *tournament) markedLate(ctx context.Context, w worker, left, others []candidate, share float64) (l, o []candidate, err error) {
	if t.data.absences == nil || t.data.ties != nil || t.data.neighbours != nil || len(t.tries) == 1 || w.progress.spent() > budgetToSelect {
		return left, others, nil
	}
	plan, data, best := t.plan, t.data, t.best
	same, err := t.sameMarked(ctx, w, left[0].structure, share)
	if err != nil {
		return nil, nil, err
	}
	if (bar{candidate: left[0], standardErrors: certainly}).under(same, t.fits) {
		t.plan, t.data = plan, data
		t.triedInVain(best)
		return left, others, nil
	}
	with := anew(left[1:])
	if err := t.try(ctx, w, screening, with, share); err != nil {
		return nil, nil, err
	}
	with = append(with, same)
	slices.SortStableFunc(with, better)
	others = anew(slices.DeleteFunc(slices.Clone(others), func(c candidate) bool { return !c.isAdditive() }))
	return with, others, t.try(ctx, w, screening, others, share)
}
