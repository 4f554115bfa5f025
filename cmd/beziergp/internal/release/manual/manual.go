// Package manual makes man pages and shell completions from the commands.
package manual

import (
	"bytes"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"
)

// Page is a file to install, by its path below a share folder.
type Page struct {
	Name string
	Text []byte
}

// Pages returns the man page of a command, of those below it, and of their help topics.
func Pages(cmd *cobra.Command, version string, at time.Time) []Page {
	pages := []Page{page(cmd, version, at)}
	for _, sub := range cmd.Commands() {
		if documented(sub) {
			pages = append(pages, Pages(sub, version, at)...)
		}
	}
	return pages
}

// documented tells whether a command, or a help topic, has a page.
func documented(cmd *cobra.Command) bool {
	return cmd.IsAvailableCommand() || cmd.IsAdditionalHelpTopicCommand()
}

func page(cmd *cobra.Command, version string, at time.Time) Page {
	name := strings.ReplaceAll(cmd.CommandPath(), " ", "-")
	var b bytes.Buffer
	fmt.Fprintf(&b, ".\\\" Made from the command's help.\n.TH \"%s\" 1 \"%s\" \"beziergp %s\" \"beziergp\"\n",
		strings.ToUpper(name), at.UTC().Format("January 2006"), version)
	fmt.Fprintf(&b, ".SH NAME\n%s \\- %s\n", literal(name), literal(cmd.Short))
	b.WriteString(".SH DESCRIPTION\n")
	paragraphs(&b, cmd.Long)
	// The rest is laid out in columns, with a heading that ends in a colon.
	for _, block := range strings.Split(usage(cmd), "\n\n") {
		heading, body, found := strings.Cut(strings.Trim(block, "\n"), ":\n")
		if !found {
			heading, body = "", heading
		}
		if heading != "" {
			fmt.Fprintf(&b, ".SH %s\n", literal(strings.ToUpper(heading)))
		}
		if body != "" {
			asItStands(&b, body)
		}
	}
	if related := neighbours(cmd); len(related) > 0 {
		fmt.Fprintf(&b, ".SH \"SEE ALSO\"\n%s\n", literal(strings.Join(related, ", ")))
	}
	return Page{"man/man1/" + name + ".1", b.Bytes()}
}

// usage is empty for a help topic, which has none.
func usage(cmd *cobra.Command) string {
	if cmd.IsAdditionalHelpTopicCommand() {
		return ""
	}
	return cmd.UsageString()
}

// neighbours are the pages above a command and below it.
func neighbours(cmd *cobra.Command) []string {
	var names []string
	if cmd.HasParent() {
		names = append(names, strings.ReplaceAll(cmd.Parent().CommandPath(), " ", "-")+"(1)")
	}
	for _, sub := range cmd.Commands() {
		if documented(sub) {
			names = append(names, strings.ReplaceAll(sub.CommandPath(), " ", "-")+"(1)")
		}
	}
	return names
}

// paragraphs writes running text filled, and what is indented as it stands.
func paragraphs(b *bytes.Buffer, text string) {
	for _, p := range strings.Split(strings.Trim(text, "\n"), "\n\n") {
		if strings.HasPrefix(p, " ") || strings.Contains(p, "\n  ") {
			asItStands(b, p)
		} else {
			fmt.Fprintf(b, ".PP\n%s\n", literal(p))
		}
	}
}

// asItStands writes text line by line.
func asItStands(b *bytes.Buffer, text string) {
	fmt.Fprintf(b, ".PP\n.nf\n%s\n.fi\n", literal(text))
}

// literal writes text for troff: no line of it is a request, and no character of
// it an escape or a typographer's hyphen.
func literal(text string) string {
	lines := strings.Split(strings.NewReplacer(`\`, `\e`, `-`, `\-`).Replace(text), "\n")
	for i, l := range lines {
		if strings.HasPrefix(l, ".") || strings.HasPrefix(l, "'") {
			lines[i] = `\&` + l
		}
	}
	return strings.Join(lines, "\n")
}

// Completions returns the completions of four shells.
func Completions(root *cobra.Command) ([]Page, error) {
	name := root.Name()
	var bash, zsh, fish, power bytes.Buffer
	for shell, err := range map[string]error{
		"bash":       root.GenBashCompletionV2(&bash, true),
		"zsh":        root.GenZshCompletion(&zsh),
		"fish":       root.GenFishCompletion(&fish, true),
		"PowerShell": root.GenPowerShellCompletionWithDesc(&power),
	} {
		if err != nil {
			return nil, fmt.Errorf("completion of %s: %w", shell, err)
		}
	}
	return []Page{
		{"completions/" + name + ".bash", bash.Bytes()},
		{"completions/_" + name, zsh.Bytes()},
		{"completions/" + name + ".fish", fish.Bytes()},
		{"completions/" + name + ".ps1", power.Bytes()},
	}, nil
}
