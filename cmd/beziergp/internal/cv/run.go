package cv

import (
	"context"
	"errors"
	"fmt"
	"time"

	"beziergp"
	"beziergp/box"
	"beziergp/cmd/beziergp/internal/apply"
	"beziergp/cmd/beziergp/internal/exit"
	"beziergp/cmd/beziergp/internal/sink"
	"beziergp/cmd/beziergp/internal/source"
	"beziergp/cmd/beziergp/internal/streams"
	"beziergp/internal/printable"
	"beziergp/model"
	"beziergp/rival/method"
	"beziergp/split"
	"beziergp/table"
)

// Run cross-validates on the table data.
func Run(ctx context.Context, s streams.Streams, data string, o *Options) error {
	if err := o.check(data); err != nil {
		return err
	}
	if err := sink.Apart(s.In, s.Out, append(o.Fit.Source.Reads(data), sink.Reads("--config", o.Fit.Config.Path)[0], sink.Writes("--out", o.Out))...); err != nil {
		return err
	}
	if o.Out != "" {
		if err := sink.Check(o.Out); err != nil {
			return err
		}
	}
	t, from, err := o.Fit.Read(ctx, s, data, o.columns()...)
	if err != nil {
		return err
	}
	folds, names, err := o.folds(t, data)
	if err != nil {
		return locate(ctx, from, err)
	}
	if targets := o.Fit.Several(); targets != nil {
		return o.outputs(ctx, s, t, from, targets, folds, names)
	}
	y, _ := t.Column(o.Fit.Target)
	target, _ := t.Field(o.Fit.Target)
	p := &page{target: target, out: s.Out, json: o.JSON, names: names, workers: o.Fit.Workers, all: apply.NewParts(o.Fit.Workers)}
	err = o.each(ctx, s, t, folds, names, p, y, func(ctx context.Context, _ int, train *table.Table) (beziergp.Fitted, error) {
		return o.Fit.Learn(ctx, s, train, o.excluded()...)
	})
	s.Console.EndProgress()
	stopped := errors.Is(err, context.Canceled)
	if err != nil && !stopped {
		return locate(ctx, from, err)
	}
	if err := p.conclude(stopped); err != nil {
		return err
	}
	p.all.Warn(s)
	if stopped {
		return &exit.Error{Code: exit.Interrupted, Err: fmt.Errorf("interrupted in fold %d of %d; the scores are those of the folds before it, and no predictions are written", len(p.folds)+1, len(folds))}
	}
	if o.Out != "" {
		if err := p.write(ctx, s, o.Out, from); err != nil {
			return err
		}
	}
	return o.FailIf.Judge(p.all.Report().Judged())
}

// each fits and scores fold by fold.
func (o *Options) each(ctx context.Context, s streams.Streams, t *table.Table, folds []split.Fold, names []string, p *page, y []float64, fit func(ctx context.Context, k int, train *table.Table) (beziergp.Fitted, error)) error {
	began := time.Now()
	learn := func(ctx context.Context, k int, train *table.Table) (beziergp.Fitted, error) {
		began = time.Now()
		s.Console.Part = fmt.Sprintf("fold %s, %d of %d", printable.Name(names[k]), k+1, len(folds))
		if o.Fold == "" {
			s.Console.Part = fmt.Sprintf("fold %d of %d", k+1, len(folds))
		}
		defer func() { s.Console.Part = "" }()
		return fit(ctx, k, train)
	}
	for v, err := range beziergp.CrossValidate(ctx, t, folds, learn, beziergp.PredictOptions{Workers: o.Fit.Workers}) {
		if err != nil {
			return err
		}
		s.Console.EndProgress()
		if err := p.add(v, len(folds[v.Fold].Train), at(y, v.Test), time.Since(began).Seconds()); err != nil {
			return err
		}
	}
	return nil
}

// locate gives an error about the table, or a row of it, its place in the file.
func locate(ctx context.Context, from *source.Table, err error) error {
	var faulty *beziergp.DataError
	var row box.RowError
	var overflow *model.RowError
	var far *method.RowError
	if errors.As(err, &faulty) || errors.As(err, &row) || errors.As(err, &overflow) || errors.As(err, &far) {
		return from.Locate(ctx, err)
	}
	return err
}
