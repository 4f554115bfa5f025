package comm

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
)

// Item is a part of the set-up of a run that has to be the same on all ranks.
type Item struct {
	Name   string `json:"name"`   // as in "the table"
	Value  string `json:"value"`  // short, or a hash
	Remedy string `json:"remedy"` // what to do where values differ
}

// SetUpError says in what the set-ups of two ranks differ.
type SetUpError struct{ Problem string }

func (e *SetUpError) Error() string { return e.Problem }

// setUp is what a rank tells the others before work begins.
type setUp struct {
	Host        string `json:"host"`
	Items       []Item `json:"items"`
	Problem     string `json:"problem,omitempty"`
	Interrupted bool   `json:"interrupted,omitempty"`
}

// Agree fails on all ranks unless all have equal items and none has failed until here. A rank
// that has failed gets its own error back, and the others a [RemoteError].
func Agree(ctx context.Context, ranks Comm, items []Item, failed error) error {
	if ranks.Size() == 1 {
		return failed
	}
	own := setUp{Items: items}
	own.Host, _ = os.Hostname() // which only helps to find the rank
	if failed != nil {
		own.Problem, own.Interrupted = failed.Error(), errors.Is(failed, context.Canceled)
	}
	text, err := json.Marshal(own)
	if err != nil {
		return err
	}
	texts, err := ranks.AllGather(ctx, text)
	if err != nil {
		return errors.Join(failed, err)
	}
	if failed != nil {
		return failed
	}
	all := make([]setUp, len(texts))
	for r, text := range texts {
		if err := json.Unmarshal(text, &all[r]); err != nil {
			return remote(r, err)
		}
		if all[r].Problem != "" {
			return &RemoteError{r, all[r].Problem, all[r].Interrupted}
		}
	}
	for r := range all {
		if err := all[r].differs(r, all[0]); err != nil {
			return err
		}
	}
	return nil
}

// differs tells the first item in which the set-up of a rank differs from that of rank 0.
func (s setUp) differs(rank int, from setUp) error {
	for i, own := range s.Items[:min(len(s.Items), len(from.Items))] {
		if other := from.Items[i]; own.Name != other.Name || own.Value != other.Value {
			return &SetUpError{fmt.Sprintf("%s of rank %d on %s differs from that of rank 0 on %s, %s and %s: %s", own.Name, rank, s.Host, from.Host, own.Value, other.Value, own.Remedy)}
		}
	}
	if len(s.Items) != len(from.Items) {
		return &SetUpError{fmt.Sprintf("rank %d on %s is another program than rank 0 on %s: start the same one", rank, s.Host, from.Host)}
	}
	return nil
}
