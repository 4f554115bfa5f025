// Command asm writes the amd64 assembly of package kernel. It is a module of its
// own, so that who imports beziergp does not depend on the assembler. Run it
// through go generate in internal/kernel.
package main

import (
	"flag"
	"log"
	"os"
	"path/filepath"
	"strings"

	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/ir"
	"github.com/mmcloughlin/avo/pass"
	"github.com/mmcloughlin/avo/printer"
)

// files lists what is written: each name gets an assembly file and a file of Go
// declarations.
var files = []struct {
	name  string
	write func(*build.Context)
}{
	{"layer_avx2_amd64", layerAVX2},
	{"layer_avx512_amd64", layerAVX512},
	{"outer_avx2_amd64", outerAVX2},
	{"outer_avx512_amd64", outerAVX512},
	{"peak_avx2_amd64", peakAVX2},
	{"peak_avx512_amd64", peakAVX512},
	{"pause_amd64", pauseLoop},
}

func main() {
	log.SetFlags(0)
	log.SetPrefix("asm: ")
	dir := flag.String("dir", "..", "where to write")
	flag.Parse()
	for _, f := range files {
		c := build.NewContext()
		f.write(c)
		file, err := c.Result()
		if err == nil {
			err = pass.Compile.Execute(file)
		}
		if err == nil {
			err = print(filepath.Join(*dir, f.name), file)
		}
		if err != nil {
			log.Fatalf("%s: %v", f.name, err)
		}
	}
}

// print writes the assembly and its declarations. The header names go generate
// and not this command's arguments, which would differ between checkouts.
func print(base string, file *ir.File) error {
	c := printer.Config{Argv: []string{"go", "generate"}, Pkg: "kernel"}
	text, err := printer.NewGoAsm(c).Print(file)
	if err != nil {
		return err
	}
	for _, f := range file.Functions() {
		text = document(text, f)
	}
	if err := os.WriteFile(base+".s", text, 0o644); err != nil {
		return err
	}
	text, err = printer.NewStubs(c).Print(file)
	if err != nil {
		return err
	}
	return os.WriteFile(base+".go", text, 0o644)
}

// document puts a function's doc comment above its text in the assembly, where
// avo writes the signature only.
func document(text []byte, f *ir.Function) []byte {
	head := "// func " + f.Name + "("
	doc := "// " + strings.Join(f.Doc, "\n// ") + "\n//\n"
	return []byte(strings.Replace(string(text), head, strings.ReplaceAll(doc, " \n", "\n")+head, 1))
}
