package fit

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"beziergp"
	"beziergp/cmd/beziergp/internal/exit"
	"beziergp/cmd/beziergp/internal/sink"
	"beziergp/cmd/beziergp/internal/source"
	"beziergp/cmd/beziergp/internal/streams"
	"beziergp/table"
	"beziergp/tablefile"
	"beziergp/train/paper"
)

// Run learns a model from the table data and writes it.
func Run(ctx context.Context, s streams.Streams, data string, o *Options) error {
	return o.requeued(ctx, func(ctx context.Context) error { return o.run(ctx, s, data) })
}

func (o *Options) run(ctx context.Context, s streams.Streams, data string) error {
	began := time.Now()
	r, err := o.prepareOnAll(ctx, s, data)
	if err != nil {
		return err
	}
	defer r.close()
	o.warnOfCopies(s, r)
	o.warnOfTexts(s, r)
	m, err := o.learn(ctx, s, data, r)
	if err != nil || !s.IsFirst() {
		return err
	}
	kept := o.checkpoint()
	s.Console.EndProgress()
	size, err := save(ctx, m, o.Out, s)
	if err != nil {
		return err
	}
	if kept != "" && !sink.Same(kept, o.Out) { // links may have changed in hours
		// One that stays does no harm: the same run ends at once with it.
		_ = os.Remove(kept)
	}
	m.summarize(s, o.Out, size, time.Since(began))
	if err := m.writeOutOfFold(ctx, s, o.OutOfFold, r); err != nil {
		return err
	}
	if err := m.draw(ctx, s); err != nil {
		return err
	}
	o.tellEmpty(s, r.empty(append(o.targetNames(), o.Weights, o.Exposure, o.Offset, o.Source.Group, o.Source.Time), m.models()[0].Columns()))
	if o.several == nil {
		o.suggest(s, r)
	}
	if o.Source.Holdout == 0 {
		return nil
	}
	return o.score(ctx, s, data, m.models(), r)
}

// prepare checks what was asked for, and reads the rows, or those of this rank.
func (o *Options) prepare(ctx context.Context, s streams.Streams, data string, parts bool) (*rows, error) {
	if err := o.check(data); err != nil {
		return nil, err
	}
	if err := o.checkRanks(s, data); err != nil {
		return nil, err
	}
	if err := o.apart(s, data); err != nil {
		return nil, err
	}
	for _, path := range []string{o.Out, o.OutOfFold, o.checkpoint(), o.Cache, o.Curve} {
		if path == "" || !s.IsFirst() {
			continue
		}
		if err := sink.Check(path); err != nil {
			return nil, err
		}
	}
	return o.read(ctx, s, data, parts)
}

// columns returns the columns to read out of those of the file. It fails where an
// option names one that there is not, before a long file is read.
func (o *Options) columns(all []string, data string) ([]string, error) {
	if err := o.resolve(all); err != nil {
		return nil, err
	}
	targets := o.targetNames()
	named := append(o.targetNames(), o.Exclude...)
	for _, name := range []string{o.Weights, o.Exposure, o.Offset, o.Source.Group, o.Source.Time} {
		if name != "" {
			named = append(named, name)
		}
	}
	for name := range o.Bounds {
		named = append(named, name)
	}
	for name := range o.Paper.Orders {
		named = append(named, name)
	}
	slices.Sort(named[len(targets):]) // a map has no order, and an error should be the same every time
	known := map[string]bool{}
	for _, name := range all {
		known[name] = true
	}
	for _, name := range named {
		if !known[name] {
			unknown := table.Unknown(name, all)
			return nil, &tablefile.Error{File: source.Name(data), Column: name, Problem: "there is no such column", Remedy: unknown.Hint(), Err: unknown}
		}
	}
	// A column that tells test rows from others is the same for all rows here, and one that
	// marks rows to choose by is read by itself.
	marks := []string{o.Source.Mask.ColumnIn(data), o.Source.Valid.ColumnIn(data)}
	for _, name := range append([]string{o.Source.Group, o.Source.Time}, o.Exclude...) {
		known[name] = name != "" && name == o.learnedBy(name) // which is read though it is no input
	}
	read := slices.DeleteFunc(all, func(name string) bool {
		return !known[name] || slices.Contains(marks, name) && !slices.Contains(targets, name)
	})
	o.plain = nil
	for _, name := range read {
		if o.Source.Kinds[name] != "" {
			o.plain = append(o.plain, name)
		}
	}
	return read, nil
}

// explain says in words of the command line why there is no model.
func (o *Options) explain(ctx context.Context, err error, w *watch, r *rows) error {
	var several interface{ Unwrap() []error }
	var faulty *beziergp.DataError
	var checkpoint *paper.CheckpointError
	switch {
	case errors.Is(err, context.Canceled):
		if errors.As(err, &several) && len(several.Unwrap()) > 1 {
			return &exit.Error{Code: exit.Failed, Err: fmt.Errorf("interrupted at step %d of %d, and the checkpoint could not be written: %w", w.step, w.steps, several.Unwrap()[1])}
		}
		return &exit.Error{Code: exit.Interrupted, Err: errors.New(o.interrupted(w))}
	case errors.As(err, &checkpoint):
		if is, _ := paper.IsCheckpoint(checkpoint.Path); is {
			return exit.Dataf("%w (--fresh does so)", err)
		}
		return exit.Dataf("%w", err)
	case errors.As(err, &faulty):
		return r.locate(ctx, err)
	}
	return err
}

// keep writes the best model of a run that was interrupted, or one that comes with an error.
func (o *Options) keep(ctx context.Context, m *beziergp.Model, s streams.Streams, w *watch, r *rows, err error) error {
	if !s.IsFirst() {
		return o.explain(ctx, err, w, r)
	}
	s.Console.EndProgress()
	if _, err := save(context.WithoutCancel(ctx), m, o.Out, s); err != nil {
		return err
	}
	if err := w.curve.write(context.WithoutCancel(ctx), s); err != nil {
		return err
	}
	if !errors.Is(err, context.Canceled) {
		return fmt.Errorf("%w; the model is in %s", o.explain(ctx, err, w, r), o.Out)
	}
	return &exit.Error{Code: exit.Interrupted, Err: fmt.Errorf(
		"interrupted at step %d of %d; the best model so far is in %s, with the noise the same everywhere%s", w.step, w.steps, o.Out, o.unwritten(w))}
}

// unwritten says which files an interrupted run has not written.
func (o *Options) unwritten(w *watch) string {
	var files []string
	if o.OutOfFold != "" {
		files = append(files, o.OutOfFold)
	}
	if w.curve != nil && w.curve.picture.Empty() {
		files = append(files, w.curve.file)
	}
	if files == nil {
		return ""
	}
	return ", and nothing is in " + strings.Join(files, " and ")
}

// interrupted says what is left of an interrupted run.
func (o *Options) interrupted(w *watch) string {
	where := fmt.Sprintf("interrupted at step %d of %d; ", w.step, w.steps)
	kept := o.checkpoint()
	if kept == "" {
		return where + "there is no checkpoint, the next run begins anew"
	}
	same := "the same command goes on from there"
	if o.Fresh {
		same = "the same command without --fresh goes on from there"
	}
	return where + same + " (checkpoint " + kept + ")"
}
