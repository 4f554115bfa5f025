package console

import (
	"fmt"
	"log/slog"
	"strings"
	"time"
)

// A line is due every so often, and for every tenth of the whole.
const (
	lineEvery = 10 * time.Second
	lineParts = 10
)

// lines shows progress where there is no terminal: for a log that someone reads
// later.
type lines struct {
	began, last time.Time
	part        int64
	write       func(s State, remaining time.Duration)
}

func (l *lines) show(s State, now time.Time, remaining time.Duration) {
	// What is done at once needs no line.
	if now.Sub(l.began) < refresh {
		return
	}
	var part int64
	if s.Total > 0 {
		part = s.Done * lineParts / s.Total
	}
	if now.Sub(l.last) < lineEvery && part <= l.part {
		return
	}
	l.last, l.part = now, part
	l.write(s, remaining)
}

func (l *lines) end() {}

// writeState writes a state as text.
func (c *Console) writeState(s State, remaining time.Duration) {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s %d", s.Task, s.Unit, s.Done)
	if s.Total > 0 {
		fmt.Fprintf(&b, " of %d (%d%%)", s.Total, 100*s.Done/s.Total)
	}
	if s.Detail != "" {
		b.WriteString(", " + s.Detail)
	}
	if remaining > 0 {
		b.WriteString(", " + short(remaining) + " left")
	}
	fmt.Fprintln(c.w, b.String())
}

// recordState writes a state as JSON.
func (c *Console) recordState(s State, remaining time.Duration) {
	fields := []slog.Attr{
		slog.String("event", "progress"), slog.String("unit", s.Unit), slog.Int64("done", s.Done),
	}
	if s.Total > 0 {
		fields = append(fields, slog.Int64("total", s.Total))
	}
	if remaining > 0 {
		fields = append(fields, slog.Float64("remaining_seconds", remaining.Seconds()))
	}
	c.record(slog.LevelInfo, s.Task, append(fields, s.Fields...))
}

// short writes a duration as it is said: nobody plans by a tenth of a second.
func short(d time.Duration) string { return max(d, time.Second).Round(time.Second).String() }
