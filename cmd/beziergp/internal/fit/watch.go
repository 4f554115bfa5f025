package fit

import (
	"fmt"
	"log/slog"
	"math"
	"slices"
	"time"

	"beziergp"
	"beziergp/box"
	"beziergp/cmd/beziergp/internal/console"
	"beziergp/cmd/beziergp/internal/streams"
	"beziergp/internal/printable"
	"beziergp/likelihood"
	"beziergp/table"
	"beziergp/train"
)

// watch follows the progress of training.
type watch struct {
	s           streams.Streams
	kept        string
	target      box.Target // scaled as the rows are
	lawful      bool       // the law is not a Gaussian: errors say nothing, log-likelihoods do
	classes     bool       // it is one of classes
	curve       *curve     // nil where none is to be drawn
	step, steps int        // of the weights' phase
	told        bool       // that the run goes on from a checkpoint
	shown       shown
}

// shown is what is seen of an event, which lasts for many events.
type shown struct {
	phase       train.Phase
	part, parts int
	score       train.Score
	text        string
}

// newWatch returns the watch of a fit to rows like these.
func (o *Options) newWatch(s streams.Streams, kept string, rows *table.Table) *watch {
	w := &watch{s: s, kept: kept, steps: o.Paper.Steps, target: box.Target{Name: o.Target, Transform: o.Transform, SD: 1}}
	if o.several != nil { // whose errors are told in deviations of each
		return w
	}
	f, _ := rows.Field(o.Target)
	law := o.law(f)
	if w.lawful = !likelihood.IsGaussian(law); w.lawful {
		w.classes = likelihood.Classifies(law)
		return w
	}
	y, _ := rows.Column(o.Target)
	known := slices.DeleteFunc(slices.Clone(y), math.IsNaN)
	// Fit reports a target that cannot be scaled.
	w.target, _ = likelihood.Standardize(w.target, len(known), likelihood.Whole(known))
	return w
}

func (w *watch) event(e beziergp.Event) {
	if e.ResumedAt > 0 && !w.told {
		w.told, w.step = true, e.ResumedAt
		w.s.Console.Note(fmt.Sprintf("going on from step %d (checkpoint %s)", e.ResumedAt, printable.Line(w.kept)),
			slog.String("event", "resumed"), slog.Int("step", e.ResumedAt), slog.String("checkpoint", w.kept))
		if e.Unsealed {
			w.s.Console.NoteUnsealed("checkpoint " + w.kept)
		}
	}
	w.curve.add(e)
	if e.Phase == train.PhaseNoise && e.Parts == 0 { // of the recipe paper
		w.s.Console.Update(console.State{Task: "finding the noise", Done: int64(e.Step), Total: int64(e.Steps), Unit: "row"})
		return
	}
	if e.Step == 0 && e.Remaining > 0 {
		w.foretell(e.Remaining)
		return
	}
	w.step, w.steps = e.Step, e.Steps
	state := console.State{Task: "training", Done: int64(e.Step), Total: int64(e.Steps), Unit: "step"}
	if e.Parts > 0 {
		state.Detail = w.detail(e)
	} else if e.RMSE > 0 && !w.lawful {
		state.Detail = fmt.Sprintf("RMSE %.4g", e.RMSE*w.target.SD)
	}
	if w.s.Console.Format == console.JSON { // or else nobody sees them
		state.Fields = w.fields(e)
	}
	w.s.Console.Update(state)
}

// shortest is the time below which nobody needs to be told.
const shortest = 5 * time.Second

// foretell says how long training will take.
func (w *watch) foretell(d time.Duration) {
	if d < shortest {
		return
	}
	w.s.Console.Note("training takes about "+roughly(d), slog.String("event", "forecast"), slog.Float64("seconds", d.Seconds()))
}

// roughly returns a time in words, to the five seconds or the minute.
func roughly(d time.Duration) string {
	if d < 100*time.Second {
		return fmt.Sprintf("%d seconds", int(d.Round(5*time.Second).Seconds()))
	}
	return fmt.Sprintf("%d minutes", int(d.Round(time.Minute).Minutes()))
}

// detail says which part of the phase is under way, and the score so far.
func (w *watch) detail(e beziergp.Event) string {
	now := shown{phase: e.Phase, part: e.Part, parts: e.Parts, score: e.Score}
	if now.text = w.shown.text; now == w.shown {
		return now.text
	}
	switch e.Phase {
	case train.PhaseSelection:
		now.text = fmt.Sprintf("choosing %d of %d", e.Part, e.Parts)
	case train.PhaseMembers:
		now.text = fmt.Sprintf("member %d of %d", e.Part, e.Parts)
	default:
		now.text = string(e.Phase)
	}
	switch {
	case e.Score.Rows == 0:
	case w.classes:
		now.text += fmt.Sprintf(", log loss %.4g", e.Score.NLPD)
	case w.lawful:
		now.text += fmt.Sprintf(", NLPD %.4g", e.Score.NLPD)
	default:
		now.text += fmt.Sprintf(", RMSE %.4g, NLPD %.3g", e.Score.RMSE*w.target.SD, w.nlpd(e.Score))
	}
	w.shown = now
	return now.text
}

// fields are what JSON lines hold besides. The first phase of the recipe paper weighs the
// data by σ⁻² = τ, so that its bound tells a program whether it still rises, and a person
// nothing.
func (w *watch) fields(e beziergp.Event) []slog.Attr {
	fields := []slog.Attr{slog.String("phase", string(e.Phase))}
	if e.Parts == 0 {
		if !w.lawful {
			fields = append(fields, slog.Float64("rmse", e.RMSE*w.target.SD))
		}
		if e.ELBO != 0 && !math.IsInf(e.ELBO, 0) {
			fields = append(fields, slog.Float64("elbo", e.ELBO))
		}
		return fields
	}
	fields = append(fields, slog.Int("part", e.Part), slog.Int("parts", e.Parts))
	if e.Fit.Shape != "" {
		fields = append(fields, slog.String("shape", e.Fit.Shape))
	}
	switch {
	case e.Score.Rows == 0 || math.IsNaN(e.Score.NLPD) || math.IsInf(e.Score.NLPD, 0):
	case w.classes:
		fields = append(fields, slog.Float64("log_loss", e.Score.NLPD), slog.Int("scored_rows", e.Score.Rows))
	case w.lawful:
		fields = append(fields, slog.Float64("nlpd", e.Score.NLPD), slog.Int("scored_rows", e.Score.Rows))
	default:
		fields = append(fields, slog.Float64("rmse", e.Score.RMSE*w.target.SD), slog.Float64("nlpd", w.nlpd(e.Score)), slog.Int("scored_rows", e.Score.Rows))
	}
	return fields
}

// nlpd returns that of the target: a density of log(1 + y) is one of y times 1/(1 + y),
// whose mean logarithm is minus the mean of log(1 + y).
func (w *watch) nlpd(s train.Score) float64 {
	nlpd := s.NLPD + math.Log(w.target.SD)
	if w.target.Transform == box.Log1p {
		nlpd += w.target.Mean
	}
	return nlpd
}
