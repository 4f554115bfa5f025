// Package record is what a benchmark remembers of a fit, and the file that keeps it:
// one line of JSON a fit, which programs in other languages write too.
package record

import (
	"slices"
	"strings"
	"time"
)

// Record is one finished fit and its scores on the test rows, in the units of the
// target. Scores are nil where there is none.
type Record struct {
	Suite   string   `json:"suite"`
	Set     string   `json:"set"`
	Split   int      `json:"split"`
	Method  string   `json:"method"`
	Options []string `json:"options"` // whatever else decides on the outcome, as flags
	Seed    uint64   `json:"seed"`

	Rows     int `json:"rows"` // trained on
	TestRows int `json:"test_rows"`
	Inputs   int `json:"inputs"`

	RMSE       *float64 `json:"rmse"`
	NLPD       *float64 `json:"nlpd"` // minus the mean log-likelihood of a test row
	CRPS       *float64 `json:"crps"`
	Coverage95 *float64 `json:"coverage95"`
	// LogLoss, Accuracy and ECE, the expected calibration error, are of targets that are classes,
	// Deviance of counts and amounts: the mean of a row.
	LogLoss  *float64 `json:"log_loss,omitempty"`
	Deviance *float64 `json:"deviance,omitempty"`
	Accuracy *float64 `json:"accuracy,omitempty"`
	ECE      *float64 `json:"ece,omitempty"`
	// Conformal95 is the coverage of conformal intervals, of methods that have them.
	Conformal95 *float64 `json:"conformal95,omitempty"`
	// Floor is the best RMSE that there can be, where a generated table makes it known.
	Floor *float64 `json:"floor,omitempty"`

	FitSeconds     float64 `json:"fit_seconds"`
	PredictSeconds float64 `json:"predict_seconds"`
	PeakMemory     int64   `json:"peak_memory,omitempty"` // of the fit, in bytes; 0 is unknown
	CPUSeconds     float64 `json:"cpu_seconds,omitempty"` // of the fit's process, user and system; 0 is unknown
	// Beside is how many processors other programs kept busy during the fit, in the
	// mean; nil where that was not measured.
	Beside *float64 `json:"beside,omitempty"`

	// Curve is the RMSE of test rows as training goes on: seconds without those of looking, and RMSE.
	// Few methods have one.
	Curve [][2]float64 `json:"curve,omitempty"`

	Version   string    `json:"version"`
	Processor string    `json:"processor"`
	Workers   int       `json:"workers"`
	Time      time.Time `json:"time"`
	// Error says why there are no scores; empty where there are.
	Error string `json:"error,omitempty"`
}

// Key tells fits apart. Of records with one key the last counts.
type Key struct {
	Suite, Set string
	Split      int
	Method     string
	Options    string // joined; the zero byte is in no flag
	Seed       uint64
}

// Key returns that of the record.
func (r Record) Key() Key {
	return Key{r.Suite, r.Set, r.Split, r.Method, strings.Join(r.Options, "\x00"), r.Seed}
}

// ByKey returns the record that counts of each fit.
func ByKey(records []Record) map[Key]Record {
	last := map[Key]Record{}
	for _, r := range records {
		last[r.Key()] = r
	}
	return last
}

// quietest is how many processors others may keep busy beside a fit whose time counts.
const quietest = 0.1

// Quiet tells whether the machine had nothing else to do during the fit. A record that
// does not tell is taken to be of a quiet machine: who makes it sees to that.
func (r Record) Quiet() bool { return r.Beside == nil || *r.Beside <= quietest }

// Option returns the value of a flag among the options, or "" where it is not.
func (r Record) Option(flag string) string {
	at := slices.Index(r.Options, flag)
	if at < 0 || at+1 == len(r.Options) {
		return ""
	}
	return r.Options[at+1]
}
