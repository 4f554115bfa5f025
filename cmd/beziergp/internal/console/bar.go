package console

import (
	"fmt"
	"io"
	"os"
	"strings"
	"time"
	"unicode/utf8"

	"golang.org/x/term"

	"beziergp/internal/printable"
)

// bar shows progress on a terminal, in one line that is written over again and again.
// It needs nothing of a terminal but that \r goes back to the first column. Libraries of
// bars bring a web server, or tables of all characters' widths, for these few lines.
type bar struct {
	w    io.Writer
	wide int // columns of the line that stands
}

func (b *bar) show(s State, _ time.Time, remaining time.Duration) {
	columns := columnsOf(b.w)
	text := s.Task
	if s.Detail != "" {
		text += "  " + s.Detail
	}
	if remaining > 0 {
		text += "  " + short(remaining) + " left"
	}
	if s.Total > 0 {
		text += fmt.Sprintf("  %3d%% |%s|", 100*s.Done/s.Total, cells(s.Done, s.Total, columns))
	}
	b.write(text+" "+count(s), columns)
}

// write puts a line in the place of the one that stands. The end of a terminal's line
// stays free for the ^C of who interrupts: were it full, there would be two lines, of
// which one stays.
func (b *bar) write(line string, columns int) {
	const interrupt = 3
	if most := columns - interrupt; utf8.RuneCountInString(line) > most {
		line = string([]rune(line)[:max(most, 0)])
	}
	wide := utf8.RuneCountInString(line)
	fmt.Fprintf(b.w, "\r%s%s", line, strings.Repeat(" ", max(b.wide-wide, 0)))
	b.wide = wide
}

func (b *bar) end() {
	b.write("", columnsOf(b.w))
	fmt.Fprint(b.w, "\r")
}

// cells are the bar alone.
func cells(done, total int64, columns int) string {
	const text, least, most = 60, 10, 40
	width := max(least, min(most, columns-text))
	full := max(0, min(width, int(float64(width)*float64(done)/float64(total))))
	return strings.Repeat("█", full) + strings.Repeat(" ", width-full)
}

// count tells how many of how many are done.
func count(s State) string {
	number := func(n int64) string { return fmt.Sprint(n) }
	if s.Unit == Bytes {
		number = printable.Size
	}
	if s.Total <= 0 {
		return "(" + number(s.Done) + ")"
	}
	return "(" + number(s.Done) + "/" + number(s.Total) + ")"
}

// columnsOf returns how wide a terminal is.
func columnsOf(w io.Writer) int {
	const usual = 80
	if file, ok := w.(*os.File); ok {
		if c, _, err := term.GetSize(int(file.Fd())); err == nil && c > 0 {
			return c
		}
	}
	return usual
}

// Bytes is the unit that is shown as kB, MB, …
const Bytes = "byte"
