package apply

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"text/tabwriter"
)

// Report is how a model scores; programs rely on the names.
type Report struct {
	N          int      `json:"n"`
	RMSE       *float64 `json:"rmse"`
	NLPD       *float64 `json:"nlpd"`
	CRPS       *float64 `json:"crps"`
	Coverage95 *float64 `json:"coverage95"`
	// PIT are the shares of rows in each tenth of the distributions predicted for them.
	PIT []float64 `json:"pit"`
	// Clamped are numbers of rows by what of a prediction was held within its limits.
	Clamped Counts `json:"held"`
	// Rows outside the box, by reason: a row may have several.
	OutsideBox int `json:"outside_box"`
	NewLevel   int `json:"new_level"`
	NewMissing int `json:"new_missing"`
	// TrainedOn are the rows that equal one that the model was trained on; nil where it
	// does not remember them.
	TrainedOn *int `json:"trained_on"`
}

// number returns v, or nil where JSON has no word for it.
func number(v float64) *float64 {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return nil
	}
	return &v
}

// Print writes the scores as aligned text, or as one line of JSON.
func (r Report) Print(w io.Writer, asJSON bool) error {
	if asJSON {
		return json.NewEncoder(w).Encode(r)
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintf(t, "n\t%d\n", r.N)
	for _, score := range []struct {
		name  string
		value *float64
	}{{"rmse", r.RMSE}, {"nlpd", r.NLPD}, {"crps", r.CRPS}, {"coverage95", r.Coverage95}} {
		text := "-"
		if score.value != nil {
			text = fmt.Sprintf("%.6g", *score.value)
		}
		fmt.Fprintf(t, "%s\t%s\n", score.name, text)
	}
	if r.PIT != nil {
		fmt.Fprint(t, "pit\t")
		for _, share := range r.PIT {
			fmt.Fprintf(t, "%.3f ", share)
		}
		fmt.Fprintln(t)
	}
	fmt.Fprintf(t, "outside_box\t%d\nnew_level\t%d\nnew_missing\t%d\n", r.OutsideBox, r.NewLevel, r.NewMissing)
	if r.TrainedOn != nil {
		fmt.Fprintf(t, "trained_on\t%d\n", *r.TrainedOn)
	}
	return t.Flush()
}
