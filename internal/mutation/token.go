package main

import (
	"fmt"
	"go/scanner"
	"go/token"
	"strings"
)

// instead holds what gremlins puts in the place of a token, by the kind of mutation.
var instead = map[string]map[string]string{
	"ARITHMETIC_BASE":         {"+": "-", "-": "+", "*": "/", "/": "*", "%": "*"},
	"CONDITIONALS_BOUNDARY":   {"<": "<=", "<=": "<", ">": ">=", ">=": ">"},
	"CONDITIONALS_NEGATION":   {"==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">"},
	"INCREMENT_DECREMENT":     {"++": "--", "--": "++"},
	"INVERT_ASSIGNMENTS":      {"+=": "-=", "-=": "+=", "*=": "/=", "/=": "*="},
	"INVERT_LOGICAL":          {"&&": "||", "||": "&&"},
	"INVERT_LOOPCTRL":         {"break": "continue", "continue": "break"},
	"REMOVE_SELF_ASSIGNMENTS": {"+=": "=", "-=": "=", "*=": "=", "/=": "="},
}

// mutated returns a line with the token at a column replaced, as code and, for a table,
// with both tokens marked.
func mutated(line string, column int, kind string) (code, marked string, err error) {
	var s scanner.Scanner
	files := token.NewFileSet()
	rest := line[column:]
	s.Init(files.AddFile("", -1, len(rest)), []byte(rest), func(token.Position, string) {}, 0)
	_, t, _ := s.Scan()
	own := t.String()
	other, ok := instead[kind][own]
	if !ok || !strings.HasPrefix(rest, own) {
		return "", "", fmt.Errorf("no mutation %s of %q at column %d of %q", kind, own, column+1, line)
	}
	rest = rest[len(own):]
	code = line[:column] + other + rest
	marked = strings.TrimSpace(line[:column] + "⟦" + own + " → " + other + "⟧" + rest)
	return code, "`" + strings.ReplaceAll(marked, "|", `\|`) + "`", nil
}
