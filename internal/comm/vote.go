package comm

import (
	"context"
	"fmt"
)

const (
	goOn byte = iota
	askFor
	halt
)

// Proceed is called before a step that all ranks take together or not at all. It fails on all
// where one has failed until here, as [Agree] does. Each may ask for something that all have to do
// together first, and asked tells whether any of them has.
func Proceed(ctx context.Context, ranks Comm, failed error, asks bool) (asked bool, err error) {
	if ranks.Size() == 1 {
		return asks, failed
	}
	own := goOn
	switch {
	case failed != nil:
		own = halt
	case asks:
		own = askFor
	}
	all, err := ranks.AllGather(ctx, []byte{own})
	if err != nil {
		return false, err
	}
	most := goOn
	for r, vote := range all {
		if len(vote) != 1 {
			return false, fmt.Errorf("rank %d has said %d bytes of whether to go on: the ranks have gone different ways", r, len(vote))
		}
		most = max(most, vote[0])
	}
	if most == halt {
		return false, Agree(ctx, ranks, nil, failed)
	}
	return most == askFor, nil
}

// Scatter returns on every rank the message that the root has for it. The root alone gives
// messages, one a rank.
func Scatter(ctx context.Context, ranks Comm, root int, messages [][]byte) ([]byte, error) {
	if ranks.Rank() != root {
		messages = make([][]byte, ranks.Size())
	}
	all, err := ranks.AllToAll(ctx, messages)
	if err != nil {
		return nil, err
	}
	return all[root], nil
}
