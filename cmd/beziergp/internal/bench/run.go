package bench

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"time"

	"beziergp/bench/data"
	"beziergp/bench/harness"
	"beziergp/bench/record"
	"beziergp/bench/run"
	"beziergp/bench/suite"
	"beziergp/cmd/beziergp/internal/console"
	"beziergp/cmd/beziergp/internal/exit"
	"beziergp/cmd/beziergp/internal/streams"
	"beziergp/internal/printable"
)

// run makes the fits of a suite that are not recorded, and renders, or those that are again, and compares.
func (o *Options) run(ctx context.Context, s streams.Streams, one suite.Suite) error {
	places := data.Places{Data: o.Data, Work: o.work()}
	fits, err := o.plan(s, one, places)
	if err != nil {
		return err
	}
	// What is wrong with it should not be found when hours have gone by.
	if _, err := o.published(); err != nil {
		return err
	}
	if err := o.apart(s); err != nil {
		return err
	}
	s.Sweep()
	path := filepath.Join(o.Out, one.Name+".jsonl")
	former, err := readRecords(s, path)
	if err != nil {
		return err
	}
	executable, err := os.Executable()
	if err != nil {
		return err
	}
	// The name matters to a program that is several in one file.
	program := harness.Program{Path: executable, Name: os.Args[0]}
	machine, err := harness.Look(ctx, program, o.Workers)
	if err != nil {
		return err
	}
	made := 0
	runner := run.Runner{
		Program: program, Machine: machine, Places: places,
		Suite: one.Name, Seed: o.Seed, Workers: o.Workers, TimeLimit: o.TimeLimit, Retry: o.Retry, Now: time.Now,
		Begin: func(done, total int, f suite.Fit) { s.Console.Update(begun(one, done, total, f)) },
	}
	say, finish := oneFit, o.render
	if o.Again {
		check := &check{records: record.ByKey(former)}
		if fits = runner.Recorded(fits, former); len(fits) == 0 {
			return exit.Dataf("%s has no record of these fits: --again makes those again that it has", printable.Line(path))
		}
		path = filepath.Join(o.Out, record.AgainDir, one.Name+".jsonl")
		if former, err = ofVersion(s, path, machine.Version); err != nil {
			return err
		}
		say, finish = check.say, check.finish
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return err
	}
	log, err := record.Append(path)
	if err != nil {
		return err
	}
	defer log.Close()
	runner.Done = func(r record.Record) error {
		made++
		s.Console.Note(say(r), slog.String("event", "fit"), slog.String("set", r.Set), slog.Int("split", r.Split),
			slog.String("method", r.Method), slog.Float64("seconds", r.FitSeconds), slog.String("error", r.Error))
		return log.Add(r)
	}
	if err := runner.Run(ctx, fits, former); err != nil {
		if errors.Is(err, context.Canceled) {
			return &exit.Error{Code: exit.Interrupted, Err: fmt.Errorf("interrupted after %d fits, which are in %s; the same command goes on from there", made, path)}
		}
		var failed *harness.Failure
		if errors.As(err, &failed) { // while a table was made ready
			return &exit.Error{Code: max(failed.Code, exit.Failed), Err: err}
		}
		return err
	}
	s.Console.Note(fmt.Sprintf("%d fits made, %d were in %s", made, len(fits)-made, printable.Line(path)),
		slog.String("event", "fits"), slog.Int("made", made), slog.Int("former", len(fits)-made))
	return finish(s)
}

// plan returns what to fit, and warns of sets that are not there.
func (o *Options) plan(s streams.Streams, one suite.Suite, places data.Places) ([]suite.Fit, error) {
	fits, absent, err := one.Plan(suite.Choice{Sets: o.Sets, Methods: o.Methods, Splits: o.Splits}, places)
	var unknown *suite.UnknownError
	if errors.As(err, &unknown) {
		return nil, exit.Usagef("%w", err)
	}
	if err != nil {
		return nil, err
	}
	switch {
	case len(fits) > 0:
		for _, a := range absent {
			s.Console.Warn(fmt.Sprintf("passed over: %v", a), slog.String("event", "absent"))
		}
		return fits, nil
	case len(absent) > 0 && o.Data == "":
		return nil, exit.Dataf("there is no data set to fit: name their folder with --data, NAME/data.csv.gz each")
	case len(absent) > 0:
		return nil, exit.Dataf("there is no data set to fit in %s; it should hold NAME/data.csv.gz", o.Data)
	}
	return nil, exit.Usagef("none of these methods is fitted on these sets; see 'beziergp bench %s --help'", one.Name)
}

// readRecords reads a file of records and warns of a torn last line.
func readRecords(s streams.Streams, path string) ([]record.Record, error) {
	records, torn, err := record.Read(path)
	var damaged *record.FileError
	if errors.As(err, &damaged) {
		return nil, exit.Dataf("%w", err)
	}
	if torn > 0 {
		s.Console.Warn(fmt.Sprintf("%s, line %d is cut off, as by a program that was killed; it is dropped", path, torn), slog.String("event", "torn"))
	}
	return records, err
}

// begun is the state of a suite of which a fit begins.
func begun(one suite.Suite, done, total int, f suite.Fit) console.State {
	detail := fmt.Sprintf("%s split %d, %s", f.Set.Name, f.Split, f.Method.Name)
	if f.Split < 0 {
		detail = "making " + f.Set.Name
	}
	return console.State{Task: one.Name, Done: int64(done), Total: int64(total), Unit: "fit", Detail: detail,
		Fields: []slog.Attr{slog.String("set", f.Set.Name), slog.Int("split", f.Split), slog.String("method", f.Method.Name)}}
}

// oneFit says what came of a fit.
func oneFit(r record.Record) string {
	what := fmt.Sprintf("%s split %d, %s: ", r.Set, r.Split, r.Method)
	if r.Error != "" {
		return what + r.Error
	}
	scores := fmt.Sprintf("RMSE %s, NLPD %s", score(r.RMSE), score(r.NLPD))
	switch {
	case r.LogLoss != nil:
		scores = fmt.Sprintf("log loss %s, accuracy %s", score(r.LogLoss), score(r.Accuracy))
	case r.Deviance != nil:
		scores = "deviance " + score(r.Deviance) + ", " + scores
	}
	return what + fmt.Sprintf("%s, %.1f s", scores, r.FitSeconds)
}

func score(v *float64) string {
	if v == nil {
		return "-"
	}
	return fmt.Sprintf("%.4g", *v)
}
