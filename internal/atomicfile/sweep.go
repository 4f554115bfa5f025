package atomicfile

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"beziergp/internal/filelock"
)

// ending is what the name of an unfinished file ends in, after eight digits.
const ending = ".beziergp-tmp"

var unfinished = regexp.MustCompile(`^\.[0-9a-f]{8}` + regexp.QuoteMeta(ending) + `$`)

// Sweep removes the unfinished files that processes which were killed have left
// beside path. Those of living processes stay.
func Sweep(path string) {
	target, direct, err := resolve(path)
	if err != nil || direct {
		return
	}
	dir, err := os.Open(filepath.Dir(target))
	if err != nil {
		return
	}
	defer dir.Close()
	names, _ := dir.Readdirnames(-1) // what can be listed
	for _, name := range names {
		rest, beside := strings.CutPrefix(name, filepath.Base(target))
		if beside && unfinished.MatchString(rest) {
			filelock.RemoveAbandoned(filepath.Join(filepath.Dir(target), name))
		}
	}
}
