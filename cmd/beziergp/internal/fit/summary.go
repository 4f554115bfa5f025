package fit

import (
	"fmt"
	"log/slog"
	"strings"
	"time"

	"beziergp/box"
	"beziergp/cmd/beziergp/internal/sink"
	"beziergp/cmd/beziergp/internal/streams"
	"beziergp/internal/printable"
	"beziergp/likelihood"
	"beziergp/model"
	"beziergp/train/auto"
)

// summarize says what was learned, and warns when that is nothing.
func (m process) summarize(s streams.Streams, out string, bytes int64, elapsed time.Duration) {
	training, target := m.Training(), m.Target()
	law := m.Likelihood()
	gaussian := likelihood.IsGaussian(law)
	how := fmt.Sprintf("%s RMSE %.4g (deviation of the target %.4g), deviation of the noise %.4g\n", rmseOf(training.Recipe), training.RMSE, target.SD, m.Noise())
	if !gaussian {
		how = "likelihood " + printable.Line(likelihood.Text(law)) + classesOf(m.Classes()) + "\n"
	}
	orders := ordersOf(m.Model)
	orderings := m.Posterior().Group(0).Ensemble.Buttresses()
	shapes, chosen := auto.Shapes(training.Options), ""
	if shapes != nil {
		chosen = "shapes " + strings.Join(shapes, ",") + "\n"
	}
	fields := []slog.Attr{slog.String("event", "summary"), slog.Any("out_of_fold", training.OutOfFold)}
	if gaussian {
		fields = append(fields, slog.Float64("rmse", training.RMSE), slog.Float64("deviation", target.SD), slog.Float64("noise", m.Noise()))
	} else {
		fields = append(fields, slog.String("likelihood", law.Name()), slog.Any("out_of_fold_classes", training.Classes), slog.Any("classes", m.Classes()))
	}
	s.Console.Note(
		fmt.Sprintf("learned %s from %s in %.1f s: %d inputs, order %s, %d orderings, %d steps\n",
			printable.Quoted(target.Name), learnedRows(training), elapsed.Seconds(), len(m.Inputs()), orders, orderings, training.Steps)+
			fmt.Sprintf("columns: %s%s\n", schema(m.Columns()), droppedRows(training.Dropped, m.weights))+
			missingTell(m.Inputs())+leftOut(training.LeftOut, target.Name)+
			chosen+
			how+
			scoresOf(training.OutOfFold)+classScoresOf(training.Classes)+
			fmt.Sprintf("wrote %s, %s", printable.Line(sink.Name(out)), printable.Size(bytes)),
		append(fields, slog.String("target", target.Name), slog.Int("rows", training.Rows),
			slog.Int("learned_rows", training.Learned()), slog.Int("dropped", training.Dropped), slog.String("columns", schema(m.Columns())),
			slog.Int("inputs", len(m.Inputs())), slog.Int("inputs_left_out", training.LeftOut), slog.String("order", orders), slog.Int("orderings", orderings), slog.Any("shapes", shapes),
			slog.Int("steps", training.Steps), slog.Float64("seconds", elapsed.Seconds()),
			slog.String("file", out), slog.Int64("bytes", bytes))...)
	if gaussian && !(training.RMSE < target.SD) {
		remedy := "take more steps, a higher learning rate, or other inputs"
		if training.Recipe == recipeAuto {
			remedy = "take other inputs, or more rows"
		}
		s.Console.Warn(fmt.Sprintf("nothing was learned: the %s RMSE %.4g is not below the target's deviation %.4g; %s", rmseOf(training.Recipe), training.RMSE, target.SD, remedy),
			slog.String("event", "nothing_learned"))
	}
}

// missingTell says of which columns missing values have a function of their own, where there are any.
func missingTell(inputs []box.Input) string {
	const most = 5
	var names []string
	for _, in := range inputs {
		if in.Part == box.Absent {
			names = append(names, printable.Quoted(in.Column))
		}
	}
	if names == nil {
		return ""
	}
	text := strings.Join(names[:min(most, len(names))], ", ")
	if more := len(names) - most; more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return fmt.Sprintf("missing values have a function of their own in %s\n", text)
}

