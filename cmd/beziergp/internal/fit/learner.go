package fit

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"beziergp/cmd/beziergp/internal/exit"
	"beziergp/cmd/beziergp/internal/option"
	"beziergp/internal/limit"
	"beziergp/internal/process/basis"
	"beziergp/rival"
	"beziergp/rival/method/covariance"
	"beziergp/rival/method/deepgp"
)

const (
	// methodBezier is this program's own method; the others are [rival.Methods].
	methodBezier = "bezier"
	recipeAuto   = "auto"
	recipePaper  = "paper"
)

// Help topics with flags of fit that its own help has no room for.
const (
	topicSplits   = "splits"
	topicTargets  = "targets"
	topicTraining = "training"
	topicPaper    = "paper"
	topicMethods  = "methods"
)

// learner is what learns: the method bezier by a recipe, or another method.
type learner struct {
	method, recipe string         // recipe is empty for another method
	flags          []string       // that it has and not all learners have
	section        option.Section // with them in help; zero for one whose flags stand with the common ones
}

func (l learner) String() string {
	if l.recipe != "" {
		return "the recipe " + l.recipe
	}
	return "the method " + l.method
}

func (l learner) has(flag string) bool {
	return slices.Contains(l.flags, flag)
}

// learners returns all learners, the default one first.
func (o *Options) learners() []learner {
	own, control, paper := []string{"recipe", "weights", "class-weights", "cache", "curve", "likelihood", "exposure", "offset"}, o.control(), o.paper()
	all := []learner{
		{method: methodBezier, recipe: recipeAuto, flags: slices.Concat(own, []string{"effort", "budget", "valid", "oof", "share"}, control.Names()), section: control},
		{method: methodBezier, recipe: recipePaper, flags: slices.Concat(own, paper.Names()), section: paper},
	}
	for _, m := range rival.Methods() {
		section := o.rivalFlags(m)
		flags := append(section.Names(), "likelihood")
		if m.Laws {
			flags = append(flags, "exposure", "offset")
		}
		all = append(all, learner{method: m.Name, flags: flags, section: section})
	}
	return all
}

// control is the flags of the recipe auto for what else its effort chooses.
func (o *Options) control() option.Section {
	control := option.NewSection("Recipe auto")
	control.Topic, control.About = topicTraining, aboutTraining
	f := control.Flags
	f.StringSliceVar(&o.Auto.Shapes, "shapes", nil, "structures to choose from, `A,B`, as in coarse+fine21 (default those of the effort)")
	f.Var(option.Int(&o.Auto.Folds, 2, limit.Count), "folds", "parts of the rows, of which a member lacks one (default that of the effort)")
	f.Var(option.Count(&o.Auto.Members), "members", "cross-fitted members, at most as many as folds (default that of the effort)")
	f.Var(option.Positive(&o.Auto.StepsFactor), "steps-factor", "multiply the steps of all fits (default 1)")
	return control
}

// paper is the flags of the paper's recipe.
func (o *Options) paper() option.Section {
	paper := option.NewSection("Recipe paper")
	paper.Topic, paper.About = topicPaper, "the recipe of Jørgensen & Osborne (2022), --recipe paper, has"
	f := paper.Flags
	f.Var(option.Int(&o.Paper.Order, 1, basis.MaxPriorOrder), "order", fmt.Sprintf("order of the Bernstein basis of every input, 1 to %d", basis.MaxPriorOrder))
	f.Var(option.Orders(o.Paper.Orders), "order-of", "the order of one input; may be repeated")
	f.Var(option.Int(&o.Paper.Orderings, 1, limit.Orderings), "orderings", "buttresses, each with an order of the inputs of its own")
	f.Var(option.Count(&o.Paper.Steps), string(rival.Steps), "steps of Adam")
	f.Var(option.Count(&o.Paper.Batch), string(rival.Batch), "rows of a mini-batch")
	f.Var(option.Positive(&o.Paper.LearningRate), string(rival.Rate), "length of a step")
	f.Var(option.Positive(&o.Paper.KLWeight), "kl-weight", "pull to the prior; 1 is the paper's")
	f.Var(option.Positive(&o.Paper.Spread), "spread", "deviation of the starting weights")
	f.StringVar(&o.Kept, "checkpoint", "", "`FILE` for the state of a run that does not end (default OUT.ckpt; none when OUT is - or a device)")
	f.Var(option.Duration(&o.KeepTime), "checkpoint-every", "time between two checkpoints")
	f.BoolVar(&o.NoKept, "no-checkpoint", false, "keep no checkpoint")
	f.BoolVar(&o.Fresh, "fresh", false, "begin anew, replacing a checkpoint, and no other file")
	f.Var(option.New(&o.Requeue, "SIGNAL", parseRequeue), "requeue-signal", fmt.Sprintf("USR1 or USR2: upon it write the checkpoint and end with code %d, so that the run is queued again", exit.Requeue))
	return paper
}

