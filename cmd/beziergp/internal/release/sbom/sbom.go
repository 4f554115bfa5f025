// Package sbom writes what a program is made of: a bill of materials in the form of
// CycloneDX 1.6, https://cyclonedx.org/docs/1.6/json/.
package sbom

import (
	"encoding/json"
	"io"
	"runtime/debug"
	"strings"
)

// document is the part of CycloneDX that is used here. It has neither a serial
// number nor a time, so that equal programs have equal bills.
type document struct {
	Format     string      `json:"bomFormat"`
	Spec       string      `json:"specVersion"`
	Version    int         `json:"version"`
	Metadata   metadata    `json:"metadata"`
	Components []component `json:"components"`
}

type metadata struct {
	Component component `json:"component"`
}

type component struct {
	Type       string     `json:"type"`
	Ref        string     `json:"bom-ref"`
	Name       string     `json:"name"`
	Version    string     `json:"version"`
	Licences   []licence  `json:"licenses,omitempty"`
	Purl       string     `json:"purl,omitempty"`
	Properties []property `json:"properties,omitempty"`
}

type licence struct {
	Expression string `json:"expression"`
}

type property struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// Package is a package for JavaScript that a program holds.
type Package struct{ Name, Version string }

// Write writes the bill of a program of a version, by what its builder wrote into
// it, and the packages that it holds besides; licence returns the SPDX expression of a
// module or a package, or nothing.
func Write(w io.Writer, version string, info *debug.BuildInfo, licence func(module string) string, packages ...Package) error {
	program := of("application", info.Main.Path, version, "Apache-2.0")
	for _, s := range info.Settings {
		program.Properties = append(program.Properties, property{"go:build:" + s.Key, s.Value})
	}
	d := document{Format: "CycloneDX", Spec: "1.6", Version: 1, Metadata: metadata{program}}
	d.Components = append(d.Components, of("library", "std", strings.TrimPrefix(info.GoVersion, "go"), licence("std")))
	for _, m := range info.Deps {
		if m.Replace != nil {
			m = m.Replace
		}
		c := of("library", m.Path, m.Version, licence(m.Path))
		if m.Sum != "" {
			c.Properties = append(c.Properties, property{"go:sum", m.Sum})
		}
		d.Components = append(d.Components, c)
	}
	for _, p := range packages {
		c := of("library", p.Name, p.Version, licence(p.Name))
		c.Purl = "pkg:npm/" + p.Name + "@" + p.Version
		c.Ref = c.Purl
		d.Components = append(d.Components, c)
	}
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	return e.Encode(d)
}

func of(kind, path, version, expression string) component {
	purl := "pkg:golang/" + path + "@" + version
	c := component{Type: kind, Ref: purl, Name: path, Version: version, Purl: purl}
	if expression != "" {
		c.Licences = []licence{{expression}}
	}
	return c
}
