package beziergp_test

import (
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const modulePath = "beziergp"

// packages reads the import table of ARCHITECTURE.md: package pattern and level.
func packages(t *testing.T) map[string]int {
	t.Helper()
	text, err := os.ReadFile("ARCHITECTURE.md")
	if err != nil {
		t.Fatal(err)
	}
	levels := map[string]int{}
	for _, row := range regexp.MustCompile("(?m)^\\| `([^`]+)` \\| (\\d+) \\|").FindAllStringSubmatch(string(text), -1) {
		levels[row[1]], _ = strconv.Atoi(row[2])
	}
	return levels
}

// level returns the level of a package: its own row's, or that of a row that ends
// in /* and holds it.
func level(levels map[string]int, name string) (int, bool) {
	if l, ok := levels[name]; ok {
		return l, true
	}
	l, ok := levels[path.Dir(name)+"/*"]
	return l, ok
}

// imports returns, by package, the packages of this module that it imports, split
// into those of its code and those of its tests.
func imports(t *testing.T) (code, tests map[string][]string) {
	t.Helper()
	code, tests = map[string][]string{}, map[string][]string{}
	err := filepath.WalkDir(".", func(file string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() && file != "." {
			if _, err := os.Stat(filepath.Join(file, "go.mod")); err == nil || strings.HasPrefix(entry.Name(), ".") || entry.Name() == "testdata" {
				return filepath.SkipDir // another module
			}
		}
		if filepath.Ext(file) != ".go" {
			return nil
		}
		name := filepath.ToSlash(filepath.Dir(file))
		if name == "." {
			name = modulePath
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		into := code
		if strings.HasSuffix(file, "_test.go") {
			into = tests
		}
		into[name] = append(into[name], []string{}...)
		for _, spec := range parsed.Imports {
			imported, _ := strconv.Unquote(spec.Path.Value)
			if imported == modulePath {
				into[name] = append(into[name], modulePath)
			} else if rest, ok := strings.CutPrefix(imported, modulePath+"/"); ok {
				into[name] = append(into[name], rest)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return code, tests
}

func TestPackagesImportOnlySmallerNumbers(t *testing.T) {
	testsOnly := []string{"internal/testkit", "internal/process/basis/conform", "rival/method/conform", "rival/method/oracle"}
	levels := packages(t)
	code, tests := imports(t)
	if len(code) < 10 || len(tests) < 10 {
		t.Fatalf("found %d packages and %d with tests", len(code), len(tests))
	}
	for name, imported := range code {
		own, ok := level(levels, name)
		if !ok {
			t.Errorf("package %s is not in ARCHITECTURE.md", name)
		}
		for _, other := range imported {
			if l, ok := level(levels, other); !ok || l >= own {
				t.Errorf("%s (level %d) imports %s (level %d)", name, own, other, l)
			}
			if slices.Contains(testsOnly, other) && !slices.Contains(testsOnly, name) {
				t.Errorf("%s imports %s, which only tests may", name, other)
			}
		}
	}
	for name := range levels {
		if _, ok := code[name]; !ok && !strings.HasSuffix(name, "/*") {
			t.Errorf("ARCHITECTURE.md has package %s, the tree has not", name)
		}
	}
}

// cycle returns the names of a cycle of a graph, the first once more at the end; nil where
// there is none.
func cycle(graph map[string][]string) []string {
	done := map[string]bool{}
	var path []string
	var visit func(name string) []string
	visit = func(name string) []string {
		if at := slices.Index(path, name); at >= 0 {
			return append(slices.Clone(path[at:]), name)
		}
		if done[name] {
			return nil
		}
		path = append(path, name)
		for _, other := range graph[name] {
			if found := visit(other); found != nil {
				return found
			}
		}
		path = path[:len(path)-1]
		done[name] = true
		return nil
	}
	for _, name := range slices.Sorted(maps.Keys(graph)) {
		if found := visit(name); found != nil {
			return found
		}
	}
	return nil
}

// Folders at the top are rooms that stand on each other, too; the root is one of them.
func TestTopFoldersImportWithoutCycles(t *testing.T) {
	for want, graph := range map[string]map[string][]string{
		"b c d b": {"a": {"b"}, "b": {"c"}, "c": {"d"}, "d": {"b"}},
		"":        {"a": {"b", "c"}, "b": {"c"}, "c": {}},
	} {
		if got := strings.Join(cycle(graph), " "); got != want {
			t.Errorf("cycle of %v: %q", graph, got)
		}
	}
	code, _ := imports(t)
	folders := map[string][]string{}
	for name, imported := range code {
		from, _, _ := strings.Cut(name, "/")
		for _, other := range imported {
			if to, _, _ := strings.Cut(other, "/"); to != from && !slices.Contains(folders[from], to) {
				folders[from] = append(folders[from], to)
			}
		}
	}
	if len(folders) < 10 {
		t.Fatalf("found imports of %d folders", len(folders))
	}
	if found := cycle(folders); found != nil {
		t.Errorf("folders import each other: %s", strings.Join(found, " → "))
	}
}

// What predicts carries no reader of files with its drivers, and no recipe; package model
// not even an optimiser.
func TestWhatPredictsNeedsNeitherReaderNorRecipe(t *testing.T) {
	code, _ := imports(t)
	for of, banned := range map[string][]string{
		"model": {"internal/process/elbo", "internal/process/optim", "train", "tablefile", modulePath},
		"serve": {"internal/process/elbo", "train", "tablefile", modulePath},
	} {
		reached := []string{of}
		for i := 0; i < len(reached); i++ {
			for _, other := range code[reached[i]] {
				if !slices.Contains(reached, other) {
					reached = append(reached, other)
				}
			}
		}
		for _, other := range banned {
			if slices.Contains(reached, other) {
				t.Errorf("%s reaches %s: %v", of, other, reached)
			}
		}
	}
}
