//go:build !lean

package tablefile

import (
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A damaged file ends in the words of an error, whatever it makes a library do.
func TestFlippedBytesAreToldInWords(t *testing.T) {
	t.Parallel()
	batch := sharedBatch().NewSlice(0, 20)
	path := filepath.Join(t.TempDir(), "t")
	for name, write := range writers {
		write(t, path, batch, 15)
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		random := rand.New(rand.NewPCG(17, 4))
		seen := map[string]bool{}
		for range 150 {
			at := random.IntN(len(data))
			was := data[at]
			data[at] ^= byte(1 + random.IntN(255))
			if err := os.WriteFile(path, data, 0o600); err != nil {
				t.Fatal(err)
			}
			data[at] = was
			err := drain(openFormat(name, path))
			if err == nil || err == io.EOF {
				continue
			}
			var e *Error
			if !errors.As(err, &e) || e.File != path || e.Remedy == "" {
				t.Fatalf("%s, byte %d: %v", name, at, err)
			}
			for _, own := range []string{"runtime error", "index out of range", "panic", "goroutine", "interface conversion", ".go:", "nil pointer"} {
				if strings.Contains(err.Error(), own) {
					t.Errorf("%s, byte %d: %v", name, at, err)
				}
			}
			seen[e.Problem] = true
		}
		if len(seen) == 0 {
			t.Errorf("%s: no flip is an error", name)
		}
	}
}

// What a driver panics with is an error of its file, too.
func TestPanicsOfDriversAreErrors(t *testing.T) {
	for _, p := range []any{"driver: bad page", errors.New("driver: bad page"), fmt.Errorf("%w", errors.New("driver: bad page"))} {
		if _, err := caught(func() error { panic(p) }); err == nil || err.Error() != "driver: bad page" {
			t.Errorf("%v becomes %v", p, err)
		}
	}
	var none []int
	_, err := caught(func() error { _ = none[len(none)]; return nil })
	if err == nil || words(err) != "its lengths, offsets and types contradict each other" {
		t.Errorf("%v", err)
	}
}

// breaking are the rows of a driver that panics.
type breaking struct{}

func (breaking) next() ([]any, error)         { panic("driver: bad page") }
func (breaking) kinds() ([]columnKind, error) { return []columnKind{{kind: numberCells}}, nil }
func (breaking) columnsHaveTypes() bool       { return false }
func (breaking) close() error                 { return nil }

func TestAPanicWithinAQueryIsAnError(t *testing.T) {
	s := &sqlSource{ctx: t.Context(), name: "t.db", rows: breaking{}, names: []string{"a"}, selected: []int{0}, cancel: func() {}}
	_, _, err := s.Next(t.Context())
	const want = "t.db: what the database sends cannot be decoded (driver: bad page); check the database, or export the table to a file"
	if err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}
