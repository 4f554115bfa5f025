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
	files       []drawing
}

type drawing struct {
	path string
	draw func() (*canvas.Canvas, error)
}

// drawings returns the pictures of a run that scores a target.
func (o *Options) drawings(target string) *drawings {
	d := &drawings{evaluation: plot.Evaluation{Target: target, Level: o.IntervalLevel()}}
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
	if d.files != nil {
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
