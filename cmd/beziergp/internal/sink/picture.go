package sink

import (
	"context"
	"io"

	"beziergp/plot/canvas"
)

// Picture writes a picture in the format that the ending of its path says.
func Picture(ctx context.Context, path string, c *canvas.Canvas, stdout io.Writer) error {
	format, err := canvas.FormatOf(path)
	if err != nil {
		return err
	}
	out, err := Create(ctx, path, stdout)
	if err != nil {
		return err
	}
	defer out.Abort()
	if err := c.Encode(out, format); err != nil {
		return err
	}
	return out.Commit()
}
