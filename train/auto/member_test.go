package auto

import (
	"context"
	"errors"
	"testing"

	"beziergp/train"
)

// A member that is interrupted before it has said all of the rows held out is none.
func TestInterruptedMemberIsNone(t *testing.T) {
	d, _, w := prepared(fixture(t, 50), 1)
	defer w.pool.Close()
	m, err := fitAdditive(context.Background(), w, d, d.order, structure{train.Linear, []component{additive(2)}, 1}, 0)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if own, err := m.heldOut(ctx, w, d, d.order); own != nil || !errors.Is(err, context.Canceled) {
		t.Errorf("%+v, error %v", own, err)
	}
}
