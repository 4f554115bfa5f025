package fit

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"beziergp/rival"
)

// Topics returns help on learners other than the default one.
func Topics() []*cobra.Command {
	learners := NewOptions().learners()
	return []*cobra.Command{
		{
			Use: topicPaper, Short: "The recipe of the paper, and its flags",
			Long: `--recipe paper trains as Jørgensen & Osborne, Bézier Gaussian Processes for Tall and
Wide Data (NeurIPS 2022), do: a fixed order and a fixed number of steps, chosen by
you. Compare by it; for a model to use take the default recipe, which chooses both by
held-out rows and is calibrated on them.

A run that is interrupted, or killed, leaves a checkpoint beside the model file: the
same command goes on from there and ends with the same model to the bit.

Examples:
  beziergp fit houses.csv --target price --recipe paper --order 5 --steps 20000
  beziergp fit houses.csv --target price --recipe paper --order-of rooms=5

Flags of fit, besides those of 'beziergp fit --help':
` + learners[1].section.Usage(),
		},
		{
			Use: topicMethods, Short: "Other methods to compare with, and their flags",
			Long: `--method takes another method in the place of bezier, this program's own, and every
verb takes its models. Its predictions are Gaussian, and go on beyond the bounds unless
--out-of-box says otherwise (default extrapolate). A category is one-hot, a missing
value the mean with a column that tells. All rows must fit in memory, and an
interrupted run leaves no model.

Example:
  beziergp fit houses.csv --target price --method sgpr --inducing 200 --kernel matern32

The methods, each with its flags, besides those of 'beziergp fit --help':

` + methodsHelp(learners),
		},
	}
}

// methodsHelp lists the methods with their flags.
func methodsHelp(learners []learner) string {
	var b strings.Builder
	for _, l := range learners {
		m, ok := rival.Find(l.method)
		if !ok {
			continue
		}
		fmt.Fprintf(&b, "  --method %-10s %s", m.Name, m.About)
		if m.KeepsRows {
			b.WriteString("; its file holds the training rows")
		}
		b.WriteString("\n" + l.section.Usage())
	}
	return b.String()
}
