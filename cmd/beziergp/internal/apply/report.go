package apply

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"strings"
	"text/tabwriter"

	"beziergp/cmd/beziergp/internal/gate"
	"beziergp/internal/printable"
)

// Report is how a model scores; programs rely on the names.
type Report struct {
	Scores []gate.Score // of all rows, their number first
	// PIT are the shares of rows in each tenth of the distributions predicted for them.
	PIT []float64 // nil of classes
	// Confusion are numbers of rows by class observed and class predicted, of these classes; nil
	// of numbers.
	Confusion [][]int
	Classes   []string
	// Clamped are numbers of rows by what of a prediction was held within its limits.
	Clamped Counts
	Outside []RowsOutside
	// TrainedOn are the rows that equal one that the model was trained on; nil where it
	// does not remember them.
	TrainedOn *int
	By        []Groups
}

// Groups are the scores of the rows by what a column holds.
type Groups struct {
	Column string
	Names  []string       // of groups
	Scores [][]gate.Score // [groups], the same names of all
}

// anyGroup is what the names of groups' scores have before them in a condition.
const anyGroup = "any."

// Judged returns all scores that a condition may be on: those of groups are called any.NAME.
func (r Report) Judged() []gate.Score {
	all := append([]gate.Score{}, r.Scores...)
	for _, s := range r.Outside {
		all = append(all, gate.Score{Name: s.Name, Value: float64(s.Rows)})
	}
	known := gate.Score{Name: "trained_on", Value: math.NaN(), Why: "the model does not remember its rows"}
	if r.TrainedOn != nil {
		known.Value, known.Why = float64(*r.TrainedOn), ""
	}
	all = append(all, known)
	for _, g := range r.By {
		for k, scores := range g.Scores {
			for _, s := range scores {
				s.Name, s.Of = anyGroup+s.Name, g.Column+" "+g.Names[k]
				all = append(all, s)
			}
		}
	}
	return all
}

// RowsOutside is how many rows lie outside the box for a reason; a row may have several.
type RowsOutside struct {
	Name string // of the reason, as the report has it
	Rows int
}

// Print writes the scores as aligned text, or as one line of JSON.
func (r Report) Print(w io.Writer, asJSON bool) error {
	if asJSON {
		return json.NewEncoder(w).Encode(r)
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, s := range r.Scores {
		fmt.Fprintf(t, "%s\t%s\n", s.Name, text(s))
	}
	if r.PIT != nil {
		fmt.Fprint(t, "pit\t")
		for _, share := range r.PIT {
			fmt.Fprintf(t, "%.3f ", share)
		}
		fmt.Fprintln(t)
	}
	for _, s := range r.Outside {
		fmt.Fprintf(t, "%s\t%d\n", s.Name, s.Rows)
	}
	if r.TrainedOn != nil {
		fmt.Fprintf(t, "trained_on\t%d\n", *r.TrainedOn)
	}
	if err := t.Flush(); err != nil {
		return err
	}
	if err := r.printConfusion(w); err != nil {
		return err
	}
	for _, g := range r.By {
		if err := g.print(w); err != nil {
			return err
		}
	}
	return nil
}

// mostPrinted bounds the classes whose confusion is printed as text.
const mostPrinted = 12

// printConfusion writes a line a class that was observed.
func (r Report) printConfusion(w io.Writer) error {
	if r.Confusion == nil || len(r.Classes) > mostPrinted {
		return nil
	}
	fmt.Fprintln(w)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprint(t, "observed")
	for _, name := range r.Classes {
		fmt.Fprint(t, "\tas ", printable.Name(name))
	}
	fmt.Fprintln(t)
	for k, name := range r.Classes {
		fmt.Fprint(t, printable.Name(name))
		for _, n := range r.Confusion[k] {
			fmt.Fprintf(t, "\t%d", n)
		}
		fmt.Fprintln(t)
	}
	return t.Flush()
}

// print writes a line a group.
func (g Groups) print(w io.Writer) error {
	fmt.Fprintln(w)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprint(t, printable.Name(g.Column))
	for _, s := range g.Scores[0] {
		fmt.Fprint(t, "\t", s.Name)
	}
	fmt.Fprintln(t)
	for k, name := range g.Names {
		fmt.Fprint(t, printable.Name(name))
		for _, s := range g.Scores[k] {
			fmt.Fprint(t, "\t", number(s.Value))
		}
		fmt.Fprintln(t)
	}
	return t.Flush()
}

// text is a score, or why there is none.
func text(s gate.Score) string {
	if s.Why == "" {
		return number(s.Value)
	}
	return number(s.Value) + "  " + s.Why
}

func number(v float64) string {
	switch {
	case math.IsNaN(v) || math.IsInf(v, 0):
		return "-"
	case v == math.Trunc(v) && math.Abs(v) < 1e15:
		return fmt.Sprintf("%.0f", v)
	}
	return fmt.Sprintf("%.6g", v)
}

// MarshalJSON writes an object with the scores in order, null for those that do not exist
// or that JSON has no word for, and why under "undefined".
func (r Report) MarshalJSON() ([]byte, error) {
	var o object
	undefined := map[string]string{}
	for _, s := range r.Scores {
		o.add(s.Name, finite(s.Value))
		if s.Why != "" {
			undefined[s.Name] = s.Why
		}
	}
	if len(undefined) > 0 {
		o.add("undefined", undefined)
	}
	if r.Classes == nil {
		o.add("pit", r.PIT)
	} else {
		o.add("classes", r.Classes)
		o.add("confusion", r.Confusion)
	}
	o.add("held", r.Clamped)
	for _, s := range r.Outside {
		o.add(s.Name, s.Rows)
	}
	o.add("trained_on", r.TrainedOn)
	var groups []*object
	for _, g := range r.By {
		for k, name := range g.Names {
			one := &object{}
			one.add("column", g.Column)
			one.add("group", name)
			for _, s := range g.Scores[k] {
				one.add(s.Name, finite(s.Value))
			}
			groups = append(groups, one)
		}
	}
	if r.By != nil {
		o.add("by", groups)
	}
	return o.MarshalJSON()
}

// finite returns v, or nil where JSON has no word for it.
func finite(v float64) *float64 {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return nil
	}
	return &v
}

// object is one of JSON whose members have an order.
type object struct {
	text bytes.Buffer
	err  error
}

func (o *object) add(key string, value any) {
	name, _ := json.Marshal(key)
	member, err := json.Marshal(value)
	if err != nil && o.err == nil {
		o.err = err
	}
	o.text.WriteString(strings.Repeat(",", min(1, o.text.Len())))
	o.text.Write(append(append(name, ':'), member...))
}

// MarshalJSON returns the object.
func (o *object) MarshalJSON() ([]byte, error) {
	return append(append([]byte{'{'}, o.text.Bytes()...), '}'), o.err
}
