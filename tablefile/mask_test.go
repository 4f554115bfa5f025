package tablefile_test

import (
	"context"
	"errors"
	"io/fs"
	"reflect"
	"strings"
	"testing"

	"beziergp/tablefile"
)

func TestParseMask(t *testing.T) {
	for _, c := range []struct{ text, path, column string }{
		{"mask.csv:test", "mask.csv", "test"},
		{`C:\data\mask.csv:split 0`, `C:\data\mask.csv`, "split 0"},
		{"C:/mask.csv.gz:1", "C:/mask.csv.gz", "1"},
		{"a:b:c", "a:b", "c"},
		{"m:t", "m", "t"},
	} {
		path, column, err := tablefile.ParseMask(c.text)
		if path != c.path || column != c.column || err != nil {
			t.Errorf("ParseMask(%q) = %q, %q, %v", c.text, path, column, err)
		}
	}
	for _, text := range []string{"", ":", "mask.csv", "mask.csv:", ":test", `C:\data\mask.csv`, "C:/mask.csv"} {
		if _, _, err := tablefile.ParseMask(text); err == nil || !strings.Contains(err.Error(), "FILE:COLUMN") {
			t.Errorf("ParseMask(%q): error %v", text, err)
		}
	}
}

func TestReadMask(t *testing.T) {
	path := file(t, "mask", zip("name,split0,split1\nx,0,1\ny,1,0.0\n,0, 1\n"))
	for _, rows := range []int{3, -1} {
		for column, want := range map[string][]bool{
			"split0": {false, true, false}, "split1": {true, false, true},
		} {
			got, err := tablefile.ReadMask(context.Background(), path, column, rows)
			if err != nil || !reflect.DeepEqual(got, want) {
				t.Errorf("%s: %v, %v, want %v", column, got, err, want)
			}
		}
	}
}

func TestReadMaskRefuses(t *testing.T) {
	const mark = "; mark test rows with 1 and all others with 0"
	path := file(t, "mask.csv", "two,text,empty,good\n0,1,1,1\n2,yes,,0\n")
	for column, want := range map[string]string{
		"two":   `row 2 (line 3), column "two": "2" is neither 0 nor 1` + mark,
		"text":  `row 2 (line 3), column "text": "yes" is neither 0 nor 1` + mark,
		"empty": `row 2 (line 3), column "empty": there is no value` + mark,
		"goof":  `column "goof": there is no such column; did you mean "good"?`,
		"good":  `column "good": the mask has 2 rows, but the table has 5; give the mask that belongs to the table`,
	} {
		_, err := tablefile.ReadMask(context.Background(), path, column, 5)
		var e *tablefile.Error
		if !errors.As(err, &e) || e.Error() != path+": "+want {
			t.Errorf("%s: %v, want %s", column, err, want)
		}
	}
	if _, err := tablefile.ReadMask(context.Background(), path+".none", "good", -1); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no file: %v", err)
	}
}
