package data

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"beziergp/tablefile"
)

// Folder is a table of the user's: DATA/NAME/data.csv.gz, or data.csv, data.parquet.
// The splits are the columns of test_mask, or are drawn where there is no such file.
type Folder struct {
	Name   string
	Target string // y where empty
}

// endings of the files that a folder may have.
var endings = []string{".csv.gz", ".csv", ".parquet"}

// find returns the file of a table's folder, or an error that is ErrAbsent.
func find(p Places, name, file string) (string, error) {
	if p.Data == "" {
		return "", ErrAbsent
	}
	for _, ending := range endings {
		path := filepath.Join(p.Data, name, file+ending)
		_, err := os.Stat(path)
		if err == nil {
			return path, nil
		}
		if !errors.Is(err, fs.ErrNotExist) {
			return "", err
		}
	}
	return "", fmt.Errorf("%s: %w", filepath.Join(p.Data, name, file+endings[0]), ErrAbsent)
}

// Splits counts the mask's columns.
func (f Folder) Splits(p Places) (int, error) {
	if _, err := find(p, f.Name, "data"); err != nil {
		return 0, err
	}
	mask, err := find(p, f.Name, "test_mask")
	if errors.Is(err, ErrAbsent) {
		return drawnSplits, nil
	}
	if err != nil {
		return 0, err
	}
	r, err := tablefile.Open(mask, tablefile.Options{})
	if err != nil {
		return 0, err
	}
	defer r.Close()
	count := 0
	for _, name := range r.Names() {
		if strings.HasPrefix(name, "split") {
			count++
		}
	}
	if count == 0 {
		return 0, &tablefile.Error{File: mask, Problem: "there is no column split0", Remedy: "name the columns split0, split1, …"}
	}
	return count, nil
}

// Ready draws a mask where there is none.
func (f Folder) Ready(ctx context.Context, p Places) (Table, error) {
	path, err := find(p, f.Name, "data")
	if err != nil {
		return Table{}, err
	}
	t := Table{Path: path, Target: f.Target}
	if t.Target == "" {
		t.Target = target
	}
	t.Mask, err = find(p, f.Name, "test_mask")
	if errors.Is(err, ErrAbsent) {
		t.Mask, err = drawnMask(p, f.Name, func() (int, error) {
			rows, err := tablefile.Read(ctx, path, tablefile.Options{}, t.Target)
			if err != nil {
				return 0, err
			}
			return rows.Rows(), nil
		})
	}
	return t, err
}
