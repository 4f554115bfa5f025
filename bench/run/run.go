// Package run makes the fits of a suite, each by the commands that a user types, in
// processes of their own: peak memory is that of one fit, and a crash takes nothing
// else along.
package run

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"beziergp/bench/data"
	"beziergp/bench/harness"
	"beziergp/bench/record"
	"beziergp/bench/suite"
	"beziergp/internal/scratch"
)

// Runner makes fits.
type Runner struct {
	Program   harness.Program
	Machine   harness.Machine
	Places    data.Places
	Suite     string
	Seed      uint64
	Workers   int           // 0 for all processors
	TimeLimit time.Duration // of a fit and its scores; 0 for none
	Retry     bool          // make again what has failed
	Now       func() time.Time
	// Begin is called before a table is made ready, with split −1 and no method, and
	// before a fit; nil for nobody.
	Begin func(done, total int, f suite.Fit)
	// Done is called with the record of every fit that is made.
	Done func(record.Record) error
}

// Run makes the fits that former records do not hold.
func (r Runner) Run(ctx context.Context, fits []suite.Fit, former []record.Record) error {
	finished := map[record.Key]bool{}
	for _, f := range former {
		finished[f.Key()] = f.Error == "" || !r.Retry
	}
	tables := map[string]data.Table{}
	for i, f := range fits {
		made := r.record(f)
		if finished[made.Key()] {
			continue
		}
		if f.Refused != "" {
			made.Error = f.Refused
		} else {
			table, ok := tables[f.Set.Name]
			if !ok {
				r.begin(i, len(fits), suite.Fit{Set: f.Set, Split: -1})
				var err error
				if table, err = r.prepare(ctx, f.Set.Name); err != nil {
					return fmt.Errorf("%s: %w", f.Set.Name, err)
				}
				tables[f.Set.Name] = table
			}
			r.begin(i, len(fits), f)
			if err := r.fit(ctx, f, table, &made); err != nil {
				return err
			}
		}
		made.Time = r.Now().UTC().Truncate(time.Second)
		if err := r.Done(made); err != nil {
			return err
		}
	}
	return nil
}

// Recorded returns those of the fits that a record has scores of.
func (r Runner) Recorded(fits []suite.Fit, records []record.Record) []suite.Fit {
	last := record.ByKey(records)
	var recorded []suite.Fit
	for _, f := range fits {
		if known, ok := last[r.record(f).Key()]; ok && known.Error == "" {
			recorded = append(recorded, f)
		}
	}
	return recorded
}

func (r Runner) begin(done, total int, f suite.Fit) {
	if r.Begin != nil {
		r.Begin(done, total, f)
	}
}

// record returns what is known of a fit before it is made.
func (r Runner) record(f suite.Fit) record.Record {
	return record.Record{
		Suite: r.Suite, Set: f.Set.Name, Split: f.Split, Method: f.Method.Name, Options: f.Options, Seed: r.Seed,
		Version: r.Machine.Version, Processor: r.Machine.Processor, Workers: r.Machine.Workers,
	}
}

// prepare has a table made ready by a process of its own: on Linux, a process's peak
// memory is never below that of the program that started it, which must stay small.
func (r Runner) prepare(ctx context.Context, set string) (t data.Table, err error) {
	out, err := r.Program.Call(ctx, "bench", "prepare", r.Suite, "--sets", set, "--data", r.Places.Data, "--work", r.Places.Work)
	if err == nil {
		err = json.Unmarshal(out.Stdout, &t)
	}
	return t, err
}

// fit fills in what came of a fit. What the fit itself is to blame for becomes the
// record's error.
func (r Runner) fit(ctx context.Context, f suite.Fit, t data.Table, made *record.Record) error {
	folder, err := scratch.Create()
	if err != nil {
		return err
	}
	defer folder.Remove()
	dir := folder.Path
	if t.Floor > 0 {
		made.Floor = &t.Floor
	}
	limited := ctx
	if r.TimeLimit > 0 {
		var stop context.CancelFunc
		limited, stop = context.WithTimeoutCause(ctx, r.TimeLimit, harness.ErrSlow)
		defer stop()
	}
	r.Program.Dir = dir
	err = r.measure(limited, f, t, filepath.Join(dir, "model.bgp"), made)
	var failed *harness.Failure
	switch {
	case errors.Is(err, harness.ErrSlow):
		made.Error = fmt.Sprintf("slower than the time limit of %v", r.TimeLimit)
	case errors.As(err, &failed):
		// A name that is another in every run says nothing to who reads the record.
		made.Error = strings.ReplaceAll(failed.Message, dir+string(filepath.Separator), "")
	default:
		return err
	}
	return nil
}

// measure learns a model and scores it.
func (r Runner) measure(ctx context.Context, f suite.Fit, t data.Table, model string, made *record.Record) error {
	mask := fmt.Sprintf("%s:split%d", t.Mask, f.Split)
	var workers []string
	if r.Workers > 0 {
		workers = []string{"--workers", fmt.Sprint(r.Workers)}
	}
	fit := append([]string{"fit", t.Path, "--target", t.Target, "--test-mask", mask, "--out", model, "--seed", fmt.Sprint(r.Seed)}, f.Options...)
	learned, err := r.Program.Call(ctx, append(fit, workers...)...)
	made.FitSeconds, made.PeakMemory, made.CPUSeconds, made.Beside = learned.Seconds, learned.Peak, learned.CPU, learned.Beside
	if err != nil {
		return err
	}
	summary := learned.Event("summary")
	rows, _ := summary["rows"].(float64)
	inputs, _ := summary["inputs"].(float64)
	made.Rows, made.Inputs = int(rows), int(inputs)

	eval := append([]string{"eval", model, t.Path, "--test-mask", mask, "--json"}, workers...)
	scores, seconds, err := r.score(ctx, eval)
	made.PredictSeconds = seconds
	if err != nil {
		return err
	}
	made.TestRows, made.RMSE, made.NLPD = scores.N, scores.RMSE, scores.NLPD
	made.CRPS, made.Coverage95 = scores.CRPS, scores.Coverage95
	made.LogLoss, made.Deviance, made.Accuracy, made.ECE = scores.LogLoss, scores.Deviance, scores.Accuracy, scores.ECE
	if f.Method.Conformal {
		if scores, _, err = r.score(ctx, append(eval, "--interval", "conformal")); err != nil {
			return err
		}
		made.Conformal95 = scores.Coverage95
	}
	return nil
}

// scores are what eval prints.
type scores struct {
	N                            int
	RMSE, NLPD, CRPS, Coverage95 *float64
	LogLoss                      *float64 `json:"log_loss"`
	Deviance, Accuracy, ECE      *float64
}

// score runs eval.
func (r Runner) score(ctx context.Context, args []string) (s scores, seconds float64, err error) {
	out, err := r.Program.Call(ctx, args...)
	if err != nil {
		return s, out.Seconds, err
	}
	if err := json.Unmarshal(out.Stdout, &s); err != nil {
		return s, out.Seconds, fmt.Errorf("beziergp eval --json: %w", err)
	}
	return s, out.Seconds, nil
}
