package fit

import (
	"fmt"
	"log/slog"
	"time"

	"beziergp/internal/cli/sink"
	"beziergp/internal/cli/size"
	"beziergp/internal/cli/streams"
	"beziergp/internal/printable"
	"beziergp/model"
)

// summarize says what was learned, and warns when that is nothing.
func (m process) summarize(s streams.Streams, out string, bytes int64, elapsed time.Duration) {
	training, target := m.Training(), m.Target()
	orders := ordersOf(m.Model)
	orderings := m.Posterior().Group(0).Ensemble.Buttresses()
	s.Console.Note(
		fmt.Sprintf("learned %s from %d rows in %.1f s: %d inputs, order %s, %d orderings, %d steps\n",
			printable.Quoted(target.Name), training.Rows, elapsed.Seconds(), len(m.Inputs()), orders, orderings, training.Steps)+
			fmt.Sprintf("columns: %s%s\n", schema(m.Columns()), droppedRows(training.Dropped))+
			fmt.Sprintf("%s RMSE %.4g (deviation of the target %.4g), deviation of the noise %.4g\n", rmseOf(training.Recipe), training.RMSE, target.SD, m.Noise())+
			fmt.Sprintf("wrote %s, %s", printable.Line(sink.Name(out)), size.Text(bytes)),
		slog.String("event", "summary"), slog.String("target", target.Name), slog.Int("rows", training.Rows),
		slog.Int("dropped", training.Dropped), slog.String("columns", schema(m.Columns())),
		slog.Int("inputs", len(m.Inputs())), slog.String("order", orders), slog.Int("orderings", orderings),
		slog.Int("steps", training.Steps), slog.Float64("rmse", training.RMSE), slog.Float64("deviation", target.SD),
		slog.Float64("noise", m.Noise()), slog.Float64("seconds", elapsed.Seconds()),
		slog.String("file", out), slog.Int64("bytes", bytes))
	if !(training.RMSE < target.SD) {
		s.Console.Warn(fmt.Sprintf("nothing was learned: the training RMSE %.4g is not below the target's deviation %.4g; take more steps, a higher learning rate, or other inputs", training.RMSE, target.SD),
			slog.String("event", "nothing_learned"))
	}
}

// rmseOf says what the RMSE of a recipe is over: auto's is of rows that the member
// which predicts them has not seen.
func rmseOf(recipe string) string {
	if recipe == recipeAuto {
		return "out-of-fold"
	}
	return "training"
}

// droppedRows tells of rows that could not be learned from.
func droppedRows(n int) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("; %d rows without a target are left out", n)
}

// ordersOf returns the order of the inputs that vary, or the lowest and highest.
func ordersOf(m *model.Model) string {
	low, high := 0, 0
	for _, b := range m.Posterior().Group(0).Bases {
		order := b.Nodes() - 1
		if order == 0 { // a constant input
			continue
		}
		if low == 0 || order < low {
			low = order
		}
		high = max(high, order)
	}
	if low == high {
		return fmt.Sprint(low)
	}
	return fmt.Sprintf("%d to %d", low, high)
}
