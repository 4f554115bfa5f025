package main

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"beziergp/cmd/beziergp/internal/release/archive"
	"beziergp/cmd/beziergp/internal/release/licence"
)

// Built in two folders, under two settings of the user's, a program is the same.
func TestBuildsAreTheSameAnywhere(t *testing.T) {
	on := licence.System{OS: runtime.GOOS, Arch: runtime.GOARCH}
	var programs [2][]byte
	for i, flags := range []string{"", "-buildvcs=false -trimpath=false"} {
		t.Setenv("GOFLAGS", flags)
		dir := t.TempDir()
		for name, text := range map[string]string{
			"go.mod":  "module small\n\ngo 1.25\n",
			"main.go": "package main\n\nvar version = \"none\"\n\nfunc main() { println(version) }\n",
		} {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		out := filepath.Join(dir, "small.exe")
		if err := build(context.Background(), dir, ".", out, on, map[string]string{"main.version": "v1.2.3"}); err != nil {
			t.Fatal(err)
		}
		if said, err := exec.Command(out).CombinedOutput(); err != nil || strings.TrimSpace(string(said)) != "v1.2.3" {
			t.Errorf("it says %q, %v", said, err)
		}
		var err error
		if programs[i], err = os.ReadFile(out); err != nil {
			t.Fatal(err)
		}
	}
	if !bytes.Equal(programs[0], programs[1]) {
		t.Errorf("programs of %d and %d bytes differ", len(programs[0]), len(programs[1]))
	}
}

// What is packed for a system lies in one folder, and is the same twice.
func TestPack(t *testing.T) {
	t.Chdir("../../../..")
	s := source{Version: "v1.2.3", Time: time.Unix(1_700_000_000, 0)}
	modules := []licence.Module{{Path: "example.com/a", Files: []licence.File{{Name: "LICENSE", Text: []byte("MIT")}}}}
	texts, err := documents(s, modules)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, f := range texts {
		names = append(names, f.Name)
	}
	for _, want := range []string{"LICENSE", "NOTICE", "CHANGELOG.md", "licenses/example.com/a/LICENSE", "man/man1/beziergp-fit.1", "completions/beziergp.bash"} {
		if !slices.Contains(names, want) {
			t.Errorf("%s is not packed: %q", want, names)
		}
	}
	texts = append(texts, archive.File{Name: "beziergp", Data: []byte("program"), Program: true})
	for _, on := range systems {
		first, ending, err := pack("folder", texts, on, s)
		if err != nil {
			t.Fatal(err)
		}
		second, _, err := pack("folder", texts, on, s)
		if err != nil || !bytes.Equal(first, second) || (ending == ".zip") != (on.OS == "windows") {
			t.Errorf("%v: %d and %d bytes, %s, %v", on, len(first), len(second), ending, err)
		}
	}
}

func TestVersionsAndTimesAreSaid(t *testing.T) {
	t.Chdir(t.TempDir()) // without history
	if s, err := newSource(context.Background(), "v1.2.3"); err == nil {
		t.Errorf("no time, and yet %+v", s)
	}
	t.Setenv("SOURCE_DATE_EPOCH", "86400")
	if s, err := newSource(context.Background(), "v1.2.3"); err != nil || s.Version != "v1.2.3" || s.Time.Unix() != 86400 {
		t.Errorf("%+v, %v", s, err)
	}
	for _, version := range []string{"", "1.2.3", "v1.2", "v1.2.3 x"} {
		if s, err := newSource(context.Background(), version); err == nil {
			t.Errorf("%q makes %+v", version, s)
		}
	}
}

// The variable that is stamped is there.
func TestStampedVariablesExist(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "..", "..", "..", strings.TrimPrefix(stampPackage, "beziergp/"), "command.go"))
	if err != nil || !strings.Contains(string(text), "var release, revision string") {
		t.Errorf("%s has no variables release and revision: %v", stampPackage, err)
	}
}

// The Containerfile, which no test can build, names folders, packages and
// variables that exist, and a Go that is new enough.
func TestContainerfile(t *testing.T) {
	text, err := os.ReadFile("../../../../Containerfile")
	if err != nil {
		t.Fatal(err)
	}
	copied, packages := 0, 0
	for _, m := range regexp.MustCompile(`(?m)^COPY (.*)$`).FindAllStringSubmatch(string(text), -1) {
		words := strings.Fields(m[1])
		if strings.HasPrefix(words[0], "--from=build") {
			if !strings.Contains(string(text), "AS build") || words[1] != "/out/" {
				t.Errorf("COPY %s", m[1])
			}
			continue
		}
		for _, file := range words[:len(words)-1] {
			copied++
			if _, err := os.Stat(filepath.Join("..", "..", "..", "..", file)); err != nil {
				t.Error(err)
			}
		}
	}
	for _, m := range regexp.MustCompile(`\./[a-z/]+`).FindAllString(string(text), -1) {
		packages++
		if found, err := filepath.Glob(filepath.Join("..", "..", "..", "..", m, "*.go")); err != nil || len(found) == 0 {
			t.Errorf("%s is no package", m)
		}
	}
	if copied < 3 || packages != 2 || !strings.Contains(string(text), stampPackage+".release=") {
		t.Errorf("%d files copied, %d packages; look at this test", copied, packages)
	}
	image := regexp.MustCompile(`golang:(\S+)`).FindStringSubmatch(string(text))
	mod, err := os.ReadFile("../../../../go.mod")
	if err != nil {
		t.Fatal(err)
	}
	wants := regexp.MustCompile(`(?m)^go (\d+\.\d+)`).FindStringSubmatch(string(mod))
	if image == nil || wants == nil || image[1] < wants[1] {
		t.Errorf("image %q, go.mod %q", image, wants)
	}
	// What it runs to write the documents works without a history.
	t.Chdir("../../../..")
	t.Setenv("SOURCE_DATE_EPOCH", "0")
	dir := t.TempDir()
	if err := run(context.Background(), []string{"documents", "-version", "v0.0.0", dir}); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(dir, "licenses", "github.com", "spf13", "cobra", "LICENSE.txt")); err != nil {
		t.Error(err)
	}
}
