// Command asm writes the assembly of package simd. It is a module of its
// own, so that who imports beziergp does not depend on the assembler. Run it
// through go generate in internal/simd.
package main

import (
	"flag"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"strings"

	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/ir"
	"github.com/mmcloughlin/avo/pass"
	"github.com/mmcloughlin/avo/printer"
	"github.com/mmcloughlin/avo/reg"
)

// files lists what is written: each name gets an assembly file and a file of Go
// declarations for each of the instruction sets. What is small is one file for both.
var files = []struct {
	name         string
	avx2, avx512 []func(*build.Context)
}{
	{"elementwise", list(adamAVX2, adamBlocksAVX2, expAVX2, smoothAVX2, keepTimesAVX2, addTimesAVX2, addAVX2, pullAVX2, pullToAVX2),
		list(adamAVX512, adamBlocksAVX512, expAVX512, smoothAVX512, keepTimesAVX512, addTimesAVX512, addAVX512, pullAVX512, pullToAVX512)},
	{"records", list(loadLinesAVX2, moveLinesAVX2), list(loadLinesAVX512, moveLinesAVX512)},
	{"layer", list(layerAVX2), list(layerAVX512)},
	{"outer", list(outerAVX2), list(outerAVX512)},
	{"paths", list(pathsAVX2), list(pathsAVX512)},
	{"panels", list(panelsAVX2), list(panelsAVX512)},
	{"sweep", nil, append(sweepsAVX512(), gradientsAVX512()...)},
	{"points", list(bernsteinAVX2, rescaleAVX2, scaleAVX2, scaledSquareAVX2),
		list(bernsteinAVX512, rescaleAVX512, scaleAVX512, scaledSquareAVX512)},
}

func list(write ...func(*build.Context)) []func(*build.Context) { return write }

func main() {
	log.SetFlags(0)
	log.SetPrefix("asm: ")
	dir := flag.String("dir", "..", "where to write")
	flag.Parse()
	for _, f := range files {
		if f.avx2 != nil {
			generate(*dir, f.name+"_avx2_amd64", f.avx2)
		}
		generate(*dir, f.name+"_avx512_amd64", f.avx512)
	}
	generate(*dir, "block_amd64", append(blocksAVX2(), edgesAVX2()...))
	generate(*dir, "transpose_amd64", list(transposeAVX2))
	generate(*dir, "pause_amd64", list(pauseLoop))
	generate(*dir, "peak_amd64", list(peakAVX2, peakAVX512))
	if err := generateChain(*dir, "chain_amd64", "AVX2", "AVX512"); err != nil {
		log.Fatal(err)
	}
	if err := generateNEON(*dir, "neon_arm64", layerNEON, outerNEON, peakNEON); err != nil {
		log.Fatal(err)
	}
	if err := generateNEON(*dir, "block_arm64", blocksNEON()...); err != nil {
		log.Fatal(err)
	}
	if err := generateNEON(*dir, "elementwise_arm64", adamBlocksNEON, smoothNEON, keepTimesNEON, addTimesNEON); err != nil {
		log.Fatal(err)
	}
}

// generate writes one file of assembly and its declarations.
func generate(dir, name string, functions []func(*build.Context)) {
	c := build.NewContext()
	for _, write := range functions {
		write(c)
	}
	file, err := c.Result()
	if err == nil {
		err = pass.Compile.Execute(file)
	}
	if err == nil {
		err = check(file)
	}
	if err == nil {
		err = print(filepath.Join(dir, name), file)
	}
	if err != nil {
		log.Fatalf("%s: %v", name, err)
	}
}

// check returns an error if a function has a register that the instruction set of its name lacks: the
// allocator takes those of AVX-512 where the sixteen of AVX2 do not suffice.
func check(file *ir.File) error {
	for _, f := range file.Functions() {
		if strings.HasSuffix(f.Name, "AVX512") {
			continue
		}
		for _, i := range f.Instructions() {
			for _, r := range i.Registers() {
				if p, ok := r.(reg.Physical); ok && (p.Kind() == reg.KindOpmask || p.Kind() == reg.KindVector && (p.PhysicalIndex() > 15 || p.Size() > 32)) {
					return fmt.Errorf("%s has register %s in %s", f.Name, p.Asm(), i.Opcode)
				}
			}
		}
	}
	return nil
}

// print writes the assembly and its declarations. The header names go generate
// and not this command's arguments, which would differ between checkouts.
func print(base string, file *ir.File) error {
	c := printer.Config{Argv: []string{"go", "generate"}, Pkg: "simd"}
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
