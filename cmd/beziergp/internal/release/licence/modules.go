// Package licence finds the modules that a program links and the licences that
// they come under, from the module cache: nothing is fetched.
package licence

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
)

// Module is a module that a program links.
type Module struct {
	Path, Version string
	Licence       string // of all its files, an SPDX expression
	Files         []File // the texts, by name
	NPM           bool   // a package for JavaScript that lies in the main module
}

// File is a licence or a notice of a module.
type File struct {
	Name string // below the module's folder, with slashes
	Text []byte
}

// Standard is the name of Go's standard library and runtime among the modules.
const Standard = "std"

// System is what a program is built for.
type System struct{ OS, Arch string }

// Linked returns the modules that a package of the main module links on any of the
// systems, and the works of others that lie in it, by path; tests and tools of theirs do not
// count.
func Linked(ctx context.Context, dir, pkg string, systems []System) ([]Module, error) {
	modules := map[string]*Module{}
	found := map[string][]string{} // the files of a module
	for _, s := range systems {
		packages, err := dependencies(ctx, dir, pkg, s)
		if err != nil {
			return nil, err
		}
		for _, p := range packages {
			if modules[p.module] == nil {
				modules[p.module] = &Module{Path: p.module, Version: p.version}
			}
			names, err := texts(p.root, p.dir)
			if err != nil {
				return nil, err
			}
			for _, name := range names {
				if !slices.Contains(found[p.module], name) {
					found[p.module] = append(found[p.module], name)
					if err := modules[p.module].add(p.root, name); err != nil {
						return nil, err
					}
				}
			}
		}
	}
	own, err := works(dir)
	if err != nil {
		return nil, err
	}
	for i := range own {
		modules[own[i].Path] = &own[i]
	}
	var out []Module
	for _, m := range modules {
		slices.SortFunc(m.Files, func(a, b File) int { return cmp.Compare(a.Name, b.Name) })
		if m.Licence = expression(m.Files); m.Licence == "" {
			return nil, fmt.Errorf("module %s: no licence is recognised in its %d licence files: look at it, and teach package licence", m.Path, len(m.Files))
		}
		out = append(out, *m)
	}
	slices.SortFunc(out, func(a, b Module) int { return cmp.Compare(a.Path, b.Path) })
	return out, nil
}

// dependency is a package of another module, or of the standard library.
type dependency struct{ module, version, root, dir string }

const format = `{{if .Standard}}` + Standard + `	{{.Root}}	{{.Root}}{{else}}{{with .Module}}{{if not .Main}}{{.Path}}	{{.Version}}	{{.Dir}}	{{$.Dir}}{{end}}{{end}}{{end}}`

func dependencies(ctx context.Context, dir, pkg string, s System) ([]dependency, error) {
	c := exec.CommandContext(ctx, "go", "list", "-deps", "-f", format, pkg)
	c.Dir, c.Env = dir, append(os.Environ(), "GOOS="+s.OS, "GOARCH="+s.Arch, "CGO_ENABLED=0")
	out, err := c.Output()
	if err != nil {
		var ended *exec.ExitError
		if errors.As(err, &ended) {
			err = fmt.Errorf("%w: %s", err, ended.Stderr)
		}
		return nil, fmt.Errorf("%s: %w", strings.Join(c.Args, " "), err)
	}
	var deps []dependency
	for line := range strings.Lines(string(out)) {
		switch f := strings.Split(strings.TrimSpace(line), "\t"); {
		case f[0] == Standard:
			deps = append(deps, dependency{Standard, runtime.Version(), f[1], f[1]})
		case len(f) == 4:
			deps = append(deps, dependency{f[0], f[1], f[2], f[3]})
		}
	}
	slices.SortFunc(deps, func(a, b dependency) int { return cmp.Compare(a.module+"\t"+a.dir, b.module+"\t"+b.dir) })
	return slices.Compact(deps), nil
}

var named = regexp.MustCompile(`(?i)^(licen[cs]e|copying|notice|patents)([-._][^/]*)?$`)

// aside are licence files that lie in no folder above the one that they are about.
var aside = map[string]string{filepath.FromSlash("font/gofont/goregular"): "font/gofont/ttfs/README"}

// texts returns the licence files of a folder and of those above it up to the
// module's, as paths below that one.
func texts(root, dir string) ([]string, error) {
	var names []string
	if own, err := filepath.Rel(root, dir); err == nil && aside[own] != "" {
		names = append(names, aside[own])
	}
	for {
		entries, err := os.ReadDir(dir)
		if err != nil {
			return nil, err
		}
		for _, e := range entries {
			if ext := filepath.Ext(e.Name()); e.Type().IsRegular() && named.MatchString(e.Name()) && ext != ".go" {
				name, err := filepath.Rel(root, filepath.Join(dir, e.Name()))
				if err != nil {
					return nil, err
				}
				names = append(names, filepath.ToSlash(name))
			}
		}
		above := filepath.Dir(dir)
		if dir == root || above == dir {
			return names, nil
		}
		dir = above
	}
}

func (m *Module) add(root, name string) error {
	text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(name)))
	if err == nil {
		m.Files = append(m.Files, File{name, text})
	}
	return err
}
