//go:build mpi

package comm

import "testing"

// The rank of a run that mpirun has started passes the suite; see mpirun_test.go.
func TestWorldConforms(t *testing.T) {
	if Launched().Ranks == 1 {
		t.Skip("this process is not one of several ranks")
	}
	c, err := World()
	if err != nil {
		t.Fatal(err)
	}
	code, words := 0, ""
	if err := conform(c); err != nil {
		code, words = 1, err.Error()
	}
	if code = End(c, code, words, func(w string) { words += w }); code != 0 {
		t.Fatal(words)
	}
}
