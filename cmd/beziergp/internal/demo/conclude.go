package demo

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"

	"beziergp/cmd/beziergp/internal/sink"
	"beziergp/example"
	"beziergp/metric"
	"beziergp/model"
	"beziergp/plot"
)

// reached is what the model made of orders that it has not seen.
type reached struct {
	test, hole scored
	outcomes   plot.Outcomes // of the test rows
}

type scored struct {
	*metric.Scores
	median float64 // of the deviations
}

// reach predicts the test rows and those in the hole.
func (d demo) reach(ctx context.Context, file string) (r reached, err error) {
	m, err := model.Load(file)
	if err != nil {
		return r, err
	}
	_, heldOut := example.Split(example.Orders())
	if r.test, r.outcomes, err = d.score(ctx, m, heldOut); err != nil {
		return r, err
	}
	r.hole, _, err = d.score(ctx, m, example.Hole())
	return r, err
}

func (d demo) score(ctx context.Context, m *model.Model, orders []example.Order) (scored, plot.Outcomes, error) {
	t, err := example.Table(orders)
	if err != nil {
		return scored{}, plot.Outcomes{}, err
	}
	p, err := m.Predict(ctx, t, model.PredictOptions{Workers: d.Workers})
	if err != nil {
		return scored{}, plot.Outcomes{}, err
	}
	y, _ := t.Column(example.Target)
	s := scored{&metric.Scores{}, slices.Sorted(slices.Values(p.Std))[len(p.Std)/2]}
	for i := range y {
		s.Add(y[i], p.Mean[i], p.Lower[i], p.Upper[i], p.Distribution(i))
	}
	return s, plot.Outcomes{Observed: y, Mean: p.Mean, Predicted: p.Distributions(), Target: example.Target, Unit: example.Unit}, nil
}

// pictures draws the predictions of the test rows.
func (d demo) pictures(ctx context.Context, outcomes plot.Outcomes) error {
	predicted, err := plot.Predicted(outcomes)
	if err != nil {
		return err
	}
	calibration, err := plot.Calibration(outcomes.Transforms())
	if err != nil {
		return err
	}
	return errors.Join(sink.Picture(ctx, d.picture("predicted"), predicted, d.Out), sink.Picture(ctx, d.picture("calibration"), calibration, d.Out))
}

// conclude says what was reached, what bound it, and what to look at.
func (d demo) conclude(r reached, process, line scores) {
	_, heldOut := example.Split(example.Orders())
	rmse, nlpd := example.Bound(heldOut)
	d.Console.Note(fmt.Sprintf("\n%s: %d orders over %g km in rain over %g mm, where the table has no row.\n", d.path("hole.csv"), r.hole.N(), example.HoleDistance, example.HoleRain)+
		fmt.Sprintf("Their median deviation is %.1f %s, that of the test rows %.1f; 95 %% intervals hold %.1f %% of them.\n", r.hole.median, example.Unit, r.test.median, 100*r.hole.Coverage()),
		slog.String("event", "hole"), slog.Float64("deviation", r.hole.median), slog.Float64("coverage95", r.hole.Coverage()))
	d.Console.Note(fmt.Sprintf("\nreached:  RMSE %.2f, NLPD %.2f; 95 %% intervals hold %.1f %% of %d new orders\n", r.test.RMSE(), r.test.NLPD(), 100*r.test.Coverage(), r.test.N())+
		fmt.Sprintf("bound:    RMSE %.2f, NLPD %.2f by the law that drew the orders; SGPR %.2f, %.2f; a line %.2f, %.2f\n", rmse, nlpd, process.RMSE, process.NLPD, line.RMSE, line.NLPD)+
		fmt.Sprintf("look at:  %s, then %s", d.picture("predicted"), d.picture("calibration")),
		slog.String("event", "conclusion"), slog.Float64("rmse", r.test.RMSE()), slog.Float64("nlpd", r.test.NLPD()), slog.Float64("coverage95", r.test.Coverage()),
		slog.Float64("bound_rmse", rmse), slog.Float64("bound_nlpd", nlpd), slog.Float64("sgpr_rmse", process.RMSE), slog.Float64("sgpr_nlpd", process.NLPD),
		slog.Float64("linear_rmse", line.RMSE), slog.Float64("linear_nlpd", line.NLPD))
}
