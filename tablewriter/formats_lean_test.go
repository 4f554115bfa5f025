//go:build lean

package tablewriter_test

import (
	"io"
	"strings"
	"testing"

	"beziergp/tablewriter"
)

// A format that is left out is refused by its ending, and not written as another.
func TestFormatsLeftOut(t *testing.T) {
	for _, path := range []string{"p.parquet", "p.feather"} {
		f := tablewriter.Of(path)
		if f == "" {
			t.Errorf("%s is of no format", path)
		}
		if _, err := tablewriter.New(io.Discard, f, numbers("y")); err == nil || !strings.Contains(err.Error(), "it writes [csv tsv jsonl]") {
			t.Errorf("%s: %v", path, err)
		}
	}
}
