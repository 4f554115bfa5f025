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
func (o *Options) score(ctx context.Context, s streams.Streams, data string, m serve.Model, r *rows) error {
	report, result, err := apply.Score(ctx, s, m, data, apply.Options{Source: o.Source.Scored(), Workers: o.Workers}, o.Target, nil)
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
	if err := report.Print(s.Out, false); err != nil {
		return err
	}
	return o.FailIf.Judge(report.Judged())
}
