package bench

import (
	"fmt"
	"log/slog"
	"slices"
	"strings"

	"beziergp/bench/record"
	"beziergp/cmd/beziergp/internal/streams"
)

// check compares fits that were made again with their records.
type check struct {
	records    map[record.Key]record.Record
	made, same int
}

// ofVersion returns the records of a file that a version of the program made.
func ofVersion(s streams.Streams, path, version string) ([]record.Record, error) {
	records, err := readRecords(s, path)
	return slices.DeleteFunc(records, func(r record.Record) bool { return r.Version != version }), err
}

// say counts a fit that was made again, and says which of its scores are others.
func (c *check) say(r record.Record) string {
	c.made++
	if r.Error != "" {
		return oneFit(r)
	}
	var texts []string
	for _, change := range c.records[r.Key()].Changes(r) {
		texts = append(texts, change.String())
	}
	if len(texts) == 0 {
		c.same++
		texts = []string{"the same scores to the last bit"}
	}
	return fmt.Sprintf("%s split %d, %s: %s, %.1f s", r.Set, r.Split, r.Method, strings.Join(texts, ", "), r.FitSeconds)
}

// finish says what came of all.
func (c *check) finish(s streams.Streams) error {
	s.Console.Note(fmt.Sprintf("%d of %d fits made now have the scores of their records", c.same, c.made),
		slog.String("event", "again"), slog.Int("fits", c.made), slog.Int("same", c.same))
	return nil
}
