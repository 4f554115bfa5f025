package format

import (
	"strings"
	"testing"
)

func TestOf(t *testing.T) {
	for head, want := range map[string]Format{
		"":                      Empty,
		"a,b\r\n1,2\n":          Text,
		"größe\n":               Text,
		"gr\xc3":                Text, // cut within a character
		"gr\xf6\xdfe\n":         Unknown,
		"a\x00b":                Unknown,
		"\x89PNG\r\n\x1a\n\x00": Unknown,
		"\x10\x00\x00\x00\x00\x00\x00\x00" + `{"__metadata__":{"beziergp.model":"{}`:      Model,
		"\x10\x00\x00\x00\x00\x00\x00\x00" + `{"__metadata__":{"beziergp.rival":"{}`:      Model,
		"\x10\x00\x00\x00\x00\x00\x00\x00" + `{"__metadata__":{"beziergp.checkpoint":"{}`: Checkpoint,
		"\x10\x00\x00\x00\x00\x00\x00\x00" + `{"__metadata__":{"format":"pt"}`:            Tensors,
		"PAR1\x15": Parquet, "ARROW1\x00\x00": Arrow, "SQLite format 3\x00": SQLite, "PK\x03\x04": ZIP,
		"\x1f\x8b\x08": Gzip, "\x28\xb5\x2f\xfd": Zstd,
		strings.Repeat("x,", Head/2): Text,
	} {
		if got := Of([]byte(head)); got != want {
			t.Errorf("%.40q is %q, want %q", head, got, want)
		}
	}
}
