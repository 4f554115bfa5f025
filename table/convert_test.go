package table_test

import (
	"errors"
	"fmt"
	"math"
	"testing"

	"beziergp/table"
)

func TestColumnAsAnotherField(t *testing.T) {
	nan := math.NaN()
	category := func(levels ...string) table.Field { return table.Field{Kind: table.Category, Levels: levels} }
	for _, c := range []struct {
		column table.Column
		to     table.Field
		want   []float64
	}{
		{table.Column{Values: []float64{1, nan}}, table.Field{Kind: table.Numeric}, []float64{1, nan}},
		{table.Column{Values: []float64{1, 0}}, table.Field{Kind: table.Boolean}, []float64{1, 0}},
		{table.Column{Values: []float64{1, 0}, Kind: table.Boolean}, table.Field{}, []float64{1, 0}},
		{table.Column{Values: []float64{0, 1, 2, nan}, Kind: table.Category, Levels: []string{"x", "y"}}, category("z", "y"), []float64{2, 1, 2, nan}},
		{table.Column{Values: []float64{10, 0.5, nan}}, category("10", "7"), []float64{0, 2, nan}},
		{table.Column{Values: []float64{1, 0, nan}, Kind: table.Boolean}, category("false", "true"), []float64{1, 0, nan}},
		{table.Column{Values: []float64{1, 0, nan}, Kind: table.Category, Levels: []string{"True", "FALSE"}}, table.Field{Kind: table.Boolean}, []float64{0, 1, nan}},
	} {
		got, err := c.column.As(c.to)
		if err != nil || fmt.Sprint(got) != fmt.Sprint(c.want) {
			t.Errorf("%+v as %+v: %v, %v; want %v", c.column, c.to, got, err, c.want)
		}
	}
	for _, c := range []struct {
		column table.Column
		to     table.Kind
	}{
		{table.Column{Values: []float64{0}, Kind: table.Category, Levels: []string{"x"}}, table.Numeric},
		{table.Column{Values: []float64{0}, Kind: table.Category, Levels: []string{"x"}}, table.Boolean},
		{table.Column{Values: []float64{2}}, table.Boolean},
		{table.Column{Values: []float64{0}, Kind: table.DateTime}, table.Category},
		{table.Column{Values: []float64{0}}, table.DateTime},
	} {
		_, err := c.column.As(table.Field{Kind: c.to})
		var kind *table.KindError
		if !errors.As(err, &kind) {
			t.Errorf("%+v as %s: %v", c.column, c.to, err)
		}
	}
}
