// Command pictures draws the pictures of the documentation into the directory of
// its argument.
package main

import (
	"context"
	"io"
	"log"
	"os"
	"path/filepath"
	"sync"

	"beziergp"
	"beziergp/example"
	"beziergp/example/gap"
	"beziergp/internal/atomicfile"
	"beziergp/plot"
	"beziergp/plot/canvas"
	"beziergp/train/auto"
)

func main() {
	log.SetFlags(0)
	if len(os.Args) != 2 {
		log.Fatal("usage: pictures DIRECTORY")
	}
	for _, p := range pictures() {
		drawn, err := p.draw()
		if err == nil {
			err = atomicfile.WriteFile(filepath.Join(os.Args[1], p.file), func(w io.Writer) error { return drawn.Encode(w, canvas.SVG) })
		}
		if err != nil {
			log.Fatalf("%s: %v", p.file, err)
		}
	}
}

type picture struct {
	file string
	draw func() (*canvas.Canvas, error)
	// trained tells that there is a fit in it, whose last digits differ between
	// instruction sets.
	trained bool
}

func pictures() []picture {
	fit := sync.OnceValues(heldOut) // several pictures of one fit
	of := func(draw func(plot.Outcomes) (*canvas.Canvas, error)) func() (*canvas.Canvas, error) {
		return func() (*canvas.Canvas, error) {
			f, err := fit()
			if err != nil {
				return nil, err
			}
			return draw(f.outcomes)
		}
	}
	return []picture{
		{"prior.svg", func() (*canvas.Canvas, error) { return plot.Prior(20, 12) }, false},
		{"buttress.svg", plot.Buttress, false},
		{"surface.svg", plot.Surface, false},
		{"intervals.svg", intervals, true},
		{"one-dimension.svg", oneDimension, true},
		{"predicted.svg", of(plot.Predicted), true},
		{"calibration.svg", of(func(o plot.Outcomes) (*canvas.Canvas, error) { return plot.Calibration(o.Transforms()) }), true},
		{"evaluation.svg", of(evaluation), true},
		{"learning.svg", func() (*canvas.Canvas, error) {
			f, err := fit()
			if err != nil {
				return nil, err
			}
			return f.learning.Draw()
		}, true},
		{"likelihoods.svg", likelihoods, true},
		{"why.svg", func() (*canvas.Canvas, error) {
			f, err := fit()
			if err != nil {
				return nil, err
			}
			return f.slowest()
		}, true},
	}
}

// intervals draws what the default recipe says of a table with a gap.
func intervals() (*canvas.Canvas, error) {
	r, err := gap.RunDefault(context.Background(), gapSeed)
	if err != nil {
		return nil, err
	}
	return plot.Intervals{
		X: r.X, Y: r.Y, At: r.At, Mean: r.Mean, Lower: r.Lower, Upper: r.Upper, Truth: gap.Curve, Gap: gap.Hole,
	}.Draw()
}

// oneDimension draws the paper's experiment, and one with a gap so wide that the
// process is its prior in the middle. What is observed holds no noise, so the
// paper's gap is drawn with a σ² of a tenth of its 1/τ; package gap tells what
// difference that makes.
func oneDimension() (*canvas.Canvas, error) {
	var processes []plot.OneDimension
	for _, c := range []struct {
		heading string
		gap.Experiment
	}{
		{"The paper’s gap, 0.33 to 0.66: the variance rises, yet the truth lies 7 deviations outside", gap.Experiment{Seed: gapSeed, From: 0.33, To: 0.66, KLWeight: 0.1}},
		{"A gap from 0.1 to 0.9: in the middle, mean and variance are the prior’s, which knows no sine", gap.Experiment{Seed: gapSeed, From: 0.1, To: 0.9}},
	} {
		r, err := c.Run(context.Background())
		if err != nil {
			return nil, err
		}
		processes = append(processes, plot.OneDimension{
			Heading: c.heading,
			X:       r.X, Y: r.Y, Truth: gap.Sine, F: plot.Moments(r.F), Points: plot.Moments(r.Points),
			Gap: [2]float64{c.From, c.To},
		})
	}
	return plot.OneDimensions(processes...)
}

// evaluation draws what eval --plot does.
func evaluation(o plot.Outcomes) (*canvas.Canvas, error) {
	e := plot.Evaluation{Target: o.Target, Level: 0.95}
	for i, y := range o.Observed {
		u := o.Predicted[i].Transform(y, i)
		e.Add(y, o.Mean[i], 0.025 <= u && u <= 0.975, u)
	}
	return e.Draw()
}

// gapSeed draws the observations.
const gapSeed = 7

// demo is a fit of the example table, and what came of predictions for its held-out rows.
type demo struct {
	learning plot.Learning
	outcomes plot.Outcomes
	model    *beziergp.Model
	heldOut  *beziergp.Table
}

// heldOut fits the example table as the demo does.
func heldOut() (*demo, error) {
	d := &demo{learning: plot.Learning{Target: example.Target}}
	learn, test := example.Split(example.Orders())
	training, err := example.Table(learn)
	if err != nil {
		return nil, err
	}
	heldOut, err := example.Table(test)
	if err != nil {
		return nil, err
	}
	m, err := beziergp.Fit(context.Background(), training, example.Target, beziergp.Options{Recipe: auto.Recipe{Effort: auto.Fast}, Progress: d.learning.Add})
	if err != nil {
		return nil, err
	}
	p, err := m.Predict(context.Background(), heldOut, beziergp.PredictOptions{})
	if err != nil {
		return nil, err
	}
	d.model, d.heldOut = m, heldOut
	y, _ := heldOut.Column(example.Target)
	d.learning.Deviation = m.Target().SD
	d.outcomes = plot.Outcomes{Observed: y, Mean: p.Mean, Predicted: p.Distributions(), Target: example.Target, Unit: example.Unit}
	return d, nil
}
