package fit

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"beziergp/likelihood"
	"beziergp/rival"
)

// Topics returns help on learners other than the default one.
func Topics() []*cobra.Command {
	o := NewOptions()
	learners := o.learners()
	return []*cobra.Command{
		{
			Use: topicSplits, Short: "Rows that belong together: groups, and times",
			Long: `A score is that of new rows if rows held out are as new as those. Where rows of a
customer, a site or a day are alike, and new rows are of other customers or later, say
so. fit then holds whole groups out, or stretches of time, wherever it chooses and
calibrates, and errors and intervals are those of new groups, or of later rows.

  --group NAME   rows of equal values in this column are on one side of every split.
                 A hash of the value alone decides which groups --holdout takes, so
                 that every file has the same ones.
  --time NAME    rows lie along this column of dates or numbers. --holdout takes the
                 last rows, with all that have the same time as the first of them.

The column is no input, for every new row has another value of it; but of a date-time
the hour, the weekday and the day of the year are, as far as the rows go once round.
No row may lack the value. predict, eval and drift take these flags, too. With
--recipe paper and other methods, which hold nothing out by themselves, the flags act
on --holdout alone, and no part of the column is an input.

Examples:
  beziergp fit visits.csv --target cost --group patient --holdout 0.1
  beziergp eval model.bgp visits.csv --group patient --holdout 0.1
  beziergp fit air.csv --target pm25 --time measured_at --holdout 0.2

Flags of fit, besides those of 'beziergp fit --help':
` + NewOptions().splits().Usage(),
		},
		{
			Use: topicTargets, Short: "Targets that are classes, counts and amounts, and the flags for them",
			Long: `A target need not be a number with errors around it. Truth values, and text of up to
100 levels, are classes: predictions are probabilities. Numbers are learned as numbers
unless --likelihood says what they are:

` + lawsHelp() + `
--column y=category makes classes of a numeric column, whole numbers say, and
categorical or bernoulli must be asked for where levels are more than 100.
--class-weights learns the table in which classes count so many times as often.

Counts and amounts that grow with a time, an area or a number of persons have an
exposure: the expected target is in proportion to it. An offset is its logarithm, or
any known term of the natural parameter. Predictions need the column then.

describe and fit tell where a law may suit the numbers; none is chosen silently. What
compares laws is NLPD, of the same rows.

Several targets stand between commas: --target a,b,c. They are learned as numbers, a row
may lack some of them, and one file holds a model of each; --output NAME is one of these
to other verbs. --share says whether they share a process.

Examples:
  beziergp fit churn.csv --target left --out churn.bgp
  beziergp fit wine.csv --target quality --column quality=category
  beziergp fit claims.csv --target claims --likelihood poisson --exposure years

Flags of fit, besides those of 'beziergp fit --help':
` + NewOptions().targets().Usage(),
		},
		{
			Use: topicTraining, Short: "Watching, steering and repeating a fit, and the flags for it",
			Long: `While a fit runs it tells the phase, the root mean squared error and minus the mean
log-likelihood (NLPD) of rows held out: of the best candidate so far, then of the
members that are done. --log-format json tells the same in fields. --curve draws the
candidates' errors, and those of the members by steps; of the recipe paper error and
bound.

The recipe auto chooses among structures, the shapes, each a sum of components:

  coarse    order 5, for trends and interactions; coarse8 has 8 nodes
  fine21    cubic splines of 21 nodes, for local structure
  smooth    order 3 and many orderings
  full      order 5 in 100 orderings, with all nodes on inputs of few values
  ties12    a function for each value of numbers whose values many rows share, splines of others
  additive  a line of each number, any function of each category; alone;
            additive8 has a spline of 8 nodes in the place of a line
  main31@3  main effects: a spline of 31 nodes of each number, a function of every
            level of each category, found first with a penalty of 3; the components
            behind it, as in main31@3+coarse, learn what they leave

as in --shapes coarse+fine21,smooth. fine21x40 has 40 orderings; coarse@0.1 has the
smoothness 0.1, which else is chosen too; linear:coarse is on a linear scaling. A fit
tells the shape that it chose: given to --shapes, it is taken without a choice.

Examples:
  beziergp fit houses.csv --target price --curve curve.svg
  beziergp fit houses.csv --target price --shapes coarse+fine21,additive --steps-factor 2
  beziergp fit houses.csv --target price --folds 20 --members 20

Flags of fit, besides those of 'beziergp fit --help':
` + o.watching().Usage() + learners[0].section.Usage(),
		},
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
verb but draw and export takes its models. Its predictions are Gaussian but for linear, knn and constant,
which take any --likelihood, and go on beyond the bounds unless --out-of-box says
otherwise (default extrapolate). A category is one-hot, a missing
value the mean with a column that tells. All rows must fit in memory, and an
interrupted run leaves no model.

Example:
  beziergp fit houses.csv --target price --method sgpr --inducing 200 --kernel matern32

The methods, each with its flags, besides those of 'beziergp fit --help':

` + methodsHelp(learners),
		},
	}
}

// aboutLaws say what has which law.
var aboutLaws = map[string]string{
	"gaussian": "numbers, with errors as auto finds them", "categorical": "classes, any number of them",
	"bernoulli": "0 and 1, by the logit", "bernoulli-probit": "0 and 1, by the probit",
	"poisson": "counts", "negative-binomial": "counts that vary more", "zero-inflated-poisson": "counts with more zeros",
	"gamma": "positive amounts", "exponential": "times until something happens", "log-normal": "positive amounts, skewed more",
	"beta": "shares between 0 and 1", "tweedie": "amounts from 0 on, sums of few; tweedie:power=1.5 does not learn the power", "student": "numbers with outliers", "ordinal": "levels in order: 0, 1, 2, …",
}

// lawsHelp lists the laws.
func lawsHelp() string {
	var b strings.Builder
	for _, name := range likelihood.Names() {
		fmt.Fprintf(&b, "  %-22s %s\n", name, aboutLaws[name])
	}
	return b.String()
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
