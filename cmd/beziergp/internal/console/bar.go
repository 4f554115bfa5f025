package console

import (
	"fmt"
	"io"
	"os"
	"runtime"
	"time"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"
)

// bar shows progress on a terminal. The library knows widths, erasing and
// spinners; the remaining time is ours, for it would count steps that a resumed
// run never took.
type bar struct {
	w   io.Writer
	bar *progressbar.ProgressBar
}

func (b *bar) show(s State, _ time.Time, remaining time.Duration) {
	description := s.Task
	if s.Detail != "" {
		description += "  " + s.Detail
	}
	if remaining > 0 {
		description += "  " + short(remaining) + " left"
	}
	if b.bar == nil {
		bytes := s.Unit == Bytes
		options := []progressbar.Option{
			progressbar.OptionSetWriter(b.w),
			progressbar.OptionSetDescription(description),
			progressbar.OptionSetWidth(width(b.w)),
			progressbar.OptionSetPredictTime(false),
			progressbar.OptionClearOnFinish(),
			progressbar.OptionShowBytes(bytes),
			progressbar.OptionShowCount(),
			progressbar.OptionUseANSICodes(runtime.GOOS != "windows"),
		}
		b.bar = progressbar.NewOptions64(s.Total, options...)
	}
	// An error of the bar is one of standard error, or that nothing moved.
	b.bar.Describe(description)
	if s.Done < s.Total || s.Total < 0 {
		_ = b.bar.Set64(s.Done)
	}
}

func (b *bar) end() {
	if b.bar != nil {
		_ = b.bar.Clear()
		_ = b.bar.Exit()
		fmt.Fprint(b.w, "\r")
	}
}

// width returns that of the bar alone. The rest of the line is for the text and for
// the ^C of who interrupts: were the line full, it would make the bar two lines, of
// which one stays.
func width(w io.Writer) int {
	const text, least, most = 60, 10, 40
	columns := 80
	if file, ok := w.(*os.File); ok {
		if c, _, err := term.GetSize(int(file.Fd())); err == nil {
			columns = c
		}
	}
	return max(least, min(most, columns-text))
}

// Bytes is the unit that is shown as kB, MB, …
const Bytes = "byte"
