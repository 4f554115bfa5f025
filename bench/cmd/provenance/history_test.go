package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"beziergp/bench/record"
)

// repository returns the history of a module of a few packages, and a function that writes files and commits them.
func repository(t *testing.T) (*history, func(files map[string]string) string) {
	t.Helper()
	dir := t.TempDir()
	h := newHistory(dir)
	git := func(args ...string) string {
		cmd := exec.Command("git", append([]string{"-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "commit.gpgsign=false"}, args...)...)
		cmd.Dir = dir
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
		return string(out)
	}
	git("init", "-q")
	return h, func(files map[string]string) string {
		for name, text := range files {
			path := filepath.Join(dir, name)
			if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		git("add", "-A")
		git("commit", "-q", "-m", "a change")
		commit, err := h.commit(t.Context(), "HEAD")
		if err != nil {
			t.Fatal(err)
		}
		return commit
	}
}

const method = "package auto\n\nimport _ \"beziergp/box\"\n\n//go:noinline\nfunc F() int { return 1 }\n"

// A record is of the code as it is until a package that its method imports has other code, which comments, tests and other packages are not.
func TestChanged(t *testing.T) {
	h, commit := repository(t)
	first := commit(map[string]string{
		"go.mod": "module beziergp\n\ngo 1.24\n", "train/auto/a.go": method, "box/box.go": "package box\n", "other/other.go": "package other\n",
		"bench/peers/trees.py": "x = 1\n",
	})
	for _, c := range []struct {
		what   string
		files  map[string]string
		method string
		want   []string
	}{
		{"a comment", map[string]string{"train/auto/a.go": "// Package auto is it.\n" + method}, auto, nil},
		{"layout", map[string]string{"train/auto/a.go": "package auto\n\nimport _ \"beziergp/box\"\n\n//go:noinline\nfunc F() int {\n\treturn 1 }\n"}, auto, nil},
		{"a test", map[string]string{"train/auto/a_test.go": "package auto\n"}, auto, nil},
		{"another package", map[string]string{"other/other.go": "package other\n\nvar X int\n"}, auto, nil},
		{"a script", map[string]string{"bench/peers/trees.py": "x = 2\n"}, treesOfPeers, []string{treesOfPeers}},
		{"a package that is imported", map[string]string{"box/new.go": "package box\n\nvar X int\n"}, auto, []string{"box"}},
		{"a word to the compiler", map[string]string{"train/auto/a.go": "package auto\n\nimport _ \"beziergp/box\"\n\nfunc F() int { return 1 }\n"}, auto, []string{"box", "train/auto"}},
		{"a number", map[string]string{"train/auto/a.go": "package auto\n\nimport _ \"beziergp/box\"\n\n//go:noinline\nfunc F() int { return 2 }\n"}, auto, []string{"box", "train/auto"}},
	} {
		head := commit(c.files)
		got, err := h.changed(t.Context(), c.method, first, head)
		if err != nil || !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, %v, want %v", c.what, got, err, c.want)
		}
	}
}

// A record's commit is that of its version, or the last one before it; one of another history is not known.
func TestCommitOf(t *testing.T) {
	h, commit := repository(t)
	want := commit(map[string]string{"a": "1"})
	for _, c := range []struct {
		version string
		at      time.Time
		want    string
	}{
		{"beziergp v0.0.0-20261122071137-" + want[:12] + " avx512", time.Time{}, want},
		{"beziergp v0.0.0-20261122071137-0123456789ab avx512", time.Now(), ""},
		{"beziergp (devel) avx512", time.Now().Add(time.Hour), want},
		{"xgboost 3.2.0", time.Now().Add(-time.Hour), ""},
	} {
		got, err := h.commitOf(t.Context(), record.Record{Version: c.version, Time: c.at})
		if err != nil || got != c.want {
			t.Errorf("%s: %q, %v, want %q", c.version, got, err, c.want)
		}
	}
}

// Options say which method a record is of, and versions which script another library's is.
func TestMethodOf(t *testing.T) {
	loss := 0.5
	for _, c := range []struct {
		record record.Record
		want   string
	}{
		{record.Record{Version: "beziergp (devel) avx512"}, auto},
		{record.Record{Version: "beziergp (devel) avx512", Options: []string{"--effort", "fast"}}, auto},
		{record.Record{Version: "beziergp (devel) avx512", Options: []string{"--recipe", "paper", "--order", "5"}}, "paper"},
		{record.Record{Version: "beziergp (devel) avx512", Options: []string{"--method", "knn"}}, "knn"},
		{record.Record{Version: "torch 2.15.0 gpytorch 1.15.2"}, processesOfPeers},
		{record.Record{Version: "xgboost 3.2.0", Options: []string{"max_depth=6"}}, treesOfPeers},
		{record.Record{Version: "xgboost 3.2.0", LogLoss: &loss}, tasksOfPeers},
	} {
		if got := methodOf(c.record); got != c.want {
			t.Errorf("%s %v: %s, want %s", c.record.Version, c.record.Options, got, c.want)
		}
	}
}
