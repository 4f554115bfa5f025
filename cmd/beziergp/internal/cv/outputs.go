package cv

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"beziergp"
	"beziergp/cmd/beziergp/internal/apply"
	"beziergp/cmd/beziergp/internal/exit"
	"beziergp/cmd/beziergp/internal/gate"
	"beziergp/cmd/beziergp/internal/source"
	"beziergp/cmd/beziergp/internal/streams"
	"beziergp/internal/printable"
	"beziergp/serve"
	"beziergp/split"
	"beziergp/table"
)

// outputs cross-validates several targets: every fold is fitted once, and every target has a page.
func (o *Options) outputs(ctx context.Context, s streams.Streams, t *table.Table, from *source.Table, targets []string, folds []split.Fold, names []string) error {
	if o.Out != "" {
		return exit.Usagef("--out writes the predictions of one target, and there are %d; leave it out, or cross-validate them one by one", len(targets))
	}
	fitted := make([][]serve.Model, len(folds))
	pages, judged := map[string]json.RawMessage{}, []gate.Score(nil)
	for k, name := range targets {
		y, _ := t.Column(name)
		target, _ := t.Field(name)
		var text bytes.Buffer
		p := &page{target: target, out: s.Out, json: o.JSON, names: names, workers: o.Fit.Workers, all: apply.NewParts(o.Fit.Workers)}
		if o.JSON {
			p.out = &text
		} else if _, err := fmt.Fprintf(s.Out, "output %s\n", printable.Name(name)); err != nil {
			return err
		}
		err := o.each(ctx, s, t, folds, names, p, y, func(ctx context.Context, fold int, train *table.Table) (_ beziergp.Fitted, err error) {
			if fitted[fold] == nil {
				if fitted[fold], err = o.Fit.LearnOutputs(ctx, s, train, o.excluded()...); err != nil {
					return nil, err
				}
			}
			return fitted[fold][k], nil
		})
		s.Console.EndProgress()
		if errors.Is(err, context.Canceled) {
			return &exit.Error{Code: exit.Interrupted, Err: fmt.Errorf("interrupted in fold %d of %d", len(p.folds)+1, len(folds))}
		}
		if err == nil {
			err = p.conclude(false)
		}
		if err != nil {
			return locate(ctx, from, err)
		}
		p.all.Warn(s)
		pages[name] = text.Bytes()
		for _, score := range p.all.Report().Judged() {
			score.Of = "target " + name
			judged = append(judged, score)
		}
		if !o.JSON && k < len(targets)-1 {
			if _, err := fmt.Fprintln(s.Out); err != nil {
				return err
			}
		}
	}
	if o.JSON {
		if err := json.NewEncoder(s.Out).Encode(map[string]any{"outputs": pages}); err != nil {
			return err
		}
	}
	return o.FailIf.Judge(judged)
}
