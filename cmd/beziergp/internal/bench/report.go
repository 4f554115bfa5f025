package bench

import (
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"

	"beziergp/bench/record"
	"beziergp/bench/report"
	"beziergp/bench/suite"
	"beziergp/cmd/beziergp/internal/exit"
	"beziergp/cmd/beziergp/internal/sink"
	"beziergp/cmd/beziergp/internal/streams"
	"beziergp/internal/printable"
)

// apart refuses published figures in a file that is written.
func (o *Options) apart(s streams.Streams) error {
	files := append(sink.Reads("--published", o.Published), sink.Writes("the page", filepath.Clean(o.Out)+".md"))
	for _, name := range suite.Names() {
		for _, ending := range []string{".jsonl", ".csv", "." + string(o.Pictures)} {
			files = append(files, sink.Writes("--out", filepath.Join(o.Out, name+ending)))
		}
	}
	return sink.Apart(s.In, s.Out, files...)
}

// render writes the page, the tables and the pictures of all records.
func (o *Options) render(s streams.Streams) error {
	published, err := o.published()
	if err != nil {
		return err
	}
	if err := o.apart(s); err != nil {
		return err
	}
	// No pattern: the folder's name may look like one.
	files, err := os.ReadDir(o.Out)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	var all []record.Record
	for _, file := range files {
		if filepath.Ext(file.Name()) != ".jsonl" {
			continue
		}
		records, err := readRecords(s, filepath.Join(o.Out, file.Name()))
		if err != nil {
			return err
		}
		all = append(all, records...)
	}
	if len(all) == 0 {
		return exit.Dataf("there is no record in %s; 'beziergp bench uci --out %s' makes some", filepath.Join(o.Out, "*.jsonl"), o.Out)
	}
	if err := report.Write(o.Out, all, published, o.Pictures); err != nil {
		return err
	}
	page := filepath.Clean(o.Out) + ".md"
	s.Console.Note(fmt.Sprintf("wrote %s from %d records", printable.Line(page), len(all)),
		slog.String("event", "report"), slog.String("file", page), slog.Int("records", len(all)))
	return nil
}

// published returns the figures of the file that the user names.
func (o *Options) published() ([]report.Published, error) {
	if o.Published == "" {
		return nil, nil
	}
	all, err := report.ReadPublished(o.Published)
	var damaged *record.FileError
	if errors.As(err, &damaged) || errors.Is(err, fs.ErrNotExist) {
		return nil, exit.Dataf("--published: %w", err)
	}
	return all, err
}
