package main

import (
	"context"
	"sync"

	"beziergp/example/laws"
	"beziergp/plot"
	"beziergp/plot/canvas"
)

// likelihoods draws what the default recipe learns of a table of every likelihood.
func likelihoods() (*canvas.Canvas, error) {
	learned, err := learnedLaws()
	if err != nil {
		return nil, err
	}
	var all []plot.Curves
	for _, l := range learned {
		all = append(all, plot.Curves(*l))
	}
	return plot.Likelihoods(all)
}

// learnedLaws are the fits, done once.
var learnedLaws = sync.OnceValues(func() ([]*laws.Learned, error) { return laws.All(context.Background(), lawsSeed) })

// lawsSeed draws the rows.
const lawsSeed = 3
