package tablefile

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A file that is written to while it is read is no table, whatever was read of it; one
// that is replaced is read as it was.
func TestAFileThatChangesWhileItIsRead(t *testing.T) {
	const rows = 200000 // more than is read ahead
	text := "a,b\n" + strings.Repeat("1,2\n", rows)
	for name, c := range map[string]struct {
		change func(path string) error
		fails  bool
	}{
		"stays":   {func(string) error { return nil }, false},
		"is cut":  {func(path string) error { return os.Truncate(path, int64(len(text)-4000)) }, true},
		"is long": {func(path string) error { return add(path, "3,4\n") }, true},
		"is replaced": {func(path string) error {
			return errors.Join(os.WriteFile(path+".new", []byte("a,b\n7,8\n"), 0o600), os.Rename(path+".new", path))
		}, false},
	} {
		path := filepath.Join(t.TempDir(), "t.csv")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		r, err := Open(path, Options{})
		if err != nil {
			t.Fatal(err)
		}
		defer r.Close()
		if err := c.change(path); err != nil {
			t.Skip("it cannot be changed while it is open: ", err)
		}
		read, err := r.ReadAll(t.Context())
		var faulty *Error
		if c.fails && (!errors.As(err, &faulty) || !strings.Contains(err.Error(), "the file changed while it was read")) || !c.fails && (err != nil || read.Rows() != rows) {
			t.Errorf("the file %s: error %v", name, err)
		}
	}
}

func add(path, text string) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		return err
	}
	_, err = f.WriteString(text)
	return errors.Join(err, f.Close())
}
