package console

import (
	"context"
	"log/slog"
	"strings"
	"sync"

	"beziergp/internal/printable"
)

// Logger returns what logs by the console from many goroutines at once, while the verb itself
// says nothing. As text, fields follow the message; as JSON they are its own.
func (c *Console) Logger() *slog.Logger { return slog.New(&logHandler{console: c, mu: &sync.Mutex{}}) }

// logHandler says records by a console.
type logHandler struct {
	console *Console
	mu      *sync.Mutex
	fields  []slog.Attr
}

// Enabled leaves out what is said to nobody.
func (h *logHandler) Enabled(_ context.Context, level slog.Level) bool {
	return level >= slog.LevelInfo && (!h.console.Quiet || level >= slog.LevelWarn)
}

// Handle says a record.
func (h *logHandler) Handle(_ context.Context, r slog.Record) error {
	fields := append([]slog.Attr{}, h.fields...)
	r.Attrs(func(a slog.Attr) bool {
		fields = append(fields, a)
		return true
	})
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.console.Format == JSON {
		h.console.record(r.Level, r.Message, fields)
		return nil
	}
	var b strings.Builder
	b.WriteString(r.Message)
	for _, f := range fields {
		if text := f.Value.String(); text != "" {
			b.WriteString(" " + f.Key + "=" + printable.Line(text))
		}
	}
	switch {
	case r.Level >= slog.LevelError:
		h.console.Error(b.String())
	case r.Level >= slog.LevelWarn:
		h.console.Warn(b.String())
	default:
		h.console.Note(b.String())
	}
	return nil
}

// WithAttrs returns a handler that adds fields.
func (h *logHandler) WithAttrs(fields []slog.Attr) slog.Handler {
	return &logHandler{h.console, h.mu, append(append([]slog.Attr{}, h.fields...), fields...)}
}

// WithGroup returns the handler: a line has no groups.
func (h *logHandler) WithGroup(string) slog.Handler { return h }
