package apply

import (
	"errors"
	"fmt"
	"log/slog"

	"beziergp/cmd/beziergp/internal/exit"
	"beziergp/cmd/beziergp/internal/streams"
	"beziergp/dataset/seen"
)

// Seen has the result tell of the rows that were scored what a count found; nil where the
// model does not remember its rows.
func (r *Result) Seen(c *seen.Count) { r.seen = c }

// Unseen tells whether no rows scored were trained on, as far as the model remembers.
func (r *Result) Unseen() bool { return r.seen == nil || r.seen.Chance(r.Split) }

// CheckSeen warns of scores of rows that the model was trained on, or refuses them where
// it must be strict.
func (r *Result) CheckSeen(s streams.Streams, strict bool) error {
	if r.seen == nil {
		if strict {
			return exit.Dataf("the model comes from a former version and does not tell which rows it was trained on; fit again, or leave out --strict")
		}
		return nil
	}
	if r.Unseen() {
		return nil
	}
	about, chance := "", ""
	if r.seen.Sampled() {
		about = "about "
	}
	if n := r.seen.Expected(); n >= 0.5 {
		chance = fmt.Sprintf(" (rows repeat: by chance, %.0f would)", n)
	}
	message := fmt.Sprintf("%s%d of %d rows equal rows that the model was trained on%s: scores are better than on new rows; score rows that fit did not see, as fit --holdout or --test-mask leave them",
		about, r.seen.Equal(), r.seen.All, chance)
	if strict {
		return &exit.Error{Code: exit.Data, Err: errors.New(message)}
	}
	s.Console.Warn(message, slog.String("event", "trained_on"), slog.Int("rows", r.seen.Equal()), slog.Int("scored", r.seen.All), slog.Float64("by_chance", r.seen.Expected()))
	return nil
}
