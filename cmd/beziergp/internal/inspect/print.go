package inspect

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"beziergp/box"
	"beziergp/internal/printable"
	"beziergp/table"
	"beziergp/train/auto"
)

// print writes the description as aligned text: what all models have, around what own
// writes of how this one was learned; with --detail what detail writes.
func (c *common) print(w io.Writer, o Options, own, detail func(io.Writer)) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintf(t, "file\t%s, %s, format %d\n", printable.Line(c.File), printable.Size(c.Bytes), c.Format)
	if c.Target.Likelihood != "" {
		c.printLaw(t)
	} else {
		fmt.Fprintf(t, "target\t%s, %smean %.6g, deviation %.6g%s\n", printable.Name(c.Target.Name), c.Target.extremes(), c.Target.Mean, c.Target.Deviation, c.transformed())
	}
	if c.Target.Range != nil {
		fmt.Fprintf(t, "range\t%v\n", c.Target.Range)
	}
	own(t)
	fmt.Fprintf(t, "out of box\t%s%s\n", printable.Name(string(c.Policy)), policies[c.Policy])
	if c.HashedRows != nil {
		fmt.Fprintf(t, "remembers\thashes of %d rows\n", *c.HashedRows)
	}
	if err := t.Flush(); err != nil {
		return err
	}
	c.printColumns(t, o.All)
	if err := t.Flush(); err != nil || !o.Detail {
		return err
	}
	fmt.Fprintln(t)
	detail(t)
	c.printTensors(t)
	return t.Flush()
}

// printLaw writes what the target is to a law of its own.
func (c *common) printLaw(w io.Writer) {
	const most = 20
	switch classes := c.Target.Classes; {
	case classes != nil:
		var names []string
		for _, name := range classes[:min(most, len(classes))] {
			names = append(names, printable.Name(name))
		}
		if more := len(classes) - most; more > 0 {
			names = append(names, fmt.Sprintf("%d more", more))
		}
		fmt.Fprintf(w, "target\t%s, %d classes: %s\n", printable.Name(c.Target.Name), len(classes), strings.Join(names, ", "))
	default:
		fmt.Fprintf(w, "target\t%s, %s\n", printable.Name(c.Target.Name), strings.TrimSuffix(c.Target.extremes(), ", "))
	}
	fmt.Fprintf(w, "likelihood\t%s\n", printable.Line(c.Target.Likelihood))
	if c.Offset == nil {
		return
	}
	what := "offset"
	if c.Offset.Exposure {
		what = "exposure"
	}
	fmt.Fprintf(w, "%s\t%s\n", what, printable.Name(c.Offset.Column))
}

// policies say what becomes of rows beyond.
var policies = map[box.Policy]string{
	box.Clip:        ": rows beyond the values below are moved to the nearest",
	box.Refuse:      ": rows beyond the values below are refused",
	box.Flag:        ": rows beyond the values below have no prediction",
	box.Extrapolate: ": rows beyond the values below are taken as they are",
}

func (t *target) extremes() string {
	if t.Lowest == nil {
		return ""
	}
	return fmt.Sprintf("%.6g to %.6g, ", *t.Lowest, *t.Highest)
}

// transformed says what mean and deviation are of.
func (c *common) transformed() string {
	if c.model.Target().Transform == box.Log1p {
		return " of log(1 + it), which is learned"
	}
	return ""
}

func (d process) print(w io.Writer, o Options) error {
	return d.common.print(w, o, d.learned, d.detail)
}

