package fit

import (
	"fmt"
	"slices"
	"strings"

	"beziergp/box"
	"beziergp/cmd/beziergp/internal/exit"
	"beziergp/cmd/beziergp/internal/shell"
)

// pick refuses flags that the learner asked for does not have. A flag never chooses
// the learner: where one that was not asked for has all of them, the error holds the
// line to type, args with it put in.
func (o *Options) pick(learners []learner, changed func(flag string) bool, args []string) error {
	asked := learners[slices.IndexFunc(learners, func(l learner) bool {
		return l.method == o.Method && (l.recipe == "" || l.recipe == o.Recipe)
	})]
	var special []string // flags given that not all learners have
	for _, l := range learners {
		special = append(special, l.flags...)
	}
	special = slices.DeleteFunc(special, func(flag string) bool { return !changed(flag) })
	if i := slices.IndexFunc(special, func(flag string) bool { return !asked.has(flag) }); i >= 0 {
		return refuse(special[i], special, asked, learners, changed, args)
	}
	if o.Method == methodBezier {
		if _, err := box.ParsePolicy(string(o.Policy)); err != nil {
			return exit.Usagef("--out-of-box: %w", err)
		}
	} else if !changed("out-of-box") {
		o.Policy = box.Extrapolate
	}
	return nil
}

// refuse says that a flag is none of the learner asked for, and which have it.
func refuse(flag string, given []string, asked learner, learners []learner, changed func(string) bool, args []string) error {
	var names []string
	var line string
	for _, l := range learners {
		if !l.has(flag) || l.recipe == recipePaper && asked.recipe == "" && learners[0].has(flag) {
			continue
		}
		name := l.option(asked)
		names = append(names, name)
		free := l.recipe == "" && !changed("method") || l.method == asked.method && !changed("recipe")
		fits := !slices.ContainsFunc(given, func(flag string) bool { return !l.has(flag) })
		if at := slices.Index(args, "fit"); line == "" && free && fits && at >= 0 {
			line = shell.Line(append([]string{"beziergp"}, slices.Insert(slices.Clone(args), at+1, strings.Fields(name)...)...))
		}
	}
	err := fmt.Errorf("--%s is none of %s; leave it out, or take %s", flag, asked, strings.Join(names, " or "))
	return &exit.Error{Code: exit.Usage, Err: err, Try: line}
}

// option returns the flag that asks for the learner in the place of another one.
func (l learner) option(asked learner) string {
	switch {
	case l.method != methodBezier:
		return "--method " + l.method
	case l.method != asked.method && l.recipe == recipeAuto:
		return "--method " + methodBezier
	}
	return "--recipe " + l.recipe
}
