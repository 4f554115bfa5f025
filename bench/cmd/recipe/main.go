// Command recipe fits data sets split by split with the default recipe and prints
// what the models are worth on the test rows: a JSON line a split, a table of means
// at the end.
//
//	go run ./bench/cmd/recipe -data ../shared/data -sets power,boston -splits 5
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"text/tabwriter"
	"time"

	"beziergp"
	"beziergp/bench/harness"
	"beziergp/metric"
	"beziergp/model"
	"beziergp/tablefile"
	"beziergp/train/auto"
)

func main() { harness.Main("recipe", run) }

// score is a split's record.
type score struct {
	Set       string          `json:"set"`
	Split     int             `json:"split"`
	HeldOut   float64         `json:"held_out_rmse"` // of the training rows, each by a member that has not seen it
	RMSE      float64         `json:"rmse"`
	NLPD      float64         `json:"nlpd"`
	CRPS      float64         `json:"crps"`
	Coverage  float64         `json:"coverage95"`
	Conformal float64         `json:"conformal95"` // coverage of the conformal interval
	Seconds   float64         `json:"seconds"`     // of the fit
	Options   json.RawMessage `json:"options"`     // what the recipe chose
}

func run(ctx context.Context, flags *flag.FlagSet, args []string) error {
	data := flags.String("data", "../shared/data", "folder of the data sets: NAME/data.csv.gz and NAME/test_mask.csv.gz")
	sets := flags.String("sets", "energy,concrete,boston,power,bike,elevators,protein,keggdirected", "the sets, separated by commas")
	from := flags.Int("from", 0, "the first split")
	splits := flags.Int("splits", 1, "the number of splits")
	effort := flags.String("effort", string(auto.Default), "fast, default or best")
	seed := flags.Uint64("seed", 0, "start of the random numbers")
	without := flags.String("without", "", "ingredients of the recipe to leave out, separated by commas: ranks, fine, smoothness, average, noise, tails, tilt, ties")
	workers := flags.Int("workers", 0, "processors to use (default all)")
	if err := flags.Parse(args); err != nil {
		return err
	}
	left, err := auto.ParseIngredients(*without)
	if err != nil {
		return err
	}
	o := beziergp.Options{Recipe: auto.Recipe{Effort: auto.Effort(*effort), Seed: *seed, Ablation: left}, Workers: *workers}
	var scores []score
	for _, set := range strings.Split(*sets, ",") {
		t, err := tablefile.Read(ctx, filepath.Join(*data, set, "data.csv.gz"), tablefile.Options{})
		if err != nil {
			return err
		}
		for split := *from; split < *from+*splits; split++ {
			s, err := fit(ctx, t, filepath.Join(*data, set, "test_mask.csv.gz"), split, o)
			if err != nil {
				return fmt.Errorf("%s, split %d: %w", set, split, err)
			}
			s.Set = set
			line, err := json.Marshal(s)
			if err != nil {
				return err
			}
			fmt.Printf("%s\n", line)
			scores = append(scores, s)
		}
	}
	return summarize(os.Stdout, scores)
}

// fit trains on the rows of t marked 0 and scores those marked 1.
func fit(ctx context.Context, t *beziergp.Table, mask string, split int, o beziergp.Options) (score, error) {
	const target = "y"
	test, err := tablefile.ReadMask(ctx, mask, fmt.Sprintf("split%d", split), t.Rows())
	if err != nil {
		return score{}, err
	}
	training, held := t.Split(test)
	began := time.Now()
	m, err := beziergp.Fit(ctx, training, target, o)
	if err != nil {
		return score{}, err
	}
	seconds := time.Since(began).Seconds()
	p, err := m.Predict(ctx, held, beziergp.PredictOptions{Workers: o.Workers})
	if err != nil {
		return score{}, err
	}
	conformal, err := m.Predict(ctx, held, beziergp.PredictOptions{Workers: o.Workers, Interval: model.ConformalInterval})
	if err != nil {
		return score{}, err
	}
	y, _ := held.Column(target)
	var scores metric.Scores
	for i, v := range y {
		scores.Add(v, p.Mean[i], p.Lower[i], p.Upper[i], p.Distribution(i))
	}
	return score{
		Split: split, HeldOut: m.Training().RMSE, RMSE: scores.RMSE(), NLPD: scores.NLPD(), CRPS: scores.CRPS(), Coverage: scores.Coverage(),
		Conformal: metric.Coverage(y, conformal.Lower, conformal.Upper), Seconds: seconds, Options: m.Training().Options,
	}, nil
}

// summarize prints means over the splits of each set.
func summarize(out io.Writer, scores []score) error {
	w := tabwriter.NewWriter(out, 0, 8, 2, ' ', 0)
	fmt.Fprintln(w, "set\tsplits\tRMSE\tNLPD\tCRPS\tcoverage\tconformal\tseconds")
	for len(scores) > 0 {
		var own []score
		for len(scores) > 0 && (len(own) == 0 || scores[0].Set == own[0].Set) {
			own, scores = append(own, scores[0]), scores[1:]
		}
		average := func(of func(score) float64) (sum float64) {
			for _, s := range own {
				sum += of(s) / float64(len(own))
			}
			return sum
		}
		fmt.Fprintf(w, "%s\t%d\t%.4g\t%.4g\t%.4g\t%.3f\t%.3f\t%.1f\n", own[0].Set, len(own),
			average(func(s score) float64 { return s.RMSE }), average(func(s score) float64 { return s.NLPD }),
			average(func(s score) float64 { return s.CRPS }), average(func(s score) float64 { return s.Coverage }),
			average(func(s score) float64 { return s.Conformal }), average(func(s score) float64 { return s.Seconds }))
	}
	return w.Flush()
}
