package data

import (
	"compress/gzip"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"

	"beziergp/tablefile"
)

// Positive is a table of the user's, as CSV, of which the rows are left out where a column is not above 0: those of no
// exposure.
type Positive struct {
	Folder
	Column string
}

// Ready writes the rows that are left, with a mask of these.
func (s Positive) Ready(ctx context.Context, p Places) (Table, error) {
	t, err := s.Folder.Ready(ctx, p)
	if err != nil {
		return t, err
	}
	keep, err := s.kept(t.Path)
	if err != nil {
		return t, err
	}
	some := func(file, path string) (string, error) {
		return made(p, s.Name+"-positive", file, func(w io.Writer) error { return copyRows(ctx, w, path, keep) })
	}
	if t.Path, err = some("data.csv", t.Path); err == nil {
		t.Mask, err = some("test_mask.csv", t.Mask)
	}
	return t, err
}

// kept tells which rows are.
func (s Positive) kept(path string) (keep []bool, err error) {
	at := -1
	err = eachRecord(path, func(row int, record []string) error {
		if row == 0 {
			if at = slices.Index(record, s.Column); at < 0 {
				return &tablefile.Error{File: path, Column: s.Column, Problem: "there is no such column"}
			}
			return nil
		}
		if record[at] == "" {
			keep = append(keep, false)
			return nil
		}
		v, err := strconv.ParseFloat(record[at], 64)
		if err != nil {
			return &tablefile.Error{File: path, Row: row, Column: s.Column, Value: record[at], Problem: "is no number"}
		}
		keep = append(keep, v > 0)
		return nil
	})
	return keep, err
}

// copyRows writes a CSV file with some of its rows.
func copyRows(ctx context.Context, w io.Writer, path string, keep []bool) error {
	to, rows := csv.NewWriter(w), 0
	err := eachRecord(path, func(row int, record []string) error {
		rows = row
		if row > len(keep) || row > 0 && !keep[row-1] {
			return ctx.Err()
		}
		return to.Write(record)
	})
	if err == nil && rows != len(keep) {
		return &tablefile.Error{File: path, Problem: fmt.Sprintf("it has %d rows, and the other file %d", rows, len(keep))}
	}
	to.Flush()
	return errors.Join(err, to.Error())
}

// eachRecord reads a CSV file, the header first.
func eachRecord(path string, do func(row int, record []string) error) error {
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	var from io.Reader = file
	if strings.HasSuffix(path, ".gz") {
		if from, err = gzip.NewReader(file); err != nil {
			return &tablefile.Error{File: path, Problem: "this is no gzip file", Err: err}
		}
	} else if !strings.HasSuffix(path, ".csv") {
		return &tablefile.Error{File: path, Problem: "this is no CSV file", Remedy: "rows can be left out of CSV files alone; convert it"}
	}
	records := csv.NewReader(from)
	for row := 0; ; row++ {
		record, err := records.Read()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err == nil {
			err = do(row, record)
		}
		if err != nil {
			return err
		}
	}
}
