// Package shell writes command lines as they are typed.
package shell

import (
	"regexp"
	"strings"
)

// plain is a word that a shell leaves as it is.
var plain = regexp.MustCompile(`^[A-Za-z0-9_./:=,+@%-]+$`)

// Line returns a command line that a POSIX shell splits into these words.
func Line(words []string) string {
	var quoted []string
	for _, word := range words {
		if !plain.MatchString(word) {
			word = "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
		}
		quoted = append(quoted, word)
	}
	return strings.Join(quoted, " ")
}
