package plot

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"beziergp/plot/canvas"
)

// layouts are pictures of every kind, with long names and numbers among them.
func layouts(t *testing.T) map[string]*canvas.Canvas {
	t.Helper()
	all := map[string]*canvas.Canvas{}
	add := func(name string) func(*canvas.Canvas, error) {
		return func(c *canvas.Canvas, err error) {
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			all[name] = c
		}
	}
	add("prior")(Prior(20, 12))
	add("buttress")(Buttress())
	add("surface")(Surface())
	x := grid(40)
	flat := func(v float64) []float64 {
		values := make([]float64, len(x))
		for i := range values {
			values[i] = v * math.Sin(6*x[i])
		}
		return values
	}
	add("intervals")(Intervals{X: x, Y: flat(3), At: x, Mean: flat(1), Lower: flat(-1), Upper: flat(2), Truth: math.Sin, Gap: [2]float64{0.4, 0.6}}.Draw())
	for _, prior := range []float64{1, 100} {
		m := Moments{At: x, Mean: flat(2), Std: flat(1), PriorMean: flat(0), PriorStd: flat(prior)}
		o := OneDimension{Heading: "A gap from 0.1 to 0.9: in the middle, mean and variance are the prior’s, which knows no sine",
			X: x, Y: flat(1), Truth: math.Sin, F: m, Points: m, Gap: [2]float64{0.1, 0.9}}
		add(fmt.Sprintf("one dimension, prior %g", prior))(OneDimensions(o, o))
	}
	long := strings.Repeat("a column with a long name ", 6)
	tallies := talliesOf(3)
	tallies.Rows[2].Name, tallies.Columns[1] = long, long
	add("tallies")(tallies.Draw())
	for _, target := range []string{"price", long} {
		o := outcomes(500)
		o.Target, o.Unit = target, "€/m²"
		add("predicted " + target)(Predicted(o))
		add("calibration " + target)(Calibration(o.Transforms()))
		add("learning " + target)(learningOf(target).Draw())
		for _, n := range []int{1, 700, 30_000} {
			for _, scale := range []float64{1e-7, 1, 1e9} {
				add(fmt.Sprintf("evaluation of %d %s × %g", n, target, scale))(evaluation(target, n, scale).Draw())
			}
		}
	}
	for _, panels := range []int{1, 2, 70} {
		e := effects(panels)
		e.Target = long
		add(fmt.Sprintf("effects of %d", panels))(e.Draw())
	}
	for _, series := range []int{2, 30} {
		c, f := chart(series), field(series)
		add(fmt.Sprintf("chart of %d", series))(c.Draw())
		add(fmt.Sprintf("field of %d", series))(f.Draw())
		for k := range series {
			c.Panels[0].Series[k].Name, f.Panels[0].Points[k].Name = long+long, long
			c.Panels[0].Series[k].X, f.Panels[0].Points[k].Y = []float64{1e-9}, 1e12
		}
		c.Panels[1].Title, c.Panels[1].X, c.Panels[1].Y = long, long, long
		f.Panels[1].Title, f.Panels[1].X, f.Panels[1].Y = long, long, long
		c.Columns = 4
		add(fmt.Sprintf("chart of %d with long names", series))(c.Draw())
		add(fmt.Sprintf("field of %d with long names", series))(f.Draw())
	}
	return all
}

// evaluation returns rows whose predictions are calibrated.
func evaluation(target string, n int, scale float64) *Evaluation {
	rng := rand.New(rand.NewPCG(3, 4))
	e := &Evaluation{Target: target, Level: 0.95}
	for range n {
		mean := scale * math.Exp(rng.NormFloat64())
		z := rng.NormFloat64()
		e.Add(mean*(1+0.2*z), mean, math.Abs(z) < 1.96, 0.5*math.Erfc(-z/math.Sqrt2))
	}
	return e
}

// In every font, texts lie in the picture and not over each other.
func TestLayoutsHangOnNoFont(t *testing.T) {
	for name, c := range layouts(t) {
		for _, face := range canvas.Faces {
			texts := c.Texts()
			boxes := make([]canvas.Rect, len(texts))
			for i, text := range texts {
				boxes[i] = text.Box(face)
				if b := boxes[i]; b.Min.X < c.Min.X || b.Max.X > c.Max.X || b.Min.Y < c.Min.Y || b.Max.Y > c.Max.Y {
					t.Errorf("%s, %v: %q at %.1f is cut off by %v", name, face, said(text), b, c.Max)
				}
				for k, other := range boxes[:i] {
					if b := boxes[i]; b.Min.X < other.Max.X && other.Min.X < b.Max.X && b.Min.Y < other.Max.Y && other.Min.Y < b.Max.Y {
						t.Errorf("%s, %v: %q at %.1f lies over %q at %.1f", name, face, said(text), b, said(texts[k]), other)
					}
				}
			}
		}
	}
}

func said(t canvas.Text) (s string) {
	for _, p := range t.Pieces {
		s += p.S
	}
	return s
}
