// Package demo is the verb that runs the main job on the example table.
package demo

import (
	"github.com/spf13/cobra"

	"beziergp/cmd/beziergp/internal/exit"
	"beziergp/cmd/beziergp/internal/option"
	"beziergp/cmd/beziergp/internal/streams"
	"beziergp/plot/canvas"
)

// Options are the flags of demo.
type Options struct {
	Dir     string
	Workers int // 0 for all processors
	// Pictures is the format of the pictures.
	Pictures canvas.Format
}

// Command returns the verb.
func Command(s *streams.Streams) *cobra.Command {
	o := &Options{Dir: "beziergp-demo", Pictures: canvas.SVG}
	cmd := &cobra.Command{
		Use:   "demo",
		Short: "Fit, score and draw an example table",
		Long: `Run the main job on a table that comes with the program: the minutes that 3000
deliveries take, by day and time, courier, zone, distance, items, weight, which is
missing now and then, and rain. The table is made up, so that the best possible
score is known. The demo writes to a directory of its own

  all.csv           the table, split.csv the mask of its test rows,
  train.csv         its training rows, test.csv its test rows
  hole.csv          deliveries from where the table has no row
  model.bgp         the model of the training rows
  predictions.csv   a prediction for every test row
  predicted.svg     observed against predicted, and the residuals
  calibration.svg   how often intervals hold the truth; .png with --pictures png
  sgpr.bgp          a sparse Gaussian process and
  linear.bgp        a line, to compare with

and says the commands that do the same on a table of yours. The directory of a
former demo is used again. A file of one of these names that no demo has written is
never replaced: the demo refuses its directory.`,
		Example: `
  beziergp demo
  beziergp demo --dir /tmp/demo`,
		Args: option.Arguments(),
		RunE: exit.Run(func(cmd *cobra.Command, _ []string) error {
			return Run(cmd.Context(), *s, o)
		}),
	}
	running := option.NewSection("Running")
	running.Flags.StringVar(&o.Dir, "dir", o.Dir, "the `DIRECTORY` to write to, made where there is none")
	running.Flags.Var(option.Choice(&o.Pictures, canvas.SVG, canvas.PNG), "pictures", "the format of the pictures: svg or png")
	running.Flags.Var(option.Workers(&o.Workers), "workers", "processors to use (default all)")
	option.Attach(cmd, running)
	return cmd
}
