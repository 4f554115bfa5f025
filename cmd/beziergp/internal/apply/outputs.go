package apply

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"strings"
	"text/tabwriter"

	"beziergp/cmd/beziergp/internal/gate"
	"beziergp/internal/printable"
)

// Outputs are how the models of several targets score.
type Outputs struct {
	Targets []string
	Reports []Report // of each
}

// unitFree are the scores that have no unit of a target, whose average over targets says
// something: but for NLPD's, of which differences alone do.
func unitFree(name string) bool {
	return name == "nlpd" || name == "r2" || strings.HasPrefix(name, "coverage")
}

// Average returns the averages over the targets of the scores that have no unit.
func (o Outputs) Average() (all []gate.Score) {
	for i, s := range o.Reports[0].Scores {
		if !unitFree(s.Name) {
			continue
		}
		own := gate.Score{Name: s.Name}
		for _, r := range o.Reports {
			own.Value += r.Scores[i].Value / float64(len(o.Reports))
			if own.Why == "" {
				own.Why = r.Scores[i].Why
			}
		}
		all = append(all, own)
	}
	return all
}

// Judged returns all scores that a condition may be on, of every target.
func (o Outputs) Judged() (all []gate.Score) {
	for k, r := range o.Reports {
		for _, s := range r.Judged() {
			s.Of = strings.TrimSuffix("target "+o.Targets[k]+", "+s.Of, ", ")
			all = append(all, s)
		}
	}
	return all
}

// printed are the scores that a line has.
func printed(name string) bool {
	return unitFree(name) || name == "n" || name == "rmse" || name == "mae" || name == "crps" || strings.HasPrefix(name, "pinball") // as asked for
}

// Print writes a line a target and one of the averages, or one line of JSON.
func (o Outputs) Print(w io.Writer, asJSON bool) error {
	if asJSON {
		return json.NewEncoder(w).Encode(o)
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprint(t, "output")
	for _, s := range o.Reports[0].Scores {
		if printed(s.Name) {
			fmt.Fprint(t, "\t", s.Name)
		}
	}
	fmt.Fprintln(t)
	for k, r := range o.Reports {
		o.line(t, o.Targets[k], r.Scores)
	}
	averages := append([]gate.Score{}, o.Reports[0].Scores...)
	for i := range averages {
		averages[i].Value = math.NaN()
		for _, s := range o.Average() {
			if s.Name == averages[i].Name {
				averages[i] = s
			}
		}
	}
	o.line(t, "average", averages)
	if err := t.Flush(); err != nil {
		return err
	}
	for _, s := range o.Reports[0].Outside {
		fmt.Fprintf(t, "%s\t%d\n", s.Name, s.Rows)
	}
	return t.Flush()
}

func (o Outputs) line(w io.Writer, name string, scores []gate.Score) {
	fmt.Fprint(w, printable.Name(name))
	for _, s := range scores {
		if printed(s.Name) {
			fmt.Fprint(w, "\t", number(s.Value))
		}
	}
	fmt.Fprintln(w)
}

// MarshalJSON writes an object with the scores of every target, and the averages.
func (o Outputs) MarshalJSON() ([]byte, error) {
	var all object
	var reports, averages object
	for k, r := range o.Reports {
		reports.add(o.Targets[k], r)
	}
	for _, s := range o.Average() {
		averages.add(s.Name, finite(s.Value))
	}
	all.add("outputs", &reports)
	all.add("average", &averages)
	return all.MarshalJSON()
}
