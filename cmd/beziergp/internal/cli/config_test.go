package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// samples are values of flags; of a flag the first that its parser takes is tried.
var samples = []string{
	"3", "0.25", "90s", "x \"y\", 'z'=3:5", "file \\ \"q\".csv:c, d", "-1:2.5", "log1p", "all", "fast", "paper", "flag", "svgp", "matern32", "json", "always",
	"coarse+fine9@1e-7", "1536kB", "2026-01-02", "a \\ 'b' \"c\" ü\t= d", "k=category", "k=3", "c.svg", "rmse>3", "poisson", "USR1",
}

// settings returns what --print-config prints for some arguments; it is empty where they are
// refused.
func settings(t *testing.T, args ...string) string {
	t.Helper()
	var out, said bytes.Buffer
	if Main(append([]string{"fit", "--print-config"}, args...), strings.NewReader(""), &out, &said) != 0 {
		return ""
	}
	return out.String()
}

// Every flag of fit goes into a file and comes back as it was.
func TestEveryFlagGoesToAFileAndBack(t *testing.T) {
	var fit *cobra.Command
	eachCommand(func(c *cobra.Command, _ []string) {
		if c.Name() == "fit" {
			fit = c
		}
	})
	if err := fit.ParseFlags(nil); err != nil { // which adds those of the root
		t.Fatal(err)
	}
	with := [][]string{
		{"d.csv"}, {"d.csv", "--recipe", "paper"}, {"d.csv", "--method", "svgp"}, {"d.csv", "--method", "knn"}, {"d.csv", "--method", "deepgp"},
		{"--query", "SELECT 1"}, {"--from", "sqlite:x.db"}, {"d.csv", "--holdout", "0.5"},
	}
	tried := 0
	fit.Flags().VisitAll(func(f *pflag.Flag) {
		if f.Name == "config" || f.Name == "print-config" || f.Name == "help" {
			return
		}
		texts := samples
		if f.Value.Type() == "bool" {
			texts = []string{"true"}
		}
		for _, text := range texts {
			for _, others := range with {
				args := append([]string{"--" + f.Name + "=" + text}, others...)
				printed := settings(t, args...)
				live := regexp.MustCompile(`(?m)^` + f.Name + ` = `)
				if text == f.DefValue || !live.MatchString(printed) {
					continue
				}
				file := filepath.Join(t.TempDir(), "run.toml")
				if err := os.WriteFile(file, []byte(printed), 0o600); err != nil {
					t.Fatal(err)
				}
				if again := settings(t, "--config", file); again != printed {
					t.Errorf("%q: printed\n%s\nread again\n%s", args, printed, again)
				}
				tried++
				return
			}
		}
		t.Errorf("--%s: no sample is taken", f.Name)
	})
	if tried < 40 {
		t.Errorf("%d flags are tried", tried)
	}
}
