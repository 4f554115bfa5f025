package repository

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"beziergp/model"
	"beziergp/serve"
)

// modelFile is the name of a model in the folder of its version.
const modelFile = "model.bgp"

// source is where models come from.
type source interface {
	// versions returns what is there, by name, the highest version first.
	versions() ([]version, error)
	read(version) (serve.Model, error)
	has(name string) bool
}

// version is a file that holds a model.
type version struct {
	name, number string
	path         string // as it is told of, below the source
	stamp        string // another one where the file is another
}

func stampOf(info fs.FileInfo) string {
	return fmt.Sprintf("%d %d", info.Size(), info.ModTime().UnixNano())
}

// open returns the source of a path.
func open(name string) (source, error) {
	info, err := os.Stat(name)
	if err != nil {
		return nil, err
	}
	if !info.IsDir() {
		base := strings.TrimSuffix(filepath.Base(name), filepath.Ext(name))
		if !valid(base) {
			return nil, fmt.Errorf("%s: a model cannot be called %q; rename the file to letters, digits, '.', '-' and '_'", name, base)
		}
		return &file{name: base, path: name}, nil
	}
	root, err := os.OpenRoot(name)
	if err != nil {
		return nil, err
	}
	return &folder{root: root}, nil
}

// valid tells whether a name can be one of a model: it stands in addresses and in labels.
func valid(name string) bool {
	return name != "" && name[0] != '.' && len(name) <= 128 && strings.IndexFunc(name, func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '.' || r == '-' || r == '_')
	}) < 0
}

// file is a single model, of version 1.
type file struct{ name, path string }

func (f *file) has(name string) bool { return name == f.name }

func (f *file) versions() ([]version, error) {
	info, err := os.Stat(f.path)
	if err != nil {
		return nil, err // one that is away, for another to come, goes on answering
	}
	return []version{{f.name, "1", filepath.Base(f.path), stampOf(info)}}, nil
}

func (f *file) read(version) (serve.Model, error) { return serve.Load(f.path) }

// folder has models with versions. Nothing outside it is opened, wherever links lead.
type folder struct{ root *os.Root }

func (f *folder) has(name string) bool {
	info, err := f.root.Stat(name)
	return err == nil && info.IsDir()
}

func (f *folder) list(name string) ([]string, error) {
	dir, err := f.root.Open(name)
	if err != nil {
		return nil, err
	}
	defer dir.Close()
	return dir.Readdirnames(-1)
}

func (f *folder) versions() (all []version, err error) {
	names, err := f.list(".")
	if err != nil {
		return nil, err
	}
	slices.Sort(names)
	for _, name := range names {
		numbers, err := f.list(name)
		if !valid(name) || err != nil { // a file, a link that leads away
			continue
		}
		numbers = slices.DeleteFunc(numbers, func(text string) bool { return number(text) <= 0 })
		slices.SortFunc(numbers, func(a, b string) int { return cmp.Compare(number(b), number(a)) })
		for _, n := range numbers {
			at := path.Join(name, n, modelFile)
			if info, err := f.root.Stat(at); err == nil && info.Mode().IsRegular() {
				all = append(all, version{name, n, at, stampOf(info)})
			}
		}
	}
	return all, nil
}

// number returns the number of a version, 0 where the name of a folder is none.
func number(text string) int64 {
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || strconv.FormatInt(n, 10) != text {
		return 0
	}
	return n
}

func (f *folder) read(v version) (serve.Model, error) {
	file, err := f.root.Open(v.path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	m, err := serve.Read(file)
	var bad *model.FileError
	if errors.As(err, &bad) {
		bad.File = v.path
	}
	return m, err
}
