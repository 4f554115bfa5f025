package drift

import (
	"fmt"
	"io"
	"math"
	"strings"
	"text/tabwriter"

	"beziergp/box"
	"beziergp/internal/printable"
	"beziergp/monitor"
	"beziergp/table"
)

// first is how many inputs are printed that have not all to be.
const first = 20

// print writes the report as aligned text.
func (d *drift) print(w io.Writer, all bool) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintf(t, "%s: %s, beside the %d that %s was trained on\n\n", printable.Line(d.Data), count(d.Rows, "row"), d.Trained, printable.Line(d.Model))
	fmt.Fprintln(t, "column\tpsi\tks\tp\tverdict")
	shown := d.Inputs
	if !all && len(shown) > first+1 {
		shown = shown[:first]
	}
	for i := range shown {
		line(t, printable.Name(shown[i].Name), &shown[i])
	}
	if left := d.Inputs[len(shown):]; len(left) > 0 {
		moved := max(0, d.Moved-len(shown))
		fmt.Fprintf(t, "and %d more, of which %d moved; --all prints them\n", len(left), moved)
	}
	for _, own := range []struct {
		what  string
		shift *monitor.Shift
	}{{"target", d.Target}, {"predictions", d.Predicted}, {"errors", d.Errors}} {
		if own.shift != nil {
			name := "[" + own.what + "]"
			if own.what == "target" {
				name = printable.Name(own.shift.Name) + " " + name
			}
			line(t, name, own.shift)
		}
	}
	if err := t.Flush(); err != nil {
		return err
	}
	d.printOutside(w)
	d.printScores(t)
	if err := t.Flush(); err != nil {
		return err
	}
	_, err := fmt.Fprintf(w, "\n%s\n", d.conclusion())
	return err
}

// line writes what there is to say of a column.
func line(w io.Writer, name string, s *monitor.Shift) {
	ks := "-"
	if s.KS != nil {
		ks = fmt.Sprintf("%.3f", *s.KS)
	}
	p := fmt.Sprintf("%.2g", s.P)
	if s.P < 1e-9 {
		p = "<1e-9"
	}
	verdict := string(s.Verdict)
	if parts := about(s); parts != nil {
		verdict += ": " + strings.Join(parts, ", ")
	}
	fmt.Fprintf(w, "%s\t%.3f\t%s\t%s\t%s\n", name, s.PSI, ks, p, verdict)
}

// about says in what way a column is another.
func about(s *monitor.Shift) (parts []string) {
	const little = 0.005 // a share that is not worth a word
	if s.Direction != "" && (s.HasMoved() || s.Verdict == monitor.GoesOn) {
		parts = append(parts, s.Direction)
	}
	if l := s.Level; l != nil && s.HasMoved() {
		name := "rare levels"
		if l.Name != "" {
			name = printable.Name(l.Name)
		}
		parts = append(parts, fmt.Sprintf("%s %s → %s", name, percent(l.ShareTrained), percent(l.Share)))
	}
	if math.Abs(s.Missing-s.MissingTrained) >= little {
		parts = append(parts, fmt.Sprintf("missing %s → %s", percent(s.MissingTrained), percent(s.Missing)))
	}
	if s.NewLevels > 0 {
		parts = append(parts, "new levels "+percent(s.NewLevels))
	}
	if s.Beyond >= little {
		parts = append(parts, percent(s.Beyond)+" beyond the training rows")
	}
	return parts
}

func percent(share float64) string { return fmt.Sprintf("%.3g %%", 100*share) }

// count says how many things there are.
func count(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}

// printOutside writes how many rows are beyond what the model knows, and why.
func (d *drift) printOutside(w io.Writer) {
	fmt.Fprintln(w)
	for _, reason := range box.Reasons() {
		n := d.outside.Rows[reason]
		if n == 0 && reason != box.Beyond {
			continue
		}
		fmt.Fprintf(w, "%s: %d of %s, %s", reasons[reason], n, count(d.Rows, "row"), percent(float64(n)/float64(d.Rows)))
		if n > 0 {
			fmt.Fprintf(w, ": %s", d.outside.Blame(reason))
		}
		fmt.Fprintln(w)
	}
}

