package main

import (
	"fmt"
	"go/ast"
	"go/token"
	"slices"
	"strings"
)

// instead holds what takes the place of a token in the text, where the new one may bind
// otherwise than the old one: p && q && r becomes p || q && r. Two operators of a comparison move its
// boundary and turn it round; those of an assignment are turned round and forgotten.
var instead = map[token.Token][]token.Token{
	token.ADD: {token.SUB}, token.SUB: {token.ADD}, token.MUL: {token.QUO}, token.QUO: {token.MUL}, token.REM: {token.MUL},
	token.LSS: {token.LEQ, token.GEQ}, token.LEQ: {token.LSS, token.GTR}, token.GTR: {token.GEQ, token.LEQ}, token.GEQ: {token.GTR, token.LSS},
	token.EQL: {token.NEQ}, token.NEQ: {token.EQL}, token.LAND: {token.LOR}, token.LOR: {token.LAND},
	token.INC: {token.DEC}, token.DEC: {token.INC}, token.BREAK: {token.CONTINUE}, token.CONTINUE: {token.BREAK},
	token.ADD_ASSIGN: {token.SUB_ASSIGN, token.ASSIGN}, token.SUB_ASSIGN: {token.ADD_ASSIGN, token.ASSIGN},
	token.MUL_ASSIGN: {token.QUO_ASSIGN, token.ASSIGN}, token.QUO_ASSIGN: {token.MUL_ASSIGN, token.ASSIGN},
}

// mutant is a file with one token replaced.
type mutant struct {
	number     int // in the package, from 1
	file       *sourceFile
	function   *ast.FuncDecl // that holds the token; nil for one of no function
	at         token.Position
	own, other token.Token
	status     string
}

// replacements returns the mutants of a file in the order of their tokens, not numbered.
func replacements(f *sourceFile) []*mutant {
	var found []*mutant
	var function *ast.FuncDecl
	add := func(pos token.Pos, own token.Token) {
		for _, other := range instead[own] {
			found = append(found, &mutant{file: f, function: function, at: f.files.Position(pos), own: own, other: other})
		}
	}
	for _, declared := range f.parsed.Decls {
		function, _ = declared.(*ast.FuncDecl)
		ast.Inspect(declared, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.BinaryExpr:
				add(n.OpPos, n.Op)
			case *ast.UnaryExpr:
				add(n.OpPos, n.Op)
			case *ast.IncDecStmt:
				add(n.TokPos, n.Tok)
			case *ast.AssignStmt:
				add(n.TokPos, n.Tok)
			case *ast.BranchStmt:
				add(n.TokPos, n.Tok)
			}
			return true
		})
	}
	slices.SortStableFunc(found, func(a, b *mutant) int { return a.at.Offset - b.at.Offset })
	return found
}

// edit is the mutation as a change of the file's text.
func (m *mutant) edit() edit {
	return edit{m.at.Offset, m.at.Offset + len(m.own.String()), m.other.String()}
}

// marked returns the line of code with both tokens, as a cell of a table.
func (m *mutant) marked() string {
	line := strings.Split(m.file.text, "\n")[m.at.Line-1]
	before, after := line[:m.at.Column-1], line[m.at.Column-1+len(m.own.String()):]
	text := strings.TrimSpace(fmt.Sprintf("%s⟦%s → %s⟧%s", before, m.own, m.other, after))
	return "`" + strings.ReplaceAll(text, "|", `\|`) + "`"
}
