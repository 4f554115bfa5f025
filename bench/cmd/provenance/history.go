package main

import (
	"bytes"
	"context"
	"fmt"
	"go/scanner"
	"go/token"
	"maps"
	"os/exec"
	"path"
	"regexp"
	"slices"
	"strings"
	"time"

	"beziergp/bench/record"
)

// history is what git and go know of a working tree. It remembers what it has asked.
type history struct {
	dir     string
	commits map[string]string            // by what they were asked for, "" for those that are not there
	files   map[string]map[string]string // hashes of a commit's files by their paths
	dirs    map[string][]string          // of the packages that a method is made of
	codes   map[string]string            // of files of Go by their hashes
	found   map[[3]string][]string       // packages that have changed, of a method between two commits
}

func newHistory(dir string) *history {
	return &history{dir, map[string]string{}, map[string]map[string]string{}, map[string][]string{}, map[string]string{}, map[[3]string][]string{}}
}

// output runs a program in the tree.
func (h *history) output(ctx context.Context, program string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Dir = h.dir
	var words bytes.Buffer
	cmd.Stderr = &words
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("%s: %w: %s", strings.Join(cmd.Args, " "), err, words.String())
	}
	return strings.TrimSpace(string(out)), nil
}

// commit returns the full name of a commit.
func (h *history) commit(ctx context.Context, name string) (string, error) {
	return h.output(ctx, "git", "rev-parse", "--verify", "--end-of-options", name+"^{commit}")
}

// ofVersion finds the commit in the version of a build of a clean tree.
var ofVersion = regexp.MustCompile(`-([0-9a-f]{12})( |$)`)

// commitOf returns the commit of a record, and "" where the tree's history does not have it.
func (h *history) commitOf(ctx context.Context, r record.Record) (string, error) {
	at := r.Time.UTC().Format(time.RFC3339)
	if match := ofVersion.FindStringSubmatch(r.Version); match != nil {
		at = match[1]
	}
	if commit, asked := h.commits[at]; asked {
		return commit, nil
	}
	var commit string
	var err error
	if strings.Contains(at, "T") {
		commit, err = h.output(ctx, "git", "rev-list", "-1", "--first-parent", "--before="+at, "HEAD")
	} else if commit, err = h.commit(ctx, at); err != nil {
		commit, err = "", ctx.Err()
	}
	h.commits[at] = commit
	return commit, err
}

// changedSince returns the packages, or the script, that the method of a record is made of and that have other code at head than at the record's commit, and whether
// the tree's history has that commit.
func (h *history) changedSince(ctx context.Context, r record.Record, head string) (changed []string, found bool, err error) {
	commit, err := h.commitOf(ctx, r)
	if err != nil || commit == "" {
		return nil, false, err
	}
	changed, err = h.changed(ctx, methodOf(r), commit, head)
	return changed, true, err
}

// hashes returns those of the files of a commit that are built or run, by their paths.
func (h *history) hashes(ctx context.Context, commit string) (map[string]string, error) {
	if known, ok := h.files[commit]; ok {
		return known, nil
	}
	listed, err := h.output(ctx, "git", "ls-tree", "-r", "-z", "--format=%(objectname) %(path)", commit)
	if err != nil {
		return nil, err
	}
	own := map[string]string{}
	for _, line := range strings.Split(listed, "\x00") {
		hash, file, ok := strings.Cut(line, " ")
		if ok && isSource(file) {
			own[file] = hash
		}
	}
	h.files[commit] = own
	return own, nil
}

func isSource(file string) bool {
	switch path.Ext(file) {
	case ".go":
		return !strings.HasSuffix(file, "_test.go")
	case ".s", ".h", ".c", ".py":
		return true
	}
	return false
}

// sources returns the directories of the packages that a method is made of, or a file, from the tree's root.
func (h *history) sources(ctx context.Context, method string) ([]string, error) {
	if known, ok := h.dirs[method]; ok {
		return known, nil
	}
	if path.Ext(method) != "" {
		return []string{method}, nil
	}
	var root string
	switch method {
	case auto, "paper":
		root = "beziergp/train/" + method
	default:
		root = "beziergp/rival/method/" + method
	}
	const module = "beziergp/"
	listed, err := h.output(ctx, "go", "list", "-deps", "-f", "{{if and .Module .Module.Main}}{{.ImportPath}}{{end}}", root)
	if err != nil {
		return nil, err
	}
	for _, pkg := range strings.Fields(listed) {
		h.dirs[method] = append(h.dirs[method], strings.TrimPrefix(pkg, module))
	}
	return h.dirs[method], nil
}

// changed returns the packages that a method is made of, or the script, that have other code in one commit than in another, sorted.
func (h *history) changed(ctx context.Context, method, from, to string) ([]string, error) {
	asked := [3]string{method, from, to}
	if known, ok := h.found[asked]; ok {
		return known, nil
	}
	sources, err := h.sources(ctx, method)
	if err != nil {
		return nil, err
	}
	before, err := h.hashes(ctx, from)
	if err != nil {
		return nil, err
	}
	now, err := h.hashes(ctx, to)
	if err != nil {
		return nil, err
	}
	h.found[asked], err = h.differing(ctx, before, now, sources)
	return h.found[asked], err
}

// differing returns those of the directories, or files, in which a file has other code, or is there in one tree alone, sorted.
func (h *history) differing(ctx context.Context, before, now map[string]string, sources []string) ([]string, error) {
	found := map[string]bool{}
	for _, file := range slices.Sorted(maps.Keys(union(before, now))) {
		at := slices.IndexFunc(sources, func(s string) bool { return s == file || s == path.Dir(file) })
		if at < 0 || before[file] == now[file] {
			continue
		}
		same, err := h.sameCode(ctx, file, before[file], now[file])
		if err != nil {
			return nil, err
		}
		if !same {
			found[sources[at]] = true
		}
	}
	return slices.Sorted(maps.Keys(found)), nil
}

func union(a, b map[string]string) map[string]string {
	all := maps.Clone(a)
	maps.Copy(all, b)
	return all
}

// sameCode tells whether two versions of a file of Go, by their hashes, differ in comments and layout alone.
func (h *history) sameCode(ctx context.Context, file, before, now string) (bool, error) {
	if path.Ext(file) != ".go" || before == "" || now == "" {
		return false, nil
	}
	var codes [2]string
	for i, hash := range []string{before, now} {
		code, known := h.codes[hash]
		if !known {
			text, err := h.output(ctx, "git", "cat-file", "blob", hash)
			if err != nil {
				return false, err
			}
			code = codeOf(text)
			h.codes[hash] = code
		}
		codes[i] = code
	}
	return codes[0] == codes[1], nil
}

// codeOf returns the tokens of a file of Go, which comments are not, but for those that tell the compiler something.
func codeOf(text string) string {
	var code strings.Builder
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "//go:") {
			code.WriteString(line)
		}
	}
	set := token.NewFileSet()
	var s scanner.Scanner
	s.Init(set.AddFile("", set.Base(), len(text)), []byte(text), nil, 0)
	for {
		_, tok, literal := s.Scan()
		switch {
		case tok == token.EOF:
			return code.String()
		case tok == token.SEMICOLON: // which the end of a line is, too
			literal = ""
		}
		fmt.Fprintln(&code, tok, literal)
	}
}
