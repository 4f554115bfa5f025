package main

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/build"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// sourceFile is a file of the package, without its tests.
type sourceFile struct {
	name   string // without the folder
	text   string
	files  *token.FileSet
	parsed *ast.File
}

// sources reads the files of a package that this system compiles.
func sources(folder string) ([]*sourceFile, error) {
	of, err := build.ImportDir(folder, 0)
	if err != nil {
		return nil, err
	}
	var all []*sourceFile
	for _, name := range of.GoFiles {
		text, err := os.ReadFile(filepath.Join(folder, name))
		if err != nil {
			return nil, err
		}
		f := &sourceFile{name: name, text: string(text), files: token.NewFileSet()}
		if f.parsed, err = parser.ParseFile(f.files, name, text, parser.SkipObjectResolution); err != nil {
			return nil, fmt.Errorf("%s: %w", folder, err)
		}
		all = append(all, f)
	}
	return all, nil
}

// offset of a position in the text.
func (f *sourceFile) offset(pos token.Pos) int { return f.files.Position(pos).Offset }

// edit puts other text in the place of that between two offsets.
type edit struct {
	from, to int
	text     string
}

// edited returns the text between two offsets with edits there, which do not overlap.
func (f *sourceFile) edited(from, to int, edits ...edit) string {
	slices.SortStableFunc(edits, func(a, b edit) int { return cmp.Compare(a.from, b.from) })
	var text strings.Builder
	for _, e := range edits {
		text.WriteString(f.text[from:e.from] + e.text)
		from = e.to
	}
	return text.String() + f.text[from:to]
}
