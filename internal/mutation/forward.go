package main

import (
	"fmt"
	"go/ast"
	"strings"
)

// forward makes calls of a function's copies, with all that the function itself was given.
type forward struct {
	edits     []edit // that give a name to parameters without one
	receiver  string // with a dot; empty for a function
	name      string
	types     string // in brackets; empty where there are none
	arguments string
	returns   bool
}

// newForward reads the signature of a function. Some functions are not forwarded: those
// that call recover, which answers only to what was deferred itself, those that another
// language has the body of, and those with a type parameter without a name.
func newForward(f *sourceFile, d *ast.FuncDecl) (w *forward, ok bool) {
	if d.Body == nil {
		return nil, false
	}
	w, ok = &forward{name: d.Name.Name, returns: d.Type.Results != nil}, true
	ast.Inspect(d.Body, func(n ast.Node) bool {
		if name, is := n.(*ast.Ident); is && name.Name == "recover" {
			ok = false
		}
		return true
	})
	if d.Recv != nil {
		w.receiver = w.names(f, d.Recv, "receiver")[0] + "."
	}
	if d.Type.TypeParams != nil {
		var types []string
		for _, field := range d.Type.TypeParams.List {
			for _, name := range field.Names {
				types = append(types, name.Name)
				ok = ok && name.Name != "_"
			}
		}
		w.types = "[" + strings.Join(types, ", ") + "]"
	}
	w.arguments = strings.Join(w.names(f, d.Type.Params, "argument"), ", ")
	return w, ok
}

// names returns the names of parameters, as a call passes them on.
func (w *forward) names(f *sourceFile, list *ast.FieldList, kind string) []string {
	var all []string
	for _, field := range list.List {
		dots := ""
		if _, variadic := field.Type.(*ast.Ellipsis); variadic {
			dots = "..."
		}
		if len(field.Names) == 0 {
			name, at := fmt.Sprintf("%s%d__", kind, len(all)), f.offset(field.Type.Pos())
			w.edits = append(w.edits, edit{at, at, name + " "})
			all = append(all, name+dots)
		}
		for _, own := range field.Names {
			name := own.Name
			if name == "_" {
				name = fmt.Sprintf("%s%d__", kind, len(all))
				w.edits = append(w.edits, edit{f.offset(own.Pos()), f.offset(own.End()), name})
			}
			all = append(all, name+dots)
		}
	}
	return all
}

// copyName is that of a function's copy with a mutation.
func copyName(function string, m *mutant) string { return fmt.Sprintf("%s__%d", function, m.number) }

// dispatch returns the statement at the head of a function that leaves the call to the copy
// of the mutant that was chosen. Other mutants, and none, cost a comparison. It is one line,
// and the lines of the function stay what they are.
func (w *forward) dispatch(mutants []*mutant) string {
	var cases strings.Builder
	for _, m := range mutants {
		call := w.receiver + copyName(w.name, m) + w.types + "(" + w.arguments + ")"
		if w.returns {
			call = "return " + call
		} else {
			call += "; return"
		}
		fmt.Fprintf(&cases, "case %d: %s; ", m.number, call)
	}
	return fmt.Sprintf(" if %d <= %s && %s <= %d { switch %s { %s} };", mutants[0].number, chosen, chosen, mutants[len(mutants)-1].number, chosen, cases.String())
}
