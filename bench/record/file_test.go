package record

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const line = `{"suite":"uci","set":"energy","split":%,"method":"Linear","options":["--method","linear"],"seed":1,"rmse":2.5,"nlpd":null}` + "\n"

func lines(splits string) (text string) {
	for _, s := range splits {
		text += strings.Replace(line, "%", string(s), 1)
	}
	return text
}

func put(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "uci.jsonl")
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// add appends a record to a file and returns the splits that it holds then.
func add(t *testing.T, path string, split int) (splits []int) {
	t.Helper()
	log, err := Append(path)
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	if err := log.Add(Record{Suite: "uci", Set: "energy", Method: "Linear", Split: split}); err != nil {
		t.Fatal(err)
	}
	records, torn, err := Read(path)
	if err != nil || torn != 0 {
		t.Fatalf("line %d is torn, %v", torn, err)
	}
	for _, r := range records {
		splits = append(splits, r.Split)
	}
	return splits
}

func TestAppendToWhatIsThere(t *testing.T) {
	for name, test := range map[string]struct {
		text string
		want int
	}{
		"nothing":            {"", 1},
		"whole lines":        {lines("01"), 3},
		"a torn line":        {lines("01") + `{"suite":"uci","set":"ener`, 3},
		"a torn first line":  {`{"suite":`, 1},
		"no newline at last": {strings.TrimSuffix(lines("01"), "\n"), 3},
	} {
		if got := add(t, put(t, test.text), 7); len(got) != test.want || got[len(got)-1] != 7 {
			t.Errorf("%s: splits %v, want %d with 7 at last", name, got, test.want)
		}
	}
	if got := add(t, filepath.Join(t.TempDir(), "new.jsonl"), 7); len(got) != 1 {
		t.Errorf("a new file has %v", got)
	}
}

func TestReadTellsATornLine(t *testing.T) {
	records, torn, err := Read(put(t, lines("01")+`{"suite":"uci","set":"ener`))
	if err != nil || torn != 3 || len(records) != 2 {
		t.Errorf("%d records, torn %d, %v", len(records), torn, err)
	}
	if r := records[1]; r.Split != 1 || *r.RMSE != 2.5 || r.NLPD != nil || r.Option("--method") != "linear" || r.Option("linear") != "" {
		t.Errorf("%+v", r)
	}
}

func TestReadNamesADamagedLine(t *testing.T) {
	for _, text := range []string{
		lines("0") + "{\"suite\":\n" + lines("1"),
		lines("0") + "rubbish\n",
		lines("0") + "{}\n",
		lines("0") + strings.Replace(lines("1"), `"uci"`, `"../uci"`, 1),
		lines("0") + strings.Replace(lines("1"), `"uci"`, `"/tmp/uci"`, 1),
		lines("0") + strings.Replace(lines("1"), `"uci"`, `".."`, 1),
	} {
		path := put(t, text)
		_, _, err := Read(path)
		var file *FileError
		if !errors.As(err, &file) || file.Line != 2 || file.File != path {
			t.Errorf("%q: %v", text, err)
		}
		if log, err := Append(path); err == nil {
			log.Close()
			t.Errorf("%q is appended to", text)
		}
	}
}

func TestKey(t *testing.T) {
	a := Record{Suite: "uci", Options: []string{"a", "b"}}
	b := Record{Suite: "uci", Options: []string{"a b"}}
	c := Record{Suite: "uci", Options: []string{"a", "b"}, Version: "2"}
	if a.Key() == b.Key() || a.Key() != c.Key() {
		t.Errorf("%v %v %v", a.Key(), b.Key(), c.Key())
	}
}
