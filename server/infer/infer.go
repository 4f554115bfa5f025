package infer

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"beziergp/internal/printable"
	"beziergp/model"
	"beziergp/server/engine"
	"beziergp/server/oip"
)

// usual are the outputs of a request that names none, of a target of numbers, and ofClasses of
// a target of classes.
var (
	usual     = []string{"mean", "std", "lower", "upper", "in_box"}
	ofClasses = []string{"class", "probabilities", "in_box"}
)

// Infer answers a request.
func (s *Service) Infer(ctx context.Context, name, version string, r *oip.InferRequest) (*oip.InferResponse, error) {
	m, err := s.Repository.Model(name, version)
	if err != nil {
		return nil, err
	}
	own, err := settings(r.Parameters)
	if err != nil {
		return nil, err
	}
	a, err := s.Ask(m, own, r.Outputs)
	if err != nil {
		return nil, err
	}
	columns, err := s.Rows(m, r.Inputs)
	if err != nil {
		return nil, err
	}
	answer, err := s.Predict(ctx, m, columns, a)
	if err != nil {
		return nil, err
	}
	out := &oip.InferResponse{Model: m.Name, Version: m.Version, ID: r.ID}
	for _, name := range a.wanted {
		if name != "attributions" && name != "base" {
			out.Outputs = append(out.Outputs, a.tensor(name, answer))
		}
	}
	if a.Explain {
		e, err := s.Explain(ctx, m, columns, a)
		if err != nil {
			return nil, err
		}
		out.Outputs = append(out.Outputs, e.tensors(a.wanted, len(columns[0]))...)
	}
	return out, nil
}

// usual returns the names of what parameters alone ask for, in order.
func (a *Ask) usual() []string {
	all := slices.Clone(usual)
	switch {
	case a.Sets && a.classes != nil:
		all = []string{"class", "probabilities", "set", "in_box"}
	case a.classes != nil:
		all = slices.Clone(ofClasses)
	case a.Predict.Point == model.MedianPoint:
		all[0] = "median"
	}
	for _, q := range a.Quantiles {
		all = append(all, quantileName(q))
	}
	for _, n := range a.Counts {
		all = append(all, countName(n))
	}
	if a.Explain {
		all = append(all, "attributions", "base")
	}
	return all
}

// name takes the outputs that a request names, none for the usual ones. A quantile, a count's
// probability, sets, std_f and attributions are asked for by their names, too.
func (a *Ask) name(named []oip.RequestedOutput) error {
	all := a.usual()
	if len(named) == 0 {
		a.wanted = all
		return nil
	}
	for _, out := range named {
		q, isQuantile := quantileOf(out.Name)
		n, isCount := countOf(out.Name)
		switch {
		case slices.Contains(a.wanted, out.Name):
			return oip.Errorf(oip.Invalid, "output %s stands twice", printable.Quoted(out.Name))
		case slices.Contains(all, out.Name), out.Name == "std_f" && a.oneFunction():
		case a.oneFunction() && (out.Name == "attributions" || out.Name == "base"):
			a.Explain = true
		case a.classes != nil && out.Name == "set":
			a.Sets = true
		case isQuantile && a.classes == nil && len(a.Quantiles) < mostQuantiles:
			a.Quantiles = append(a.Quantiles, q)
		case isCount && a.counts && len(a.Counts) < mostQuantiles:
			a.Counts = append(a.Counts, n)
		default:
			return unknownName("output", out.Name, a.further(all))
		}
		if err := a.sent(out); err != nil {
			return err
		}
		a.wanted = append(a.wanted, out.Name)
	}
	return nil
}

// sent checks the parameters of an output that a request names: how it is sent.
func (a *Ask) sent(out oip.RequestedOutput) error {
	for _, name := range out.Parameters.Names() {
		problem, v := "", out.Parameters[name]
		switch {
		case name == "binary_data":
			if _, ok := v.(bool); !ok {
				problem = "binary_data is " + shown(v) + ", neither true nor false"
			}
		case name == "content_type":
			if err := contentType(v); err != nil {
				problem = err.Error()
			}
		case name == "classification" && v == int64(0):
		case name == "classification" && a.classes != nil:
			problem = "classification is not supported; ask for class and probabilities"
		case name == "classification":
			problem = "there are no classes"
		case strings.HasPrefix(name, "shared_memory"):
			problem = "shared memory is not supported"
		default:
			problem = "parameter " + printable.Quoted(name) + " is unknown; there are binary_data and content_type"
		}
		if problem != "" {
			return oip.Errorf(oip.Invalid, "output %s: %s", printable.Quoted(out.Name), problem)
		}
	}
	return nil
}

