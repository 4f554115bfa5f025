package licence_test

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"beziergp/cmd/beziergp/internal/release/licence"
)

var systems = []licence.System{{OS: "linux", Arch: "amd64"}, {OS: "darwin", Arch: "arm64"}, {OS: "windows", Arch: "amd64"}}

func linked(t *testing.T) []licence.Module {
	t.Helper()
	modules, err := licence.Linked(context.Background(), "../../../../..", "./cmd/beziergp", systems)
	if err != nil {
		t.Fatal(err)
	}
	return modules
}

// NOTICE is what the program links today.
func TestNoticeIsComplete(t *testing.T) {
	want, err := os.ReadFile("../../../../../NOTICE")
	if err != nil {
		t.Fatal(err)
	}
	modules := linked(t)
	var got bytes.Buffer
	if err := licence.WriteNotice(&got, modules); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got.Bytes(), want) {
		t.Errorf("NOTICE is not what the program links: run make notice and look at what changed")
	}
	// By other means than the package's own: a module is named with a licence.
	c := exec.Command("go", "list", "-deps", "-f", "{{with .Module}}{{.Path}}{{end}}", "./cmd/beziergp")
	c.Dir = "../../../../.."
	out, err := c.Output()
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range strings.Fields(string(out)) {
		if _, after, found := strings.Cut(string(want), "\n"+path+"  "); path != "beziergp" && (!found || strings.TrimSpace(strings.SplitN(after, "\n", 2)[0]) == "") {
			t.Errorf("NOTICE does not name %s and its licence", path)
		}
	}
}

const fonts = "golang.org/x/image"

// What other licences want beside them is there, and none of them asks for the
// source of the program.
func TestLicencesAreKnown(t *testing.T) {
	want := map[string]string{
		licence.Standard:          "BSD-3-Clause",
		"github.com/spf13/cobra":  "Apache-2.0",
		"github.com/spf13/pflag":  "BSD-3-Clause",
		"github.com/jackc/pgx/v5": "MIT",
		"github.com/zeebo/xxh3":   "BSD-2-Clause",
		fonts:                     "BSD-3-Clause",
		"uplot":                   "MIT",
	}
	for _, m := range linked(t) {
		if w, ok := want[m.Path]; ok && w != m.Licence {
			t.Errorf("%s: %s, its file says %s", m.Path, m.Licence, w)
		}
		delete(want, m.Path)
		// The fonts have a licence of their own, which is not above them.
		if m.Path == fonts && !slices.ContainsFunc(m.Files, func(f licence.File) bool { return bytes.Contains(f.Text, []byte("Bigelow & Holmes")) }) {
			t.Errorf("%s lacks the licence of the fonts", m.Path)
		}
		for _, id := range []string{"GPL", "MPL", "NC"} {
			if strings.Contains(m.Licence, id) {
				t.Errorf("%s comes under %s", m.Path, m.Licence)
			}
		}
		if m.Version == "" || len(m.Files) == 0 {
			t.Errorf("%s: version %q, %d files", m.Path, m.Version, len(m.Files))
		}
	}
	if len(want) > 0 {
		t.Errorf("not linked: %v", want)
	}
}
