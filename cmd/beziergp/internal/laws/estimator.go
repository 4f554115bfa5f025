package laws

import (
	"context"
	"fmt"
	"log/slog"
	"strings"

	"beziergp/analysis"
	"beziergp/box"
	"beziergp/cmd/beziergp/internal/exit"
	"beziergp/cmd/beziergp/internal/streams"
	"beziergp/internal/printable"
	"beziergp/model"
	"beziergp/serve"
)

// Estimated is what the help of a verb says of models without closed forms.
const Estimated = `Of a model of another method than bezier, which has no closed forms, these are
estimates from its predictions, in the target's own units, with standard errors of the
sampling. A date and time is one input then, in days since the beginning of 1970.`

// Estimator returns the estimator of a model of any kind under the laws, and what frees its memory.
// It notes what is cut off. The model has no offset (apply.WithoutOffset), which is no input with a law.
func (o *Options) Estimator(s streams.Streams, file string, m serve.Model, workers int) (e *analysis.Estimator, free func(), err error) {
	own, err := o.parse(analysis.ByColumn(m.Inputs()))
	if err != nil {
		return nil, nil, err
	}
	// Laws are within bounds. What follows from a date may lie beyond what a policy lets pass.
	p, err := m.NewPredictor(model.PredictOptions{Workers: workers, Policy: box.Extrapolate, MeanAlone: true})
	if err != nil {
		return nil, nil, exit.Dataf("%w", err)
	}
	var out model.Predictions
	predict := func(ctx context.Context, columns [][]float64, dst []float64) error {
		err := p.Predict(ctx, columns, &out)
		copy(dst, out.Mean)
		return err
	}
	e, err = analysis.NewEstimator(predict, m.Inputs(), m.Profile(), analysis.Options{Laws: own, Truncate: o.Truncate})
	if err != nil {
		p.Close()
		return nil, nil, Coded(file, err)
	}
	o.noteTruncated(s, e)
	return e, p.Close, nil
}

// NoteEstimated says that what is told is no closed form.
func NoteEstimated(s streams.Streams, what string, e *analysis.Estimator, samples int) {
	if names := e.Spread(); len(names) > 0 {
		s.Console.Note("of the training rows' distributions the model knows bins, within which these are taken as evenly spread; errors do not tell how far that is from the rows: "+printable.Line(strings.Join(names, ", ")),
			slog.String("event", "spread"), slog.Any("inputs", names))
	}
	s.Console.Note(fmt.Sprintf("a model of another method than bezier has no closed forms: %s estimated from its predictions at %d points", what, samples),
		slog.String("event", "estimated"), slog.Int("samples", samples))
}
