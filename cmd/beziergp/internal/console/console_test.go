package console

import (
	"encoding/json"
	"log/slog"
	"strings"
	"testing"
	"time"
	"unicode/utf8"
)

// fixture returns a console on a buffer and a clock that the test moves.
func fixture() (*Console, *strings.Builder, *time.Time) {
	var b strings.Builder
	c := New(&b)
	clock := time.Unix(0, 0)
	c.now = func() time.Time { return clock }
	return c, &b, &clock
}

func training(done int64) State {
	return State{Task: "training", Done: done, Total: 1000, Unit: "step", Detail: "RMSE 0.5", Fields: []slog.Attr{slog.Float64("rmse", 0.5)}}
}

// Off a terminal there is a line for every tenth, or every ten seconds.
func TestLinesComeByTenthsAndByTime(t *testing.T) {
	for _, test := range []struct {
		step time.Duration
		want int
	}{
		{10 * time.Millisecond, 10},  // ten seconds in all: by tenths
		{time.Second, 100},           // by time
		{50 * time.Microsecond, 0},   // done at once
		{500 * time.Microsecond, 5},  // half a second: no oftener than a tenth of one
		{20 * time.Millisecond, 10},  // twenty seconds
		{100 * time.Millisecond, 10}, // a tenth is ten seconds
	} {
		c, b, clock := fixture()
		for done := int64(1); done <= 1000; done++ {
			*clock = clock.Add(test.step)
			c.Update(training(done))
		}
		if got := strings.Count(b.String(), "\n"); got != test.want {
			t.Errorf("a step every %v: %d lines, want %d:\n%s", test.step, got, test.want, b)
		}
	}
}

func TestLineTellsAll(t *testing.T) {
	c, b, clock := fixture()
	c.Update(training(400)) // as a resumed run begins
	*clock = clock.Add(20 * time.Second)
	c.Update(training(500))
	if got, want := b.String(), "training: step 500 of 1000 (50%), RMSE 0.5, 1m40s left\n"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestJSONLines(t *testing.T) {
	c, b, clock := fixture()
	c.Format = JSON
	c.Update(training(400))
	*clock = clock.Add(20 * time.Second)
	c.Update(training(500))
	c.Warn("careful", slog.Int("rows", 3))
	lines := strings.Split(strings.TrimSpace(b.String()), "\n")
	if len(lines) != 2 {
		t.Fatalf("%d lines, want 2: %s", len(lines), b)
	}
	var progress struct {
		Event       string
		Done, Total int64
		RMSE        float64
		Remaining   float64 `json:"remaining_seconds"`
	}
	if err := json.Unmarshal([]byte(lines[0]), &progress); err != nil {
		t.Fatal(err)
	}
	if progress.Event != "progress" || progress.Done != 500 || progress.Total != 1000 || progress.RMSE != 0.5 || progress.Remaining != 100 {
		t.Errorf("%+v", progress)
	}
	if !strings.Contains(lines[1], `"level":"WARN","msg":"careful","rows":3`) {
		t.Errorf("%s", lines[1])
	}
}

// Nothing that a terminal would obey comes out, and JSON means what was said.
func TestWhatIsSaidIsPrintable(t *testing.T) {
	const hostile = "a\x1b[2J\u009b\u202e\x7f"
	const shown = `a\x1b[2J\u009b\u202e\x7f`
	for _, format := range []Format{Text, JSON} {
		for _, progress := range []When{Auto, Always} {
			c, b, clock := fixture()
			c.Format, c.Progress = format, progress
			for done := range int64(5) {
				*clock = clock.Add(20 * time.Second)
				c.Update(State{Task: hostile, Done: done, Total: 5, Unit: "step", Detail: hostile})
			}
			c.EndProgress()
			if got := b.String(); strings.Contains(got, "\x1b[2J") || strings.ContainsAny(got, "\u009b\u202e\x7f") {
				t.Errorf("%s, progress %s: %q", format, progress, got)
			}
			b.Reset()
			c.Note("first\n"+hostile, slog.String("name", hostile))
			c.Warn("one\nline")
			c.Error(hostile + strings.Repeat("long", 1<<20))
			lines := strings.Split(strings.TrimSpace(b.String()), "\n")
			if format == Text {
				if len(lines) != 4 || lines[1] != shown || lines[2] != `warning: one\nline` || !strings.HasPrefix(lines[3], "error: "+shown) || len(lines[3]) > 5000 {
					t.Errorf("%.300q", lines)
				}
				continue
			}
			var said struct{ Msg, Name string }
			if err := json.Unmarshal([]byte(lines[0]), &said); err != nil || said.Msg != "first\n"+shown || said.Name != hostile || strings.ContainsAny(b.String(), "\u009b\u202e\x7f\x1b") {
				t.Errorf("%q, %v", said, err)
			}
		}
	}
}

func TestQuietSaysWarningsAndErrors(t *testing.T) {
	c, b, clock := fixture()
	c.Quiet = true
	c.Note("note")
	c.Update(training(1))
	*clock = clock.Add(time.Minute)
	c.Update(training(999))
	c.Warn("warn")
	c.Error("fail")
	if got, want := b.String(), "warning: warn\nerror: fail\n"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// A bar shows the step, the score and the time left, and is gone before a message.
func TestBar(t *testing.T) {
	c, b, clock := fixture()
	c.Progress = Always
	c.Update(training(400))
	*clock = clock.Add(20 * time.Second)
	c.Update(training(500))
	for _, want := range []string{"RMSE 0.5", "1m40s left", "50%"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("%q is missing in %q", want, b)
		}
	}
	c.Note("done")
	last := b.String()[strings.LastIndex(b.String(), "\r"):]
	if last != "\rdone\n" {
		t.Errorf("the message comes as %q", last)
	}
}

// A line of a bar covers the one before it, keeps off the end of the terminal's line,
// and leaves nothing.
func TestBarCoversItself(t *testing.T) {
	c, b, clock := fixture()
	c.Progress = Always
	for _, s := range []State{
		{Task: "reading", Done: 5_000_000, Total: 20_000_000, Unit: Bytes, Detail: strings.Repeat("long ", 30)},
		{Task: "reading", Done: 10_000_000, Total: 20_000_000, Unit: Bytes},
		{Task: "reading", Done: 12, Total: -1, Unit: "row"},
	} {
		*clock = clock.Add(time.Second)
		c.Update(s)
	}
	c.EndProgress()
	lines := strings.Split(b.String(), "\r")[1:]
	if len(lines) != 5 || lines[4] != "" || strings.TrimSpace(lines[3]) != "" {
		t.Fatalf("%q", lines)
	}
	for i, line := range lines[:3] {
		columns := utf8.RuneCountInString(line)
		if columns > 77 || i > 0 && columns < utf8.RuneCountInString(strings.TrimRight(lines[i-1], " ")) {
			t.Errorf("line %d has %d columns: %q", i, columns, line)
		}
	}
	if got, want := strings.TrimRight(lines[1], " "), "reading  2s left   50% |"+strings.Repeat("█", 10)+strings.Repeat(" ", 10)+"| (10 MB/20 MB)"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got := strings.TrimRight(lines[2], " "); got != "reading (12)" {
		t.Errorf("without a total: %q", got)
	}
}
