package data

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"

	"beziergp/internal/atomicfile"
	"beziergp/table/exact"
	"beziergp/tablewriter"
)

// Masks that are drawn mark a tenth of the rows in each of as many splits as the
// paper has of large tables. They depend on the row's number alone, so that every run
// and every method sees the same splits.
const (
	drawnSplits = 3
	testShare   = 0.1
)

// drawnMask returns the file of a table's mask, drawn where it is missing.
func drawnMask(p Places, name string, count func() (rows int, err error)) (string, error) {
	return made(p, name, "test_mask.csv", func(w io.Writer) error {
		rows, err := count()
		if err != nil {
			return err
		}
		var names []string
		var columns []*exact.Column
		for split := range drawnSplits {
			rng := rand.New(rand.NewPCG(uint64(split), 1))
			mask := make([]bool, rows)
			for i := range mask {
				mask[i] = rng.Float64() < testShare
			}
			names, columns = append(names, fmt.Sprintf("split%d", split)), append(columns, exact.Marks(mask))
		}
		return tablewriter.Write(w, tablewriter.CSV, names, columns)
	})
}

// made returns a file of the work folder, written where it is missing.
func made(p Places, name, file string, write func(io.Writer) error) (string, error) {
	path := filepath.Join(p.Work, name, file)
	_, err := os.Stat(path)
	if err == nil || !errors.Is(err, fs.ErrNotExist) {
		return path, err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return "", err
	}
	return path, atomicfile.WriteFile(path, write)
}
