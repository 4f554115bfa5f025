package fit

import (
	"fmt"
	"log/slog"
	"math"
	"slices"

	"beziergp"
	"beziergp/box"
	"beziergp/cmd/beziergp/internal/console"
	"beziergp/cmd/beziergp/internal/streams"
	"beziergp/internal/printable"
	"beziergp/likelihood"
	"beziergp/train"
)

// watch follows the progress of training.
type watch struct {
	s           streams.Streams
	kept        string
	deviation   float64 // of the target
	step, steps int     // of the weights' phase
	told        bool    // that the run goes on from a checkpoint
}

func newWatch(s streams.Streams, kept string, steps int, y []float64, target string, transform box.Transform) *watch {
	known := slices.DeleteFunc(slices.Clone(y), math.IsNaN)
	// Fit reports a target that cannot be scaled.
	scaling, _ := likelihood.Standardize(box.Target{Name: target, Transform: transform}, len(known), likelihood.Whole(known))
	return &watch{s: s, kept: kept, steps: steps, deviation: scaling.SD}
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
	if e.Phase == train.PhaseNoise {
		w.s.Console.Update(console.State{Task: "finding the noise", Done: int64(e.Step), Total: int64(e.Steps), Unit: "row"})
		return
	}
	w.step, w.steps = e.Step, e.Steps
	state := console.State{Task: "training", Done: int64(e.Step), Total: int64(e.Steps), Unit: "step"}
	if e.RMSE > 0 { // the recipe auto has none to tell while it goes from candidate to candidate
		rmse := e.RMSE * w.deviation
		state.Detail, state.Fields = fmt.Sprintf("RMSE %.4g", rmse), []slog.Attr{slog.Float64("rmse", rmse)}
	}
	// Of the recipe paper. Its first phase weighs the data by σ⁻² = τ, so that the number
	// tells a program whether the bound still rises, and a person nothing.
	if e.ELBO != 0 && !math.IsInf(e.ELBO, 0) {
		state.Fields = append(state.Fields, slog.Float64("elbo", e.ELBO))
	}
	w.s.Console.Update(state)
}
