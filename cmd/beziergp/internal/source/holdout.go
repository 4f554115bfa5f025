package source

import (
	"crypto/sha256"
	"fmt"

	"beziergp/internal/splitmix"
	"beziergp/table/exact"
	"beziergp/tablewriter"
)

// Split names how rows are taken, whichever side of it is: what a model that was fitted
// to one side remembers, so as to know the other. It is empty where all are taken.
func (t *Table) Split() string { return t.split }

// splitName is that of the mask, as it was read, or of the share held out.
func (t *Table) splitName() string {
	switch {
	case t.mask != nil && t.options.Group != "" && t.options.Mask.Path == "":
		return fmt.Sprintf("holdout %g group %s", t.options.Holdout, t.options.Group)
	case t.mask != nil:
		digest := sha256.New()
		// A hash takes all that it is given.
		_ = tablewriter.Write(digest, tablewriter.CSV, []string{"test"}, []*exact.Column{exact.Marks(t.mask)})
		return fmt.Sprintf("mask %x", digest.Sum(nil)[:8])
	case t.options.Holdout > 0:
		return fmt.Sprintf("holdout %g", t.options.Holdout)
	}
	return ""
}

// chooses tells whether rows are taken by a mask or at random.
func (t *Table) chooses() bool { return t.mask != nil || t.options.Holdout > 0 }

// takes tells whether to take a row of the table, counted from 0.
func (t *Table) takes(row int) bool {
	switch {
	case t.mask != nil:
		return t.mask[row] == t.take
	case t.options.Holdout > 0:
		return heldOut(row, t.options.Holdout) == t.take
	}
	return true
}

// heldOut draws a row with the given chance. It is a function of the row's number
// alone: every verb holds out the same rows, however many there are.
func heldOut(row int, share float64) bool {
	return float64(splitmix.At(uint64(row))>>11)/(1<<53) < share // of a number in [0, 1)
}