// learned writes from what the process was learned, how, and how well it predicts.
func (d process) learned(w io.Writer) {
	t := d.Training
	rows := fmt.Sprintf("%d rows", t.Rows)
	switch {
	case t.Streamed > 0:
		rows = fmt.Sprintf("%d rows a member out of %d, the distribution of errors from %d drawn by lot", t.Streamed, t.Rows, t.Sampled)
	case t.Sampled > 0:
		rows = fmt.Sprintf("%d rows drawn by lot out of %d", t.Sampled, t.Rows)
	}
	if t.Dropped > 0 {
		rows += fmt.Sprintf("; %d without a target or a weight were left out", t.Dropped)
	}
	if t.LeftOut > 0 {
		rows += fmt.Sprintf("; %d inputs that tell nothing of the target beside the others were left out", t.LeftOut)
	}
	fmt.Fprintf(w, "learned from\t%s\n", rows)
	var chosen struct {
		Effort      string `json:"effort"`
		Members     int    `json:"members"`
		Interrupted bool   `json:"interrupted"`
	}
	_ = json.Unmarshal(t.Options, &chosen) // other recipes have others
	how := "recipe " + printable.Name(t.Recipe)
	if chosen.Effort != "" {
		how += ", effort " + printable.Name(chosen.Effort)
	}
	if chosen.Members > 0 {
		how += fmt.Sprintf(", %d members", chosen.Members)
	}
	how += fmt.Sprintf(", %d steps", t.Steps)
	if chosen.Interrupted {
		how += ", interrupted: the best until then"
	}
	fmt.Fprintf(w, "learned by\t%s\n", how)
	if shapes := auto.Shapes(t.Options); shapes != nil { // as fit --shapes takes them
		fmt.Fprintf(w, "shapes\t%s\n", printable.Line(strings.Join(shapes, ",")))
	}
	for _, own := range d.Neighbours {
		fmt.Fprintf(w, "neighbours\tmeans of the target over training rows by %s, at %d knots\n", printable.Line(strings.Join(own.Order, ", ")), own.Knots)
	}
	switch scores := t.OutOfFold; {
	case t.Classes != nil:
		s, area := t.Classes, ""
		if s.AUC != nil {
			area = fmt.Sprintf(", AUC %.4g", *s.AUC)
		}
		fmt.Fprintf(w, "out of fold\tlog loss %.4g, Brier score %.4g, accuracy %.4g%s, calibration error %.3g of %d rows\n", s.LogLoss, s.Brier, s.Accuracy, area, s.ECE, s.Rows)
	case scores != nil && d.Target.Likelihood != "":
		deviance := ""
		if scores.Deviance != nil {
			deviance = fmt.Sprintf("deviance %.4g, ", *scores.Deviance)
		}
		fmt.Fprintf(w, "out of fold\t%sNLPD %.4g, CRPS %.4g; 95 %% intervals hold %.3g %% of %d rows\n",
			deviance, scores.NLPD, scores.CRPS, 100*scores.Coverage95, scores.Rows)
	case scores != nil:
		fmt.Fprintf(w, "out of fold\tRMSE %.6g, NLPD %.4g, CRPS %.4g; 95 %% intervals hold %.3g %% of %d rows\n",
			scores.RMSE, scores.NLPD, scores.CRPS, 100*scores.Coverage95, scores.Rows)
	case chosen.Members > 0: // of a former version
		fmt.Fprintf(w, "out of fold\tRMSE %.6g\n", t.RMSE)
	default:
		fmt.Fprintf(w, "training\tRMSE %.6g of the rows trained on: errors of new ones are larger\n", t.RMSE)
	}
	if d.Target.Likelihood != "" {
		if d.output.Sets != nil {
			fmt.Fprintf(w, "sets\tof the classes, of any coverage\n")
		}
		return
	}
	noise := "the same everywhere"
	if d.output.LogNoise != nil {
		noise = "another for every row"
	}
	fmt.Fprintf(w, "noise\tdeviation %.6g, %s\n", *d.Noise, noise)
	intervals := "predictive"
	if d.output.Conformal > 0 {
		intervals += ", conformal"
	}
	fmt.Fprintf(w, "intervals\t%s\n", intervals)
}

// detail writes the machine's part.
func (d process) detail(w io.Writer) {
	if l := d.Limits; l != nil {
		fmt.Fprintf(w, "limits\tmean from %.6g to %.6g", l.Lo, l.Hi)
		if l.StdF > 0 {
			fmt.Fprintf(w, ", deviation of the function at most %.6g", l.StdF)
		}
		fmt.Fprintln(w)
	}
	fmt.Fprintf(w, "weights\t%d\n", d.Weights)
	for g, own := range d.Groups {
		name := "buttresses"
		if len(d.Groups) > 1 {
			name = fmt.Sprintf("group %d", g+1)
		}
		fmt.Fprintf(w, "%s\t%d orderings, 10^%.1f control points each\n", name, own.Orderings, own.Log10ControlPoints)
	}
	fmt.Fprintf(w, "options\t%s\n", printable.Line(string(d.Training.Options)))
	fmt.Fprint(w, "\ninput\tlowest\thighest\tbounds\torders\n")
	for i, in := range d.Inputs {
		fmt.Fprintf(w, "%s\t%.6g\t%.6g\t%s\t%s\n", printable.Name(in.Name), in.Lo, in.Hi, in.bounds(), orders(d.Groups, i))
	}
	fmt.Fprintln(w)
}

// bounds says where an input's bounds come from.
func (in input) bounds() string {
	switch {
	case in.Constant:
		return "constant"
	case in.Declared:
		return "declared"
	case in.Kind == table.Category && in.Pooled > 0:
		return fmt.Sprintf("%d levels, %d pooled", len(in.Levels), in.Pooled)
	case in.Kind == table.Category:
		return fmt.Sprintf("%d levels", len(in.Levels))
	}
	return "from data"
}

// orders are those of an input in all groups.
func orders(groups []group, input int) string {
	var all []string
	for _, own := range groups {
		all = append(all, fmt.Sprint(own.Orders[input]))
	}
	return strings.Join(all, ", ")
}