// rivalFlags is the flags of another method. What they do not set is the method's
// default.
func (o *Options) rivalFlags(m rival.Method) option.Section {
	section := option.NewSection("Method " + m.Name)
	section.Topic, section.About = topicMethods, "other methods to compare with, --method NAME, have"
	for _, one := range m.Options {
		name, usage := string(one), usageOf(one, m.Name)
		switch one {
		case rival.Kernel:
			section.Flags.Var(option.New(&o.Settings.Kernel, "NAME", covariance.ParseFamily), name, usage)
		case rival.Inducing:
			section.Flags.Var(option.Int(&o.Settings.Inducing, 1, limit.Inducing), name, usage)
		case rival.Layers:
			section.Flags.Var(option.Int(&o.Settings.Layers, 1, deepgp.MostLayers), name, usage)
		case rival.Neighbours:
			section.Flags.Var(option.Count(&o.Settings.Neighbours), name, usage)
		case rival.Steps:
			section.Flags.Var(option.Count(&o.Settings.Steps), name, usage)
		case rival.Batch:
			section.Flags.Var(option.Count(&o.Settings.Batch), name, usage)
		case rival.Rate:
			section.Flags.Var(option.Positive(&o.Settings.Rate), name, usage)
		}
	}
	return section
}

// usageOf tells of an option of another method, with its default, which is the
// method's own business.
func usageOf(one rival.Option, method string) string {
	switch one {
	case rival.Kernel:
		return "matern52, matern32, matern12 or rbf (default matern52)"
	case rival.Inducing:
		if method == "deepgp" {
			return "inducing points of a layer at most (default 100)"
		}
		return "inducing points at most (default 500)"
	case rival.Layers:
		return "sparse processes behind one another, 1 to 3 (default 2)"
	case rival.Neighbours:
		return "neighbours to average (default as many as predict left-out rows best)"
	case rival.Batch:
		return "rows of a mini-batch (default 512)"
	}
	switch {
	case one == rival.Rate && method == "simplex":
		return "length of a step at the start (default 0.1)"
	case one == rival.Rate:
		return "length of a step at the start (default 0.02)"
	case method == "svgp":
		return "steps of Adam (default 3000)"
	case method == "simplex":
		return "steps of Adam from each of two starts (default 100)"
	case method == "deepgp":
		return "steps of Adam (default 10000)"
	}
	return "steps of L-BFGS at most (default 200)"
}

func rivals() (names []string) {
	for _, m := range rival.Methods() {
		names = append(names, m.Name)
	}
	return names
}

// parseMethod takes the methods that there are.
func parseMethod(text string) (string, error) {
	if _, ok := rival.Find(text); ok || text == methodBezier {
		return text, nil
	}
	return "", errors.New("there is no such method; there are " + strings.Join(append([]string{methodBezier}, rivals()...), ", "))
}

// recipes are the names that --recipe takes.
var recipes = []string{recipeAuto, recipePaper}

// parseRecipe takes the recipes that there are.
func parseRecipe(text string) (string, error) {
	if slices.Contains(recipes, text) {
		return text, nil
	}
	return "", errors.New("there is no such recipe; there are " + strings.Join(recipes, " and "))
}
