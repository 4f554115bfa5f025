// Package report makes one page of HTML that shows a fitted model to people: what it was
// learned from, how good its predictions are and whether their intervals hold, which columns
// matter and how, which act together, and what single predictions are made of.
//
//	b, err := report.New(m, report.Options{})
//	b.Add(ctx, block) // block by block; none for a report on the model alone
//	r, err := b.Report(ctx)
//	r.Render(w)
//
// A [Report] is plain values, so that another page may be made of it. The page loads nothing and
// runs no script but its own: it opens without a network, and what data hold is text in it.
// Scores, importance and counts are over all rows; some rows, drawn at random, are drawn and
// told of one by one, so that neither memory nor the page grows with the table.
//
// Scores and predictions are in the units of the target. What the process knows in closed form
// (importance, effects, interactions) is of f: where the target has a transform, in the
// transformed target's units, and before limits that hold the mean.
package report
