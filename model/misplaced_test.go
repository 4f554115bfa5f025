package model_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"beziergp/model"
)

// A file of another kind in the place of a model is called what it is.
func TestFilesInThePlaceOfAModel(t *testing.T) {
	const give = ", not a model; give the file that fit wrote; where a table is given too, it comes after"
	path := filepath.Join(t.TempDir(), "m.bgp")
	for content, want := range map[string]string{
		"a,b\n1,2\n":          "this is text, as a table is" + give,
		"":                    "this is an empty file" + give,
		"PAR1\x15\x04":        "this is Parquet" + give,
		"ARROW1\x00\x00":      "this is Arrow" + give,
		"SQLite format 3\x00": "this is an SQLite database" + give,
		"\x1f\x8b\x08":        "this is gzip data" + give,
		"\x98\x28\x32\x00\x00\x00\x00\x00{\"__metadata__\":{\"beziergp.checkpoint\":\"{}\"}}": "this is a checkpoint of this program, not a model: " +
			"the command that began it goes on from there, and writes one",
	} {
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := model.Load(path)
		var file *model.FileError
		if !errors.As(err, &file) || err.Error() != path+": "+want {
			t.Errorf("%.20q: %v, want %s", content, err, want)
		}
	}
	_, err := model.Load(filepath.Dir(path))
	if want := filepath.Dir(path) + ": this is a directory; give the file in it that fit wrote"; err == nil || err.Error() != want {
		t.Errorf("a folder: %v, want %s", err, want)
	}
}
