package demo

import (
	"bytes"
	"context"
	"os"
	"testing"

	"beziergp/plot"
	"beziergp/plot/canvas"
	"beziergp/predictive"
)

// Pictures are in the format that is asked for, under its ending, and nothing else is written.
func TestPicturesOfAFormat(t *testing.T) {
	outcomes := plot.Outcomes{Observed: []float64{1, 2}, Mean: []float64{1, 3}, Target: "y",
		Predicted: []predictive.Distribution{{Location: 1, Scale: 1}, {Location: 3, Scale: 1}}}
	for format, begins := range map[canvas.Format]string{canvas.SVG: "<svg", canvas.PNG: "\x89PNG"} {
		d := demo{Options: &Options{Dir: t.TempDir(), Pictures: format}}
		if err := d.pictures(context.Background(), outcomes); err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{"predicted", "calibration"} {
			got, err := os.ReadFile(d.path(name + "." + string(format)))
			if err != nil || !bytes.HasPrefix(got, []byte(begins)) {
				t.Errorf("%s as %s: %v, begins with %.10q", name, format, err, got)
			}
		}
		if files, err := os.ReadDir(d.Dir); err != nil || len(files) != 2 {
			t.Errorf("%d files: %v", len(files), err)
		}
	}
}
