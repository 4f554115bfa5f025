package beziergp_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// declarations are names as documents write them, package.Name and package.Type.Member,
// with names of files and folders of packages. A package is known by the last element of
// its path.
func declarations(t *testing.T) map[string]bool {
	t.Helper()
	known := map[string]bool{}
	err := filepath.WalkDir(".", func(file string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && file != "." && (strings.HasPrefix(entry.Name(), ".") || entry.Name() == "testdata"):
			return filepath.SkipDir
		case filepath.Ext(file) != ".go":
			return nil
		}
		folder := filepath.ToSlash(filepath.Dir(file))
		if folder == "." {
			folder = modulePath
		}
		known[entry.Name()], known[folder], known[path.Base(folder)] = true, true, true
		known[filepath.ToSlash(file)] = true
		if strings.HasSuffix(file, "_test.go") {
			return nil
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		for _, d := range parsed.Decls {
			for _, name := range declared(d) {
				known[path.Base(folder)+"."+name] = true
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return known
}

// declared returns the names of a declaration, Name and Type.Member.
func declared(d ast.Decl) (names []string) {
	if f, ok := d.(*ast.FuncDecl); ok {
		if f.Recv == nil {
			return []string{f.Name.Name}
		}
		of := f.Recv.List[0].Type
		if star, ok := of.(*ast.StarExpr); ok {
			of = star.X
		}
		if own, ok := of.(*ast.Ident); ok {
			names = []string{own.Name + "." + f.Name.Name}
		}
		return names
	}
	for _, spec := range d.(*ast.GenDecl).Specs {
		switch spec := spec.(type) {
		case *ast.ValueSpec:
			for _, name := range spec.Names {
				names = append(names, name.Name)
			}
		case *ast.TypeSpec:
			names = append(names, spec.Name.Name)
			var fields *ast.FieldList
			switch of := spec.Type.(type) {
			case *ast.StructType:
				fields = of.Fields
			case *ast.InterfaceType:
				fields = of.Methods
			default:
				continue
			}
			for _, field := range fields.List {
				for _, name := range field.Names {
					names = append(names, spec.Name.Name+"."+name.Name)
				}
			}
		}
	}
	return names
}

var quoted = regexp.MustCompile("`([^`\n]+)`")

// Every name that NOTATION.md has in backquotes is in the code.
func TestNotationNamesWhatExists(t *testing.T) {
	known := declarations(t)
	text, err := os.ReadFile("NOTATION.md")
	if err != nil {
		t.Fatal(err)
	}
	names := quoted.FindAllStringSubmatch(string(text), -1)
	if len(names) < 50 {
		t.Fatalf("%d names", len(names))
	}
	for _, m := range names {
		if !known[m[1]] {
			t.Errorf("NOTATION.md names %s, which the code does not declare", m[1])
		}
	}
}

var (
	exportedName = regexp.MustCompile(`^(\w+)((?:\.[A-Z]\w*){1,2})`)
	goFile       = regexp.MustCompile(`^[\w/]+\.go$`)
)

// Exported names and Go files that other documents have in backquotes are in the code.
func TestDocumentsNameWhatIsDeclared(t *testing.T) {
	known := declarations(t)
	pages, err := filepath.Glob("docs/*.md")
	if err != nil {
		t.Fatal(err)
	}
	guide, err := filepath.Glob("docs/guide/*.md")
	if err != nil {
		t.Fatal(err)
	}
	checked := 0
	for _, page := range append(append(pages, guide...), "README.md", "ARCHITECTURE.md") {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		if strings.HasSuffix(page, "mutation.md") {
			continue // its quotations are lines of code
		}
		for _, m := range quoted.FindAllStringSubmatch(string(text), -1) {
			name := exportedName.FindStringSubmatch(m[1])
			switch {
			case strings.Contains(m[1], "NAME"): // what a reader is to add
				continue
			case goFile.MatchString(m[1]):
				name = []string{m[1]}
			case name == nil || !known[name[1]]: // a variable's method, a word of a shell
				continue
			}
			checked++
			if !known[name[0]] {
				t.Errorf("%s names %s, which the code does not have", page, name[0])
			}
		}
	}
	if checked < 40 {
		t.Errorf("%d names", checked)
	}
}
