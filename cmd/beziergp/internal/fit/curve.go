package fit

import (
	"context"

	"beziergp"
	"beziergp/box"
	"beziergp/cmd/beziergp/internal/sink"
	"beziergp/cmd/beziergp/internal/streams"
	"beziergp/plot"
)

// curve is the learning curve of a run, and the file that it goes to.
type curve struct {
	file    string
	picture plot.Learning
}

// newCurve returns the curve of a target that goes to a file; nil where there is no file.
func newCurve(file string, target box.Target) *curve {
	if file == "" {
		return nil
	}
	name := target.Name
	if target.Transform == box.Log1p {
		name = "log(1 + " + name + ")"
	}
	return &curve{file, plot.Learning{Target: name, Deviation: target.SD}}
}

func (c *curve) add(e beziergp.Event) {
	if c != nil {
		c.picture.Add(e)
	}
}

// write draws the curve, if there is one and anything to see.
func (c *curve) write(ctx context.Context, s streams.Streams) error {
	if c == nil || c.picture.Empty() {
		return nil
	}
	drawn, err := c.picture.Draw()
	if err != nil {
		return err
	}
	return sink.Picture(ctx, c.file, drawn, s.Out)
}
