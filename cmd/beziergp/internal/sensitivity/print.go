package sensitivity

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"text/tabwriter"

	"beziergp/analysis"
	"beziergp/cmd/beziergp/internal/laws"
	"beziergp/internal/printable"
	"beziergp/table/exact"
)

// found is what the verb has found.
type found struct {
	*analysis.Sobol
	a     laws.Distributed
	scale string
	// meanError and firstErrors are standard errors of what is an estimate; nil of closed forms.
	meanError   *float64
	firstErrors []float64
}

func (f *found) name(i int) string { return f.a.Inputs()[i].Name }

// ranked returns the inputs, that of the largest total first.
func (f *found) ranked() []int {
	order := make([]int, len(f.First))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(f.Total[j].Value, f.Total[i].Value) })
	return order
}

// print writes the indices, and so many interactions.
func (f *found) print(w io.Writer, top int) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	mean := fmt.Sprintf("mean %.5g", f.Mean)
	if f.meanError != nil {
		mean = fmt.Sprintf("estimated mean %.5g ± %.2g", f.Mean, *f.meanError)
	}
	fmt.Fprintf(t, "%s: %s, variance %.5g ± %.2g, deviation %.4g\n\n", printable.Line(f.scale), mean, f.Variance.Value, f.Variance.Error, math.Sqrt(f.Variance.Value))
	fmt.Fprintln(t, "input\tfirst\ttotal")
	var sum float64
	for _, i := range f.ranked() {
		first := fmt.Sprintf("%.4f", f.First[i])
		if f.firstErrors != nil {
			first += fmt.Sprintf(" ± %.2g", f.firstErrors[i])
		}
		fmt.Fprintf(t, "%s\t%s\t%.4f ± %.2g\n", printable.Name(f.name(i)), first, f.Total[i].Value, f.Total[i].Error)
		sum += f.First[i]
	}
	fmt.Fprintf(t, "all alone\t%.4f\n", sum)
	if f.Pairs != nil {
		fmt.Fprint(t, "\ninteraction\tsecond\n")
	}
	var second float64
	for k, p := range f.Pairs {
		if k < top {
			fmt.Fprintf(t, "%s × %s\t%.4f\n", printable.Name(f.name(p.I)), printable.Name(f.name(p.J)), p.Index)
		}
		second += p.Index
	}
	if f.Pairs != nil {
		fmt.Fprintf(t, "all pairs\t%.4f\n", second)
	}
	if f.Groups != nil {
		fmt.Fprint(t, "\ngroup\tclosed\ttotal\n")
	}
	for _, g := range f.Groups {
		fmt.Fprintf(t, "%s\t%.4f ± %.2g\t%.4f ± %.2g\n", printable.Line(strings.Join(f.names(g.Inputs), ", ")), g.Closed.Value, g.Closed.Error, g.Total.Value, g.Total.Error)
	}
	return t.Flush()
}

func (f *found) names(inputs []int) (names []string) {
	for _, i := range inputs {
		names = append(names, f.name(i))
	}
	return names
}

// columns returns the indices as a table: inputs, the largest total first, and then pairs.
func (f *found) columns() ([]string, []*exact.Column) {
	first, second := exact.Texts(nil), exact.Texts(nil)
	names := []string{"first", "second", "total", "total_error"}
	if f.firstErrors != nil {
		names = append(names, "first_error")
	}
	numbers := make([]*exact.Column, len(names))
	for k := range numbers {
		numbers[k] = exact.Numbers(nil)
	}
	add := func(values ...float64) {
		for k, v := range values {
			numbers[k].AddNumber(v)
		}
	}
	nan := math.NaN()
	for _, i := range f.ranked() {
		first.AddText(f.name(i), false)
		second.AddText("", true)
		values := []float64{f.First[i], nan, f.Total[i].Value, f.Total[i].Error}
		if f.firstErrors != nil {
			values = append(values, f.firstErrors[i])
		}
		add(values...)
	}
	for _, p := range f.Pairs {
		first.AddText(f.name(p.I), false)
		second.AddText(f.name(p.J), false)
		add(nan, p.Index, nan, nan)
	}
	return append([]string{"input", "input2"}, names...), append([]*exact.Column{first, second}, numbers...)
}

// report is what --json prints; programs rely on the names.
type report struct {
	Scale string  `json:"scale"`
	Mean  float64 `json:"mean"`
	// MeanError, and FirstError of an index, are standard errors of estimates; nil of closed forms.
	MeanError *float64          `json:"mean_error,omitempty"`
	Variance  float64           `json:"variance"`
	Error     float64           `json:"variance_error"`
	Samples   int               `json:"samples"`
	Laws      map[string]string `json:"laws"`
	Inputs    []index           `json:"inputs"`
	Pairs     []pair            `json:"pairs"`
	Groups    []group           `json:"groups"`
}

type index struct {
	Name       string   `json:"name"`
	First      float64  `json:"first"`
	FirstError *float64 `json:"first_error,omitempty"`
	Total      float64  `json:"total"`
	Error      float64  `json:"total_error"`
}

type pair struct {
	Inputs []string `json:"inputs"`
	Second float64  `json:"second"`
}

type group struct {
	Inputs      []string `json:"inputs"`
	Closed      float64  `json:"closed"`
	ClosedError float64  `json:"closed_error"`
	Total       float64  `json:"total"`
	TotalError  float64  `json:"total_error"`
}

func (f *found) report() report {
	r := report{Scale: f.scale, Mean: f.Mean, MeanError: f.meanError, Variance: f.Variance.Value, Error: f.Variance.Error, Samples: f.Samples, Laws: map[string]string{}, Pairs: []pair{}, Groups: []group{}}
	for i := range f.First {
		r.Laws[f.name(i)] = f.a.Law(i).String()
	}
	for _, i := range f.ranked() {
		own := index{Name: f.name(i), First: f.First[i], Total: f.Total[i].Value, Error: f.Total[i].Error}
		if f.firstErrors != nil {
			own.FirstError = &f.firstErrors[i]
		}
		r.Inputs = append(r.Inputs, own)
	}
	for _, p := range f.Pairs {
		r.Pairs = append(r.Pairs, pair{[]string{f.name(p.I), f.name(p.J)}, p.Index})
	}
	for _, g := range f.Groups {
		r.Groups = append(r.Groups, group{f.names(g.Inputs), g.Closed.Value, g.Closed.Error, g.Total.Value, g.Total.Error})
	}
	return r
}