// oneFunction tells whether the target has one function, and so a deviation of it.
func (a *Ask) oneFunction() bool { return len(a.classes) <= 2 }

// further returns the outputs that a request may name, given the usual ones.
func (a *Ask) further(all []string) []string {
	if a.oneFunction() {
		all = append(all, "std_f")
	}
	switch {
	case a.classes == nil:
		all = append(all, "q0.5")
	case !a.Sets:
		all = append(all, "set")
	}
	if a.counts && len(a.Counts) == 0 {
		all = append(all, "p0")
	}
	return all
}

// quantileName is the name of a quantile's column, as predict has it.
func quantileName(q float64) string { return "q" + strconv.FormatFloat(q, 'g', -1, 64) }

func quantileOf(name string) (float64, bool) {
	text, ok := strings.CutPrefix(name, "q")
	q, err := strconv.ParseFloat(text, 64)
	return q, ok && err == nil && q > 0 && q < 1 && quantileName(q) == name
}

// countName is the name of the column of a number's probability, as predict has it.
func countName(n int) string { return "p" + strconv.Itoa(n) }

func countOf(name string) (int, bool) {
	text, ok := strings.CutPrefix(name, "p")
	n, err := strconv.Atoi(text)
	return n, ok && err == nil && n >= 0 && n <= 1<<53 && countName(n) == name
}

// tensor returns an output by its name.
func (a *Ask) tensor(name string, p *engine.Answer) oip.Tensor {
	t := oip.Tensor{Name: name, Datatype: oip.FP64, Shape: []int64{int64(len(p.Mean))}}
	switch name {
	case "class":
		t.Datatype = oip.Bytes
		t.Texts, t.Missing = a.likeliest(p)
	case "probabilities":
		t.Shape = append(t.Shape, int64(len(a.classes)))
		t.Floats, t.Parameters = p.Classes, oip.Parameters{classesParameter: a.classes}
	case "set":
		t.Shape = append(t.Shape, int64(len(a.classes)))
		t.Datatype, t.Truths, t.Parameters = oip.Bool, a.sets(p), oip.Parameters{classesParameter: a.classes}
	case "mean":
		t.Floats = p.Mean
	case "median":
		t.Floats = p.Point
	case "std":
		t.Floats = p.Std
	case "std_f":
		t.Floats = p.StdF
	case "lower":
		t.Floats = p.Lower
	case "upper":
		t.Floats = p.Upper
	case "in_box":
		t.Datatype, t.Truths = oip.Bool, p.InBox
	default:
		if n, isCount := countOf(name); isCount {
			t.Floats = p.Counts[slices.Index(a.Counts, n)]
			break
		}
		q, _ := quantileOf(name)
		t.Floats = p.Quantiles[slices.Index(a.Quantiles, q)]
	}
	return t
}

// Column is a column of predictions, as predict names and writes them.
type Column struct {
	Name    string
	Numbers []float64
	Truths  []bool   // in the place of numbers
	Texts   []string // in the place of numbers; empty for a missing one
}

// Table returns the columns of predictions, those of predict.
func (a *Ask) Table(p *engine.Answer) []Column {
	var all []Column
	for _, name := range a.wanted {
		if name == "attributions" || name == "base" {
			continue
		}
		if name == "probabilities" {
			all = append(all, a.probabilities(p)...)
			continue
		}
		t := a.tensor(name, p)
		if name == "set" {
			t.Truths, t.Texts = nil, a.joined(t.Truths)
		}
		if a.Level != 0 && (name == "lower" || name == "upper" || name == "set") {
			name += percent(a.Level)
		}
		all = append(all, Column{name, t.Floats, t.Truths, t.Texts})
	}
	return all
}

// percent is a level in percent, as names of columns have it.
func percent(level float64) string { return strconv.FormatFloat(100*level, 'g', 12, 64) }
