package demo

import (
	"bytes"
	"io"
	"os"

	"beziergp/example"
	"beziergp/internal/atomicfile"
	"beziergp/table/exact"
	"beziergp/tablewriter"
)

// input is a file that the verbs are given.
type input struct {
	name    string
	content []byte
}

// inputs returns the example table whole, its split, its two parts, and orders from
// where it has no rows: the same to the byte every time.
func inputs() (files []input, err error) {
	whole := example.Orders()
	training, heldOut := example.Split(whole)
	split := func(w io.Writer) error {
		return tablewriter.Write(w, tablewriter.CSV, []string{"test"}, []*exact.Column{exact.Marks(example.Test(whole))})
	}
	for _, file := range []struct {
		name  string
		write func(io.Writer) error
	}{
		{"all.csv", writer(whole)}, {"train.csv", writer(training)}, {"test.csv", writer(heldOut)},
		{"hole.csv", writer(example.Hole())}, {"split.csv", split},
	} {
		var b bytes.Buffer
		if err := file.write(&b); err != nil {
			return nil, err
		}
		files = append(files, input{file.name, b.Bytes()})
	}
	return files, nil
}

func writer(orders []example.Order) func(io.Writer) error {
	return func(w io.Writer) error { return example.Write(w, orders) }
}

// write writes the inputs.
func (d demo) write(inputs []input) error {
	if err := os.MkdirAll(d.Dir, 0o777); err != nil {
		return err
	}
	for _, file := range inputs {
		err := atomicfile.WriteFile(d.path(file.name), func(w io.Writer) error { _, err := w.Write(file.content); return err })
		if err != nil {
			return err
		}
	}
	return nil
}
