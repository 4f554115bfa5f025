package cli

import (
	"strings"
	"testing"

	"beziergp/internal/comm"
)

// Started on several ranks, the program without MPI says what to build; on ranks but the
// first it is silent, and verbs that do no harm run.
func TestStartedOnSeveralRanks(t *testing.T) {
	if comm.Built {
		t.Skip("this program has MPI")
	}
	t.Setenv("OMPI_COMM_WORLD_SIZE", "4")
	for _, c := range []struct {
		rank  string
		args  []string
		code  int
		words string
	}{
		{"0", []string{"fit", "none.csv", "--target", "y"}, 2, "go build -tags mpi ./cmd/beziergp"},
		{"0", []string{"predict", "none.bgp", "none.csv"}, 2, "go build -tags mpi ./cmd/beziergp"},
		{"2", []string{"fit", "none.csv", "--target", "y"}, 2, ""},
		{"2", []string{"version"}, 0, ""},
	} {
		t.Setenv("OMPI_COMM_WORLD_RANK", c.rank)
		var out, words strings.Builder
		if code := Main(c.args, strings.NewReader(""), &out, &words); code != c.code || !strings.Contains(words.String(), c.words) || c.words == "" && words.Len() > 0 {
			t.Errorf("%v on rank %s ends with %d and says %q", c.args, c.rank, code, words.String())
		}
	}
}
