package comm

import (
	"bytes"
	"context"
	"errors"
	"fmt"
)

// proceeds takes steps together, until one rank fails, which all learn.
func proceeds(ctx context.Context, c Comm) error {
	last := c.Size() - 1
	for _, want := range []bool{false, true} {
		asked, err := Proceed(ctx, c, nil, want && c.Rank() == last)
		if err != nil || asked != want {
			return fmt.Errorf("a rank asks: %v, which is heard as %v, %v", want, asked, err)
		}
	}
	var own error
	if c.Rank() == last {
		own = context.Canceled
	}
	asked, err := Proceed(ctx, c, own, c.Rank() == 0)
	if asked && last > 0 || !errors.Is(err, context.Canceled) {
		return fmt.Errorf("rank %d is told to stop, and this one hears %v, %v", last, asked, err)
	}
	return nil
}

func scatters(ctx context.Context, c Comm) error {
	for root := range c.Size() {
		var messages [][]byte
		if c.Rank() == root {
			for r := range c.Size() {
				messages = append(messages, text(root, r, c.Size()))
			}
		}
		got, err := Scatter(ctx, c, root, messages)
		if err != nil || !bytes.Equal(got, text(root, c.Rank(), c.Size())) {
			return fmt.Errorf("rank %d scatters %d bytes to this one, %v", root, len(got), err)
		}
	}
	return nil
}
