package printable

import (
	"encoding/json"
	"io"
)

// Encoder returns an encoder of JSON that is exact and that a terminal can show.
func Encoder(w io.Writer) *json.Encoder { return json.NewEncoder(Writer(w)) }

// Writer returns a writer of JSON, to which whole values are written at a time.
func Writer(w io.Writer) io.Writer { return writer{w} }

type writer struct{ w io.Writer }

func (w writer) Write(p []byte) (int, error) {
	if _, err := w.w.Write(JSON(p)); err != nil {
		return 0, err
	}
	return len(p), nil
}
