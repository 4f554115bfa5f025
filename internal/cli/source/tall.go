package source

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"beziergp"
	"beziergp/table"
	"beziergp/tablecache"
	"beziergp/tablefile"
)

// Tall says how a table that may be too large for memory is read.
type Tall struct {
	Target  string
	Weights string // column of row weights; may be empty
	Bytes   int64  // that the values of the rows may take in memory
	Cache   string // file of the cache; empty for none
}

// ErrMemory says that rows take more memory than they may, and there is no cache.
var ErrMemory = errors.New("the rows take more memory than they may")

// ReadTall returns the rows to take as a table in memory or, if that would take more
// memory than it may, those that can be learned from in a cache.
func (t *Table) ReadTall(ctx context.Context, o Tall) (*table.Table, *tablecache.Cache, error) {
	s := &spillSink{table: t, tall: o}
	names := t.reader.Selected()
	s.target, s.weights = slices.Index(names, o.Target), slices.Index(names, o.Weights)
	all, spilled, err := t.reader.ReadTall(ctx, &tablefile.Spill{Bytes: o.Bytes, Create: s.create})
	if err != nil {
		s.abort()
		return nil, nil, err
	}
	if all != nil {
		rows, err := t.pick(all)
		return rows, nil, err
	}
	t.read = s.row
	if err := t.end(); err != io.EOF {
		s.abort()
		return nil, nil, err
	}
	c, err := s.writer.Finish(spilled.Fields, spilled.Meaning, t.identity(o))
	return nil, c, err
}

// spillSink writes the rows to take to a cache, those without a target left out.
type spillSink struct {
	table           *Table
	tall            Tall
	writer          *tablecache.Writer
	target, weights int
	row             int
	kept            [][]float64
}

func (s *spillSink) create(coded []bool) (tablefile.Sink, error) {
	for _, column := range []int{s.target, s.weights} {
		if column >= 0 && coded[column] {
			return nil, &tablefile.Error{File: s.table.file, Column: s.table.reader.Selected()[column], Problem: "the column holds text", Remedy: "targets and weights are numbers"}
		}
	}
	if s.tall.Cache == "" {
		return nil, ErrMemory
	}
	var err error
	s.writer, err = tablecache.Create(s.tall.Cache, coded)
	s.kept = make([][]float64, len(coded))
	return s, err
}

func (s *spillSink) abort() {
	if s.writer != nil {
		s.writer.Abort()
	}
}

// Append takes rows of the file, in order.
func (s *spillSink) Append(columns [][]float64, n int) error {
	t := s.table
	for j := range s.kept {
		s.kept[j] = s.kept[j][:0]
	}
	for i := range n {
		row := s.row + i
		if t.mask != nil && row >= len(t.mask) {
			return t.wrongMask("more")
		}
		if !t.takes(row) || t.limit > 0 && t.taken == t.limit {
			continue
		}
		t.taken++
		var weight *float64
		if s.weights >= 0 {
			weight = &columns[s.weights][i]
		}
		keep, err := beziergp.Keeps(columns[s.target][i], weight)
		if err != nil {
			return &tablefile.Error{File: t.file, Row: row + 1, Column: s.tall.Weights, Value: fmt.Sprint(*weight), Problem: "is no weight", Remedy: "give a number from 0 on"}
		}
		if !keep {
			s.writer.Drop(1)
			continue
		}
		for j, c := range columns {
			s.kept[j] = append(s.kept[j], c[i])
		}
	}
	s.row += n
	return s.writer.Append(s.kept, len(s.kept[0]))
}

// OpenCache returns the cache of a former run over the same rows, or nil where that
// is of other rows. It fails where there is no cache.
func (t *Table) OpenCache(o Tall) (*tablecache.Cache, error) {
	c, err := tablecache.Open(o.Cache)
	if err != nil {
		return nil, err
	}
	if id := t.identity(o); id == "" || c.Source() != id {
		c.Close()
		return nil, nil
	}
	return c, nil
}

// identity tells tables apart by their files, when these were last changed, and what
// is taken of them; it is empty where nobody can tell.
func (t *Table) identity(o Tall) string {
	if t.options.From != "" {
		return ""
	}
	type file struct {
		Path     string
		Size     int64
		Modified int64
	}
	var files []file
	for _, path := range append(Files(t.path), t.options.Mask.Path) {
		if path == "" {
			continue
		}
		info, err := os.Stat(path)
		absolute, absErr := filepath.Abs(path)
		if errors.Join(err, absErr) != nil || !info.Mode().IsRegular() {
			return ""
		}
		files = append(files, file{absolute, info.Size(), info.ModTime().UnixNano()})
	}
	text, err := json.Marshal(map[string]any{
		"files": files, "options": t.options, "columns": t.reader.Selected(), "target": o.Target, "weights": o.Weights,
	})
	if err != nil {
		return ""
	}
	return string(text)
}
