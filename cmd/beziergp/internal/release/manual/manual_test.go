package manual_test

import (
	"bytes"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"beziergp/cmd/beziergp/internal/cli"
	"beziergp/cmd/beziergp/internal/release/manual"
)

func pages() map[string]string {
	texts := map[string]string{}
	for _, p := range manual.Pages(cli.Commands(), "v1", time.Unix(0, 0)) {
		texts[p.Name] = string(p.Text)
	}
	return texts
}

// Every command has a page, and every flag of it is there.
func TestEveryFlagIsInThePages(t *testing.T) {
	texts := pages()
	var check func(*cobra.Command)
	check = func(cmd *cobra.Command) {
		text, ok := texts["man/man1/"+strings.ReplaceAll(cmd.CommandPath(), " ", "-")+".1"]
		if !ok {
			t.Errorf("no page of %q", cmd.CommandPath())
		}
		cmd.Flags().VisitAll(func(f *pflag.Flag) {
			if !f.Hidden && !strings.Contains(text, strings.ReplaceAll("--"+f.Name, "-", `\-`)) {
				t.Errorf("the page of %q lacks --%s", cmd.CommandPath(), f.Name)
			}
		})
		for _, sub := range cmd.Commands() {
			if sub.IsAvailableCommand() {
				check(sub)
			}
		}
	}
	check(cli.Commands())
	for page, want := range map[string]string{"paper": `\-\-order int  `, "methods": `\-\-inducing int  `} {
		if text := texts["man/man1/beziergp-"+page+".1"]; !strings.Contains(text, want) || strings.Contains(text, "Usage") {
			t.Errorf("the page of the topic %s does not tell of its flags:\n%s", page, text)
		}
	}
	if len(texts) < 8 {
		t.Errorf("%d pages", len(texts))
	}
}

// No line of a text is taken for a request, which troff would obey or drop.
func TestTextIsNoRequest(t *testing.T) {
	cmd := &cobra.Command{Use: "x", Short: `a \ b`, Long: ".csv files\n'quoted' text", Run: func(*cobra.Command, []string) {}}
	text := string(manual.Pages(cmd, "v1", time.Unix(0, 0))[0].Text)
	for _, want := range []string{"\n\\&.csv files\n\\&'quoted' text\n", `a \e b`} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in\n%s", want, text)
		}
	}
}

// groff finds nothing to warn of.
func TestPagesFormat(t *testing.T) {
	if _, err := exec.LookPath("groff"); err != nil {
		t.Skip("groff is not installed")
	}
	for name, text := range pages() {
		c := exec.Command("groff", "-man", "-Tutf8", "-K", "utf8", "-ww", "-z")
		c.Stdin = strings.NewReader(text)
		if out, err := c.CombinedOutput(); err != nil || len(out) > 0 {
			t.Errorf("%s: %v\n%s", name, err, out)
		}
	}
}

// The completions are those that the verb completion prints.
func TestCompletionsAreTheProgramsOwn(t *testing.T) {
	made, err := manual.Completions(cli.Commands())
	if err != nil {
		t.Fatal(err)
	}
	for i, shell := range []string{"bash", "zsh", "fish", "powershell"} {
		root := cli.Commands()
		var printed bytes.Buffer
		root.SetOut(&printed)
		root.SetArgs([]string{"completion", shell})
		if err := root.Execute(); err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(made[i].Text, printed.Bytes()) || printed.Len() == 0 {
			t.Errorf("%s: %d bytes, completion %s prints %d", made[i].Name, len(made[i].Text), shell, printed.Len())
		}
	}
}
