package tablefile

import (
	"os"
	"path/filepath"
	"strings"

	"beziergp/internal/format"
	"beziergp/table"
)

// Files returns the files of a path that [Open] takes, in the order of their names
// if it is a pattern. A file whose name looks like a pattern is that file.
func Files(path string) ([]string, error) {
	if !strings.ContainsAny(path, "*?[") {
		return []string{path}, nil
	}
	if _, err := os.Stat(path); err == nil {
		return []string{path}, nil
	}
	files, err := filepath.Glob(path)
	switch {
	case err != nil:
		return nil, &Error{File: path, Problem: "this is no pattern: " + err.Error(), Remedy: "check the path", Err: err}
	case len(files) == 0:
		return nil, &Error{File: path, Problem: "no file is of this pattern", Remedy: "check the path", Err: os.ErrNotExist}
	}
	return files, nil
}

// openBody opens a file, whatever its format.
func openBody(path string, o Options) (body, error) {
	if path != stdinPath {
		if what := formatOf(path); typedFormats[what] != nil {
			f, err := openBinary(path, string(what))
			if err != nil {
				return nil, err
			}
			return openTyped(f, what)
		}
	}
	s, err := openSource(path, o)
	if err != nil {
		return nil, err
	}
	b, err := openCSV(s, o.Comma)
	if err != nil {
		s.close()
		return nil, err
	}
	return b, nil
}

// openTyped reads a file of a format that has types, which it closes.
func openTyped(f *binaryFile, what format.Format) (body, error) {
	t, err := typedFormats[what](f)
	if err != nil {
		return nil, err
	}
	if err := table.CheckNames(t.Names()); err != nil {
		t.Close()
		return nil, &Error{File: f.name, Problem: err.Error(), Remedy: uniqueNames, Err: err}
	}
	return &typedBody{file: t}, nil
}

// formatOf tells the format of a regular file by its first bytes.
func formatOf(path string) format.Format {
	if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() {
		return format.Unknown // the bytes of a pipe come once
	}
	file, err := os.Open(path)
	if err != nil {
		return format.Unknown // it is opened again, and the error told
	}
	defer file.Close()
	head := make([]byte, format.Head)
	n, _ := file.ReadAt(head, 0)
	return format.Of(head[:n])
}

// locate puts the indices that columns have in a file into their plans.
func locate(plans []plan, names []string) {
	index := make(map[string]int, len(names))
	for j, name := range names {
		index[name] = j
	}
	for k := range plans {
		plans[k].index = index[plans[k].name] // each is there, as agree sees to
	}
}

func setOf(names []string) map[string]bool {
	set := make(map[string]bool, len(names))
	for _, name := range names {
		set[name] = true
	}
	return set
}

// agree refuses a file whose columns are not those of the first.
func agree(file string, names, first []string, firstFile string) error {
	have, want := setOf(names), setOf(first)
	for _, name := range first {
		if !have[name] {
			return &Error{File: file, Column: name, Problem: "there is no such column, but " + firstFile + " has it",
				Remedy: "files that are one table have the same columns, in any order"}
		}
	}
	for _, name := range names {
		if !want[name] {
			return &Error{File: file, Column: name, Problem: "this column is not in " + firstFile,
				Remedy: "files that are one table have the same columns, in any order"}
		}
	}
	return nil
}

// closedBody stands for a file that could not be opened.
type closedBody struct{ body }

func (closedBody) close() error { return nil }
