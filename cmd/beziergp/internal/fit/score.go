package fit

import (
	"context"

	"beziergp/cmd/beziergp/internal/apply"
	"beziergp/cmd/beziergp/internal/source"
	"beziergp/cmd/beziergp/internal/streams"
	"beziergp/serve"
	"beziergp/tablefile"
)

// score scores the model on the rows held out, for which the table is read again. Of
// another table it tells nothing: rows held out then may be trained on now.
func (o *Options) score(ctx context.Context, s streams.Streams, data string, models []serve.Model, r *rows) error {
	reports, result, err := apply.ScoreOutputs(ctx, s, models, data, apply.Options{Source: o.Source.Scored(), Workers: o.Workers})
	if err != nil {
		return err
	}
	if o.Source.From != "" {
		if result.Read != r.source.Read() || !result.Unseen() {
			return &tablefile.Error{File: source.Name(data), Problem: "it gives other rows, or rows in another order, than before training: those held out then are not those held out now, and there is no score to tell",
				Remedy: "order rows by a unique column, and run it while nobody writes; the model is written"}
		}
	} else if same, err := r.source.Unchanged(ctx, r.origin); err != nil {
		return err
	} else if !same {
		return &tablefile.Error{File: source.Name(data), Problem: "the table changed while the model was trained: rows held out then are not those held out now, and there is no score to tell",
			Remedy: "run eval with rows that were not trained on; the model is written"}
	}
	result.Warn(s, o.Policy)
	if len(models) > 1 {
		all := apply.Outputs{Targets: apply.Targets(models), Reports: reports}
		if err := all.Print(s.Out, false); err != nil {
			return err
		}
		return o.FailIf.Judge(all.Judged())
	}
	if err := reports[0].Print(s.Out, false); err != nil {
		return err
	}
	return o.FailIf.Judge(reports[0].Judged())
}
