package eval

import (
	"context"
	"io"

	"beziergp/cmd/beziergp/internal/apply"
	"beziergp/cmd/beziergp/internal/sink"
	"beziergp/plot"
	"beziergp/plot/canvas"
)

// drawings are the pictures that are asked for, and what they show of the rows.
type drawings struct {
	evaluation  plot.Evaluation
	calibration plot.Transforms
	reliability plot.Reliability // of classes, in the place of both
	files       []drawing
}

type drawing struct {
	path string
	draw func() (*canvas.Canvas, error)
}

// drawings returns the pictures of a run that scores a target, which may have classes.
func (o *Options) drawings(target string, classes []string) *drawings {
	d := &drawings{evaluation: plot.Evaluation{Target: target, Level: o.IntervalLevel()}}
	if classes != nil {
		d.reliability.Event = "the likeliest class of " + target
		if len(classes) == 2 {
			d.reliability.Event = target + " " + classes[1]
		}
		for _, path := range []string{o.Plot, o.Calibration} {
			if path != "" {
				d.files = append(d.files, drawing{path, d.reliability.Draw})
			}
		}
		return d
	}
	if o.Plot != "" {
		d.files = append(d.files, drawing{o.Plot, d.evaluation.Draw})
	}
	if o.Calibration != "" {
		d.files = append(d.files, drawing{o.Calibration, func() (*canvas.Canvas, error) { return plot.Calibration(&d.calibration) }})
	}
	return d
}

// add takes a row that was scored.
func (d *drawings) add(row apply.Scored) {
	switch {
	case d.files == nil:
	case row.Classes:
		d.reliability.Add(row.Probability, row.Came)
	default:
		d.evaluation.Add(row.Observed, row.Predicted, row.Inside, row.Transform)
		d.calibration.Add(row.Transform)
	}
}

// write writes the pictures.
func (d *drawings) write(ctx context.Context, stdout io.Writer) error {
	for _, file := range d.files {
		drawn, err := file.draw()
		if err != nil {
			return err
		}
		if err := sink.Picture(ctx, file.path, drawn, stdout); err != nil {
			return err
		}
	}
	return nil
}
