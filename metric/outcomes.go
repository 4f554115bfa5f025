package metric

import (
	"runtime"

	"golang.org/x/sync/errgroup"

	"beziergp/predictive"
)

// Outcomes returns what the distributions of n rows tell of their targets, [n], by so many workers, 0 for one a processor. row returns
// the distribution and the target of row i, and is called by several goroutines at once. The k-th row of all that are scored is row
// before + 1 + i ([predictive.Distribution.Outcome]).
func Outcomes(workers, n, before int, row func(i int) (d predictive.Distribution, y float64)) []predictive.Outcome {
	const together = 64
	all := make([]predictive.Outcome, n)
	if workers == 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	var work errgroup.Group
	work.SetLimit(workers)
	for from := 0; from < n; from += together {
		work.Go(func() error {
			for i := from; i < min(from+together, n); i++ {
				d, y := row(i)
				all[i] = d.Outcome(y, before+1+i)
			}
			return nil
		})
	}
	_ = work.Wait() // none fails
	return all
}
