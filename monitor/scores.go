package monitor

import (
	"math"

	"beziergp/dataset/profile"
	"beziergp/metric/shift"
)

// Scores are those of the rows whose target is known, beside those of the training rows out
// of fold.
type Scores struct {
	N          int   `json:"n"`
	RMSE       Score `json:"rmse"`       // in the target's units
	NLPD       Score `json:"nlpd"`       // in nats
	Coverage95 Score `json:"coverage95"` // share of the targets in their 95 % intervals
	PIT        PIT   `json:"pit"`
	// Calibration says whether distributions are as wide as they should be, and Errors how
	// large errors are beside those out of fold: empty where these are not known.
	Calibration Calibration `json:"calibration"`
	Errors      Errors      `json:"errors,omitempty"`
}

// Score is a score with its standard error, and the same of the training rows out of fold.
// Nil is what is not known, or no number.
type Score struct {
	Value          *float64 `json:"value"`
	Error          *float64 `json:"error"`
	OutOfFold      *float64 `json:"out_of_fold"`
	OutOfFoldError *float64 `json:"out_of_fold_error"`
}

// PIT are the probability integral transforms F(y), which are uniform where predictions are
// calibrated.
type PIT struct {
	Shares [profile.PITBins]float64 `json:"shares"` // in each twentieth of [0, 1]
	// KS is the distance from the uniform distribution at the edges of these, and P the
	// probability of as much by chance ([shift.Uniform]).
	KS float64 `json:"ks"`
	P  float64 `json:"p"`
}

// Calibration says in a word how wide predicted distributions are.
type Calibration string

// The words. Intervals are too narrow or too wide where the coverage is off 0.95 by more than
// [OffCoverage] and by more than two standard errors. Else distributions are off where their
// transforms are farther than [OffPIT] from uniform, with a probability below [Level].
const (
	Holds     Calibration = "holds"
	TooNarrow Calibration = "too narrow"
	TooWide   Calibration = "too wide"
	Off       Calibration = "off"
)

// Errors says in a word how large errors are.
type Errors string

// The words. Errors are larger or smaller where the RMSE differs from that out of fold by
// more than a tenth and the mean squares by more than two standard errors.
const (
	Larger  Errors = "larger"
	AsLarge Errors = "as large"
	Smaller Errors = "smaller"
)

const (
	level       = 0.95
	OffCoverage = 0.02
	OffPIT      = 0.05
	offRMSE     = 1.1
	certain     = 2 // standard errors
)

// scoresOf returns the scores of rows beside those out of fold. An interval of whole outcomes, classes or counts, holds more than
// its level, for its ends do as well: it is never too wide, and the probability integral transforms tell whether the law is.
func scoresOf(was, now *profile.Scores, whole bool) *Scores {
	s := &Scores{N: now.Scored()}
	s.RMSE = beside(now, was, (*profile.Scores).RMSE)
	s.NLPD = beside(now, was, func(s *profile.Scores) (float64, float64) { return s.Surprise.Mean, s.Surprise.Error() })
	s.Coverage95 = beside(now, was, (*profile.Scores).Coverage)
	for b, n := range now.PIT {
		s.PIT.Shares[b] = float64(n) / float64(s.N)
	}
	s.PIT.KS, s.PIT.P = shift.Uniform(now.PIT[:])
	share, deviation := now.Coverage()
	// Where all targets lie inside, the deviation is that of the coverage promised.
	deviation = max(deviation, math.Sqrt(level*(1-level)/float64(s.N)))
	switch off := share - level; {
	case math.Abs(off) > OffCoverage && off < -certain*deviation:
		s.Calibration = TooNarrow
	case !whole && math.Abs(off) > OffCoverage && off > certain*deviation:
		s.Calibration = TooWide
	case s.PIT.KS > OffPIT && s.PIT.P < Level:
		s.Calibration = Off
	default:
		s.Calibration = Holds
	}
	if was != nil {
		s.Errors = errorsOf(&was.Squared, &now.Squared)
	}
	return s
}

func errorsOf(was, now *profile.Moments) Errors {
	ratio, difference := math.Sqrt(now.Mean/was.Mean), now.Mean-was.Mean
	deviation := math.Hypot(was.Error(), now.Error())
	switch {
	case ratio > offRMSE && difference > certain*deviation:
		return Larger
	case ratio < 1/offRMSE && difference < -certain*deviation:
		return Smaller
	}
	return AsLarge
}

func beside(now, was *profile.Scores, of func(*profile.Scores) (float64, float64)) Score {
	var s Score
	v, e := of(now)
	s.Value, s.Error = number(v), number(e)
	if was != nil {
		v, e = of(was)
		s.OutOfFold, s.OutOfFoldError = number(v), number(e)
	}
	return s
}

// number returns v, or nil where JSON has no word for it.
func number(v float64) *float64 {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return nil
	}
	return &v
}