var reasons = map[box.Reason]string{
	box.Beyond: "outside the box", box.NewLevel: "a level not seen in training", box.NewGap: "missing as in no training row",
}

// printScores writes the scores of rows whose target is known.
func (d *drift) printScores(w io.Writer) {
	s := d.Scores
	if s == nil {
		return
	}
	fmt.Fprintf(w, "\n%s scored\tnow\tout of fold\tverdict\n", count(s.N, "row"))
	for _, own := range []struct {
		name    string
		score   monitor.Score
		verdict string
	}{{"rmse", s.RMSE, string(s.Errors)}, {"coverage95", s.Coverage95, string(s.Calibration)}, {"nlpd", s.NLPD, ""}} {
		cells := []string{own.name, plusMinus(own.score.Value, own.score.Error), plusMinus(own.score.OutOfFold, own.score.OutOfFoldError)}
		if own.verdict != "" {
			cells = append(cells, own.verdict)
		}
		fmt.Fprintln(w, strings.Join(cells, "\t"))
	}
	fmt.Fprintf(w, "pit\t%.3f, p %.2g\n", s.PIT.KS, s.PIT.P)
}

func plusMinus(v, e *float64) string {
	switch {
	case v == nil:
		return "-"
	case e == nil:
		return fmt.Sprintf("%.4g", *v)
	}
	return fmt.Sprintf("%.4g ± %.2g", *v, *e)
}

// unscored says why there are no scores.
func (d *drift) unscored() string {
	switch {
	case d.Target == nil:
		return "the target is not known"
	case d.Target.Kind == table.Category: // which have no one number as prediction
		return "of three classes or more eval has the scores"
	}
	return "no row whose target is known has a prediction"
}

// conclusion says it all in a sentence or two.
func (d *drift) conclusion() string {
	var b strings.Builder
	switch d.Moved {
	case 0:
		fmt.Fprintf(&b, "None of %s moved.", count(len(d.Inputs), "input"))
	default:
		fmt.Fprintf(&b, "%d of %s moved, %s farthest.", d.Moved, count(len(d.Inputs), "input"), printable.Name(d.Inputs[0].Name))
	}
	if goesOn := d.goesOn(); goesOn != "" {
		fmt.Fprintf(&b, " %s.", goesOn)
	}
	s := d.Scores
	if s == nil {
		why := d.unscored()
		fmt.Fprintf(&b, " %s: whether intervals hold cannot be told.", strings.ToUpper(why[:1])+why[1:])
		return b.String()
	}
	switch s.Calibration {
	case monitor.Holds:
		b.WriteString(" Calibration holds")
	case monitor.TooNarrow:
		b.WriteString(" Intervals are too narrow")
	case monitor.TooWide:
		b.WriteString(" Intervals are wider than they need be")
	case monitor.Off:
		b.WriteString(" Intervals hold what they promise, but the distributions within are off")
	}
	switch s.Errors {
	case monitor.Larger:
		b.WriteString(", and errors are larger than out of fold")
	case monitor.Smaller:
		b.WriteString(", and errors are smaller than out of fold")
	case monitor.AsLarge:
		b.WriteString(", and errors are as large as out of fold")
	}
	b.WriteString(".")
	if s.Calibration == monitor.TooNarrow || s.Errors == monitor.Larger {
		b.WriteString(" Fit again, with these rows.")
	}
	return b.String()
}

// goesOn says how far dates lie beyond those of training.
func (d *drift) goesOn() string {
	for _, s := range d.Inputs {
		if s.Verdict == monitor.GoesOn && s.Kind == table.DateTime && s.Beyond > 0 {
			return fmt.Sprintf("%s of the rows lie beyond the times of training (%s)", percent(s.Beyond), printable.Name(s.Name))
		}
	}
	return ""
}
