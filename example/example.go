// Package example holds a table to try things on: what a kitchen's deliveries take, by
// day and time, courier, zone, distance, items, weight and rain. Weights are missing
// now and then, couriers and zones are categories with rare levels, noise is skewed
// and grows with distance, rain and traffic, and a region has no rows.
//
// It is made up, so it is known what is to be learnt, [Order.Mean], and how well it can
// be, [Bound].
package example

import (
	"bytes"
	"context"
	"encoding/csv"
	"io"
	"math"
	"math/rand/v2"
	"strconv"

	"beziergp/table"
	"beziergp/tablefile"
)

// Target is the name of the target's column, and Unit its unit.
const (
	Target = "minutes"
	Unit   = "min"
)

// Write writes orders as a table in CSV.
func Write(w io.Writer, orders []Order) error {
	out := csv.NewWriter(w)
	rows := [][]string{{"ordered", "courier", "zone", "distance_km", "items", "weight_kg", "rain_mm", Target}}
	for _, o := range orders {
		weight := ""
		if o.Weighed {
			weight = text(o.Weight)
		}
		rows = append(rows, []string{
			o.Ordered.Format("2006-01-02T15:04"), o.Courier, o.Zone, text(o.Distance), text(o.Items), weight, text(o.Rain), text(o.Minutes),
		})
	}
	return out.WriteAll(rows)
}

func text(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }

// Table returns the table that [Write] writes.
func Table(orders []Order) (*table.Table, error) {
	var b bytes.Buffer
	if err := Write(&b, orders); err != nil {
		return nil, err
	}
	r, err := tablefile.NewReader(&b, "orders.csv", tablefile.Options{})
	if err != nil {
		return nil, err
	}
	return r.ReadAll(context.Background())
}

// Test marks a fifth of the orders, those held out.
func Test(orders []Order) []bool {
	return table.Holdout(len(orders), 0.2, rand.New(rand.NewPCG(1, 0)))
}

// Split returns the orders to train on and those held out.
func Split(orders []Order) (training, heldOut []Order) {
	for i, test := range Test(orders) {
		if test {
			heldOut = append(heldOut, orders[i])
		} else {
			training = append(training, orders[i])
		}
	}
	return training, heldOut
}

// Bound returns what the law itself scores: the RMSE of [Order.Mean] and the mean of
// −[Order.LogDensity]. It knows the weights that the table lacks; on new rows no model
// is expected to score better.
func Bound(orders []Order) (rmse, nlpd float64) {
	for _, o := range orders {
		e := o.Minutes - o.Mean()
		rmse += e * e
		nlpd -= o.LogDensity(o.Minutes)
	}
	n := float64(len(orders))
	return math.Sqrt(rmse / n), nlpd / n
}
