package sbom_test

import (
	"bytes"
	"encoding/json"
	"runtime/debug"
	"testing"

	"beziergp/cmd/beziergp/internal/release/sbom"
)

func TestBillNamesEveryModule(t *testing.T) {
	info := &debug.BuildInfo{
		GoVersion: "go1.26.8",
		Main:      debug.Module{Path: "beziergp"},
		Deps:      []*debug.Module{{Path: "example.com/a", Version: "v1.2.3", Sum: "h1:x="}, {Path: "example.com/b", Version: "v0.1.0"}},
		Settings:  []debug.BuildSetting{{Key: "GOOS", Value: "linux"}},
	}
	write := func() []byte {
		var b bytes.Buffer
		if err := sbom.Write(&b, "v1.0.0", info, func(m string) string {
			return map[string]string{"example.com/a": "MIT", "std": "BSD-3-Clause", "c": "MIT"}[m]
		}, sbom.Package{Name: "c", Version: "2.0.0"}); err != nil {
			t.Fatal(err)
		}
		return b.Bytes()
	}
	var bill struct {
		Format   string `json:"bomFormat"`
		Spec     string `json:"specVersion"`
		Metadata struct {
			Component struct{ Name, Version, Purl string }
		}
		Components []struct {
			Type, Name, Version, Purl string
			Licenses                  []struct{ Expression string }
		}
	}
	text := write()
	if err := json.Unmarshal(text, &bill); err != nil {
		t.Fatal(err)
	}
	if p := bill.Metadata.Component; bill.Format != "CycloneDX" || bill.Spec != "1.6" || p.Purl != "pkg:golang/beziergp@v1.0.0" {
		t.Errorf("%+v", bill)
	}
	want := []string{"pkg:golang/std@1.26.8 BSD-3-Clause", "pkg:golang/example.com/a@v1.2.3 MIT", "pkg:golang/example.com/b@v0.1.0", "pkg:npm/c@2.0.0 MIT"}
	for i, c := range bill.Components {
		got := c.Purl
		for _, l := range c.Licenses {
			got += " " + l.Expression
		}
		if i >= len(want) || got != want[i] || c.Type != "library" {
			t.Errorf("component %d is %s", i, got)
		}
	}
	if len(bill.Components) != len(want) || !bytes.Equal(text, write()) {
		t.Errorf("%d components, or not the same twice", len(bill.Components))
	}
}