// leftOut says how many inputs the model lacks, where it lacks any.
func leftOut(inputs int, target string) string {
	if inputs == 0 {
		return ""
	}
	return fmt.Sprintf("left out: %d inputs that tell nothing of %s beside the others; --shapes keeps all\n", inputs, printable.Quoted(target))
}

// rmseOf says what the RMSE of a recipe is over: auto's is of rows that the member
// which predicts them has not seen.
func rmseOf(recipe string) string {
	if recipe == recipeAuto {
		return "out-of-fold"
	}
	return "training"
}

// scoresOf tells of the scores out of fold, nil for none.
func scoresOf(s *model.Scores) string {
	if s == nil {
		return ""
	}
	deviance := ""
	if s.Deviance != nil {
		deviance = fmt.Sprintf("deviance %.4g, ", *s.Deviance)
	}
	return fmt.Sprintf("out of fold, of %d rows: %sNLPD %.4g, CRPS %.4g, %.1f %% in the 95 %% intervals\n", s.Rows, deviance, s.NLPD, s.CRPS, 100*s.Coverage95)
}

// classScoresOf is scoresOf of classes.
func classScoresOf(s *model.ClassScores) string {
	if s == nil {
		return ""
	}
	area := ""
	if s.AUC != nil {
		area = fmt.Sprintf(", AUC %.4g", *s.AUC)
	}
	return fmt.Sprintf("out of fold, of %d rows: log loss %.4g, Brier score %.4g, accuracy %.4g%s, calibration error %.3g\n", s.Rows, s.LogLoss, s.Brier, s.Accuracy, area, s.ECE)
}

// classesOf names the classes of a target, if it has any.
func classesOf(names []string) string {
	if names == nil {
		return ""
	}
	const most = 10
	var text []string
	for _, name := range names[:min(most, len(names))] {
		text = append(text, printable.Name(name))
	}
	if more := len(names) - most; more > 0 {
		text = append(text, fmt.Sprintf("%d more", more))
	}
	return fmt.Sprintf(", %d classes: %s", len(names), strings.Join(text, ", "))
}

// learnedRows says how many rows were learned from.
func learnedRows(t model.Training) string {
	switch {
	case t.Streamed > 0:
		return fmt.Sprintf("%d of %d rows a member, and how errors are distributed from %d rows, drawn by lot for as many as memory holds,", t.Streamed, t.Rows, t.Sampled)
	case t.Sampled > 0:
		return fmt.Sprintf("%d of %d rows, drawn by lot for as many as memory holds,", t.Sampled, t.Rows)
	}
	return fmt.Sprintf("%d rows", t.Rows)
}

// droppedRows tells of rows that could not be learned from.
func droppedRows(n int, weights string) string {
	switch {
	case n == 0:
		return ""
	case weights != "":
		return fmt.Sprintf("; %d rows without a target or a weight above 0 are left out", n)
	}
	return fmt.Sprintf("; %d rows without a target are left out", n)
}

// tellEmpty tells of columns that the model does not use, for they hold nothing.
func (o *Options) tellEmpty(s streams.Streams, names []string) {
	if len(names) == 0 {
		return
	}
	const most = 10
	text := make([]string, min(most, len(names)))
	for i := range text {
		text[i] = printable.Quoted(names[i])
	}
	if more := len(names) - most; more > 0 {
		text = append(text, fmt.Sprintf("%d more", more))
	}
	columns := "1 column without any value in the training rows is left out"
	if n := len(names); n > 1 {
		columns = fmt.Sprintf("%d columns without any value in the training rows are left out", n)
	}
	s.Console.Note(columns+": "+strings.Join(text, ", "),
		slog.String("event", "empty_columns"), slog.Any("columns", names))
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
