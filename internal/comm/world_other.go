//go:build !(mpi && cgo)

package comm

import "fmt"

// Built tells whether this program can be one of several ranks.
const Built = false

// World returns this process as a rank of its run. This program has no MPI: it is the only rank,
// and it fails where it was started as one of several.
func World() (Comm, error) {
	if l := Launched(); l.Ranks > 1 {
		return nil, fmt.Errorf("%s has started this program on %d ranks, and it is built without MPI: every rank would do all of the work; build it by go build -tags mpi ./cmd/beziergp, or %s", l.By, l.Ranks, l.Apart())
	}
	return Alone(), nil
}
