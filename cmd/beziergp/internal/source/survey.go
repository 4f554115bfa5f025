package source

import (
	"context"
	"errors"
	"io"

	"beziergp/cmd/beziergp/internal/streams"
	"beziergp/table/exact"
)

// Survey reads columns of the rows to take as they stand, block by block, before the table
// is read for what it is. typed tells whether the file has types of its own.
func Survey(ctx context.Context, path string, o Options, s streams.Streams, names []string, each func(columns []exact.Column, typed bool) error) error {
	t, err := Open(ctx, path, o, true, s, "looking", nil)
	if err != nil {
		return err
	}
	defer t.Close()
	if err := t.reader.KeepOnly(names...); err != nil {
		return err
	}
	for {
		if _, err := t.Next(ctx, nil); err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
		if err := each(t.Kept(), t.reader.Typed()); err != nil {
			return err
		}
	}
}

// Guess returns what the columns of a file of text are, each as a whole; nil of another
// file, whose columns have types, and of what can be read once, where they are texts.
func Guess(ctx context.Context, path string, o Options, s streams.Streams, names []string) ([]exact.Kind, error) {
	if o.From != "" || o.CheckPipes(path, "it") != nil {
		return nil, nil
	}
	guesses := make([]exact.Guess, len(names))
	err := Survey(ctx, path, o, s, names, func(columns []exact.Column, typed bool) error {
		if typed {
			return errTyped
		}
		for k := range columns {
			guesses[k].Add(&columns[k])
		}
		return nil
	})
	if err != nil {
		if err == errTyped {
			err = nil
		}
		return nil, err
	}
	kinds := make([]exact.Kind, len(names))
	for k := range guesses {
		kinds[k] = guesses[k].Kind()
	}
	return kinds, nil
}

var errTyped = errors.New("the table has types")
