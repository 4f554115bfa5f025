package integrate

import (
	"fmt"
	"io"
	"text/tabwriter"

	"beziergp/analysis"
	"beziergp/cmd/beziergp/internal/laws"
	"beziergp/internal/printable"
)

// report is what the verb prints; programs rely on the names.
type report struct {
	Scale string  `json:"scale"`
	Mean  float64 `json:"mean"`
	*deviation
	*sampled
	LowerBound bool              `json:"lower_bound,omitempty"` // std is one
	Total      bool              `json:"total,omitempty"`
	Rows       int               `json:"rows,omitempty"`
	Minus      int               `json:"rows_minus,omitempty"`
	StdError   float64           `json:"std_error,omitempty"`
	Pairs      int               `json:"pairs,omitempty"`
	Laws       map[string]string `json:"laws,omitempty"`
}

// deviation is that of the average by the process; nil of another method.
type deviation struct {
	Std   float64 `json:"std"`
	Lower float64 `json:"lower"`
	Upper float64 `json:"upper"`
}

// sampled is of an average that is an estimate; nil of others.
type sampled struct {
	MeanError float64 `json:"mean_error"`
	Samples   int     `json:"samples"`
}

func (r *report) set(n analysis.Number) {
	r.Mean, r.deviation = n.Mean, &deviation{n.Std, n.Mean - 1.96*n.Std, n.Mean + 1.96*n.Std}
}

// under tells of the laws.
func (r *report) under(d laws.Distributed) {
	r.Laws = map[string]string{}
	for i, in := range d.Inputs() {
		r.Laws[in.Name] = d.Law(i).String()
	}
}

func (r *report) print(w io.Writer) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	what, over := "mean", "all inputs"
	if r.Total {
		what = "total"
	}
	switch {
	case r.Minus > 0:
		over = fmt.Sprintf("%d rows, less that over %d rows", r.Rows, r.Minus)
	case r.Rows > 0:
		over = fmt.Sprintf("%d rows", r.Rows)
	}
	if r.sampled != nil {
		over += ", estimated"
	}
	fmt.Fprintf(t, "%s of %s over %s\n\n%s\t%.6g", what, printable.Line(r.Scale), over, what, r.Mean)
	if r.sampled != nil {
		fmt.Fprintf(t, " ± %.2g, the error of sampling by %d points", r.MeanError, r.Samples)
	}
	fmt.Fprintln(t)
	if r.deviation == nil {
		return t.Flush()
	}
	fmt.Fprintf(t, "std\t%.3g", r.Std)
	if r.StdError > 0 {
		fmt.Fprintf(t, " ± %.1g, from %d pairs of rows", r.StdError, r.Pairs)
	}
	fmt.Fprintf(t, "\nlower\t%.6g\nupper\t%.6g\n", r.Lower, r.Upper)
	return t.Flush()
}
