package drift

import (
	"math"

	"beziergp/cmd/beziergp/internal/gate"
	"beziergp/monitor"
)

// names are those of the scores that conditions may be on.
var names = []string{"psi", "ks", "missing", "new_levels", "beyond", "moved", "outside", "psi_target", "psi_predicted", "psi_error",
	"rmse", "rmse_ratio", "nlpd", "coverage95", "pit"}

// gates returns the scores. Of a column whose shift may be chance, index and distance are
// none to judge: where all are, they are 0.
func (d *drift) gates() []gate.Score {
	all := []gate.Score{
		{Name: "psi"}, {Name: "ks"}, // of no input
		{Name: "moved", Value: float64(d.Moved)},
		{Name: "outside", Value: float64(d.Report.Outside) / float64(d.Rows)},
	}
	add := func(name, of string, value float64) {
		all = append(all, gate.Score{Name: name, Of: of, Value: value})
	}
	for _, s := range d.Inputs {
		add("missing", s.Name, math.Abs(s.Missing-s.MissingTrained))
		add("new_levels", s.Name, s.NewLevels)
		add("beyond", s.Name, s.Beyond)
		if s.P < monitor.Level && s.Verdict != monitor.GoesOn {
			add("psi", s.Name, s.PSI)
			if s.KS != nil {
				add("ks", s.Name, *s.KS)
			}
		}
	}
	for _, own := range []struct {
		name  string
		shift *monitor.Shift
		why   string
	}{
		{"psi_target", d.Target, "the target is not known"},
		{"psi_predicted", d.Predicted, "the model has no predictions out of fold"},
		{"psi_error", d.Errors, "the target is not known, or the model has no errors out of fold"},
	} {
		switch {
		case own.shift == nil:
			all = append(all, gate.Score{Name: own.name, Value: math.NaN(), Why: own.why})
		case own.shift.P < monitor.Level:
			add(own.name, "", own.shift.PSI)
		default:
			add(own.name, "", 0)
		}
	}
	return append(all, d.scored()...)
}

// scored returns the scores of rows whose target is known.
func (d *drift) scored() (all []gate.Score) {
	add := func(name string, value *float64, why string) {
		s := gate.Score{Name: name, Value: math.NaN(), Why: why}
		if value != nil {
			s.Value, s.Why = *value, ""
		}
		all = append(all, s)
	}
	s := d.Scores
	if s == nil {
		s = &monitor.Scores{}
	}
	why := d.unscored()
	if d.Scores != nil {
		why = "it is no finite number"
	}
	add("rmse", s.RMSE.Value, why)
	add("nlpd", s.NLPD.Value, why)
	add("coverage95", s.Coverage95.Value, why)
	var ratio, pit *float64
	if d.Scores != nil {
		pit = &s.PIT.KS
	}
	if s.RMSE.Value != nil && s.RMSE.OutOfFold != nil {
		r := *s.RMSE.Value / *s.RMSE.OutOfFold
		ratio = &r
	}
	add("pit", pit, why)
	if d.Scores != nil {
		why = "the model has no errors out of fold"
	}
	add("rmse_ratio", ratio, why)
	return all
}
