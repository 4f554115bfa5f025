package fit

import (
	"context"
	"io"
	"time"

	"beziergp"
	"beziergp/cmd/beziergp/internal/streams"
	"beziergp/serve"
)

// learned is a model that is to be written.
type learned interface {
	Write(io.Writer) error
	// models returns those of the targets, one each.
	models() []serve.Model
	// writeOutOfFold writes what was predicted of training rows without them, if asked for.
	writeOutOfFold(ctx context.Context, s streams.Streams, path string, r *rows) error
	// summarize says what was learned.
	summarize(s streams.Streams, out string, bytes int64, elapsed time.Duration)
	// draw draws the learning curve, where one was asked for.
	draw(ctx context.Context, s streams.Streams) error
}

// learn learns from the rows by the method asked for.
func (o *Options) learn(ctx context.Context, s streams.Streams, data string, r *rows) (learned, error) {
	if o.several != nil {
		return o.outputs(ctx, s, r)
	}
	if o.Method == methodBezier {
		return o.bezier(ctx, s, data, r)
	}
	return o.rival(ctx, s, data, r)
}

// process is a model of this program's own method.
type process struct {
	*beziergp.Model
	weights   string              // column of row weights; may be empty
	outOfFold *beziergp.OutOfFold // nil where nobody asked for it
	curve     *curve              // nil for none
}

func (p process) models() []serve.Model { return []serve.Model{p.Model} }

func (p process) draw(ctx context.Context, s streams.Streams) error { return p.curve.write(ctx, s) }

// bezier learns a process.
func (o *Options) bezier(ctx context.Context, s streams.Streams, data string, r *rows) (learned, error) {
	kept := o.checkpoint()
	w := o.newWatch(s, kept, r.sample())
	w.curve = newCurve(o.Curve, w.target)
	var outOfFold *beziergp.OutOfFold
	if o.OutOfFold != "" {
		outOfFold = &beziergp.OutOfFold{}
	}
	options := o.process(w)
	options.Split, options.Held, options.OutOfFold = r.source.Split(), r.source.ValidColumn(), outOfFold
	m, err := r.fit(ctx, o.Target, options)
	switch {
	case err == nil:
		return process{m, o.Weights, outOfFold, w.curve}, nil
	case m != nil:
		return nil, o.keep(ctx, m, s, w, r, err)
	}
	return nil, o.explain(ctx, err, w, r)
}

// process returns the options of a fit that a watch follows.
func (o *Options) process(w *watch) beziergp.Options {
	return beziergp.Options{
		Bounds: o.Bounds, OutOfBox: o.Policy, Recipe: o.recipe(),
		Likelihood: o.Likelihood, Exposure: o.Exposure, Offset: o.Offset, TargetTransform: o.Transform, Range: o.Range, Weights: o.Weights, ClassWeights: o.ClassWeights, Missing: o.Source.Missing, Memory: o.Memory,
		Group: o.learnedBy(o.Source.Group), Time: o.learnedBy(o.Source.Time), Exclude: o.excluded(), Plain: o.plain,
		Workers: o.Workers, Ranks: w.s.Ranks, Progress: w.event,
	}
}
