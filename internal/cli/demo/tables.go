package demo

import (
	"io"
	"os"

	"beziergp/example"
	"beziergp/internal/aside"
	"beziergp/tablefile"
)

// tables writes the example table whole, its split, its two parts, and orders from
// where it has no rows.
func (d demo) tables() error {
	if err := os.MkdirAll(d.Dir, 0o777); err != nil {
		return err
	}
	whole := example.Orders()
	training, heldOut := example.Split(whole)
	split := func(w io.Writer) error {
		return tablefile.Write(w, []string{"test"}, []tablefile.Values{tablefile.Bools(example.Test(whole))})
	}
	for _, file := range []struct {
		name  string
		write func(io.Writer) error
	}{
		{"all.csv", writer(whole)}, {"train.csv", writer(training)}, {"test.csv", writer(heldOut)},
		{"hole.csv", writer(example.Hole())}, {"split.csv", split},
	} {
		if err := aside.WriteFile(d.path(file.name), file.write); err != nil {
			return err
		}
	}
	return nil
}

func writer(orders []example.Order) func(io.Writer) error {
	return func(w io.Writer) error { return example.Write(w, orders) }
}
