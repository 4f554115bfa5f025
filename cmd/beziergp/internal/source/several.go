package source

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"beziergp/internal/printable"
)

// SeveralError reports several files in the place of one, as of a pattern that a shell has
// replaced.
type SeveralError struct {
	Files   []string
	Pattern string // which all of them are of, and no others; empty where there is none so simple
}

func (e *SeveralError) Error() string {
	return fmt.Sprintf("%d files in the place of DATA, %s to %s: name files that are one table by a pattern in quotes, which the shell leaves alone",
		len(e.Files), printable.Line(e.Files[0]), printable.Line(e.Files[len(e.Files)-1]))
}

// several returns the error of arguments that all are files, nil if one is none.
func several(files []string) error {
	for _, file := range files {
		if info, err := os.Stat(file); err != nil || info.IsDir() {
			return nil
		}
	}
	e := &SeveralError{Files: files}
	if pattern := patternOf(files); pattern != "" {
		of, err := filepath.Glob(pattern)
		want := slices.Clone(files)
		slices.Sort(want)
		if slices.Sort(of); err == nil && slices.Equal(of, want) {
			e.Pattern = pattern
		}
	}
	return e
}

// patternOf returns what files begin and end with, and * between.
func patternOf(files []string) string {
	prefix, suffix := files[0], files[0]
	for _, file := range files[1:] {
		for !strings.HasPrefix(file, prefix) {
			prefix = prefix[:len(prefix)-1]
		}
		for !strings.HasSuffix(file, suffix) {
			suffix = suffix[1:]
		}
	}
	for _, file := range files { // of 1.csv and 11.csv both would take the 1
		if over := len(prefix) + len(suffix) - len(file); over > 0 {
			suffix = suffix[min(over, len(suffix)):]
		}
	}
	if strings.ContainsAny(prefix+suffix, `*?[\`) {
		return ""
	}
	return prefix + "*" + suffix
}
