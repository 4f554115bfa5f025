package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"debug/buildinfo"
	"fmt"
	"io"
	"log"
	"os"
	"path"
	"path/filepath"
	"strings"

	"beziergp/cmd/beziergp/internal/cli"
	"beziergp/cmd/beziergp/internal/release/archive"
	"beziergp/cmd/beziergp/internal/release/licence"
	"beziergp/cmd/beziergp/internal/release/manual"
	"beziergp/cmd/beziergp/internal/release/sbom"
	"beziergp/internal/atomicfile"
)

// documents returns what lies beside the program on every system.
func documents(s source, modules []licence.Module) ([]archive.File, error) {
	var files []archive.File
	for _, name := range []string{"LICENSE", "NOTICE", "CHANGELOG.md"} {
		text, err := os.ReadFile(name)
		if err != nil {
			return nil, fmt.Errorf("%w: run this in the folder of the sources", err)
		}
		files = append(files, archive.File{Name: name, Data: text})
	}
	for _, m := range modules {
		for _, f := range m.Files {
			files = append(files, archive.File{Name: path.Join("licenses", m.Path, f.Name), Data: f.Text})
		}
	}
	commands := cli.Commands()
	completions, err := manual.Completions(commands)
	for _, p := range append(manual.Pages(commands, s.Version, s.Time), completions...) {
		files = append(files, archive.File{Name: p.Name, Data: p.Text})
	}
	return files, err
}

// archives builds for every system and writes an archive and a bill of materials
// each, and their checksums, to a folder.
func archives(ctx context.Context, s source, modules []licence.Module, texts []archive.File, dir string) error {
	built, err := os.MkdirTemp("", "beziergp-release-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(built) }()
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	var sums strings.Builder
	write := func(name string, data []byte) error {
		fmt.Fprintf(&sums, "%x  %s\n", sha256.Sum256(data), name)
		return put(filepath.Join(dir, name), data)
	}
	stamps := map[string]string{stampPackage + ".release": s.Version, stampPackage + ".revision": s.Revision}
	for _, on := range systems {
		log.Printf("building %s for %s/%s", s.Version, on.OS, on.Arch)
		name := "beziergp"
		if on.OS == "windows" {
			name += ".exe"
		}
		out := filepath.Join(built, name)
		if err := build(ctx, ".", program, out, on, stamps); err != nil {
			return err
		}
		bill, err := billOf(out, s, modules)
		if err != nil {
			return err
		}
		data, err := os.ReadFile(out)
		if err != nil {
			return err
		}
		files := append([]archive.File{{Name: name, Data: data, Program: true}, {Name: "beziergp.cdx.json", Data: bill}}, texts...)
		title := strings.Join([]string{"beziergp", s.Version, on.OS, on.Arch}, "-")
		packed, ending, err := pack(title, files, on, s)
		if err != nil {
			return err
		}
		if err := write(title+ending, packed); err != nil {
			return err
		}
		if err := write(title+".cdx.json", bill); err != nil {
			return err
		}
	}
	return put(filepath.Join(dir, "SHA256SUMS"), []byte(sums.String()))
}

// stampPackage has the variables that tell version and revision.
const stampPackage = "beziergp/cmd/beziergp/internal/version"

// pack puts files into one folder of an archive of the system's kind.
func pack(folder string, files []archive.File, on licence.System, s source) (packed []byte, ending string, err error) {
	inside := make([]archive.File, len(files))
	for i, f := range files {
		f.Name = path.Join(folder, f.Name)
		inside[i] = f
	}
	var b bytes.Buffer
	if on.OS == "windows" {
		err = archive.Zip(&b, inside, s.Time)
		return b.Bytes(), ".zip", err
	}
	err = archive.TarGzip(&b, inside, s.Time)
	return b.Bytes(), ".tar.gz", err
}

// billOf returns the bill of materials of a built program.
func billOf(file string, s source, modules []licence.Module) ([]byte, error) {
	info, err := buildinfo.ReadFile(file)
	if err != nil {
		return nil, err
	}
	licences := map[string]string{}
	var packages []sbom.Package
	for _, m := range modules {
		licences[m.Path] = m.Licence
		if m.NPM {
			packages = append(packages, sbom.Package{Name: m.Path, Version: m.Version})
		}
	}
	var b bytes.Buffer
	err = sbom.Write(&b, s.Version, info, func(module string) string { return licences[module] }, packages...)
	return b.Bytes(), err
}

func put(file string, data []byte) error {
	return atomicfile.WriteFile(file, func(w io.Writer) error {
		_, err := w.Write(data)
		return err
	})
}
