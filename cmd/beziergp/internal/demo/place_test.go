package demo

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"beziergp/cmd/beziergp/internal/exit"
)

// A folder is claimed where all files that would be replaced are a demo's.
func TestClaim(t *testing.T) {
	files, err := inputs()
	if err != nil {
		t.Fatal(err)
	}
	again, _ := inputs()
	if !slices.EqualFunc(files, again, func(a, b input) bool { return a.name == b.name && string(a.content) == string(b.content) }) {
		t.Fatal("the inputs of a demo differ from those of another")
	}
	put := func(dir, name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	link := func(dir, to, name string) {
		t.Helper()
		if err := os.Symlink(to, filepath.Join(dir, name)); err != nil {
			t.Skip("no symbolic links here: ", err)
		}
	}
	for name, c := range map[string]struct {
		filled bool // by a former demo
		change func(dir string)
		says   string // nothing where the folder is claimed
	}{
		"empty":                     {},
		"with a file of no concern": {change: func(dir string) { put(dir, "notes.txt", "mine") }},
		"of a demo":                 {filled: true, change: func(dir string) { put(dir, "notes.txt", "mine") }},
		"of an interrupted demo":    {filled: true, change: func(dir string) { os.Remove(filepath.Join(dir, "model.bgp")) }},
		"of a demo that began":      {change: func(dir string) { put(dir, files[0].name, string(files[0].content)) }},
		"with a table":              {change: func(dir string) { put(dir, "test.csv", "mine") }, says: "test.csv would be replaced"},
		"with an empty table":       {change: func(dir string) { put(dir, "all.csv", "") }, says: "all.csv would be replaced"},
		"with a changed table": {filled: true, says: "train.csv would be replaced", change: func(dir string) {
			put(dir, "train.csv", strings.Replace(string(files[1].content), "1", "2", 1))
		}},
		"with a folder":    {change: func(dir string) { os.Mkdir(filepath.Join(dir, "hole.csv"), 0o700) }, says: "hole.csv would be replaced"},
		"with a model":     {change: func(dir string) { put(dir, "model.bgp", "mine") }, says: "model.bgp would be replaced"},
		"without its mask": {filled: true, change: func(dir string) { os.Remove(filepath.Join(dir, "split.csv")) }, says: "model.bgp would be replaced"},
		"with a link to a model": {filled: true, says: "sgpr.bgp would be replaced", change: func(dir string) {
			os.Remove(filepath.Join(dir, "sgpr.bgp"))
			link(dir, filepath.Join(t.TempDir(), "elsewhere"), "sgpr.bgp")
		}},
		"with a link to nothing": {says: "all.csv would be replaced", change: func(dir string) { link(dir, "nothing", "all.csv") }},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			if c.filled {
				for _, file := range files {
					put(dir, file.name, string(file.content))
				}
				for _, name := range outputs {
					put(dir, name, "a result")
				}
			}
			if c.change != nil {
				c.change(dir)
			}
			err := demo{Options: &Options{Dir: dir}}.claim(files)
			if c.says == "" && err != nil || c.says != "" && (err == nil || exit.Code(err) != exit.Usage || !strings.Contains(err.Error(), c.says)) {
				t.Errorf("error %v, want one that says %q", err, c.says)
			}
		})
	}
}
