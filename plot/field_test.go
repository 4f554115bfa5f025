package plot

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

func field(points int) Field {
	p := FieldPanel{Title: "RMSE", X: "time", Y: "times ours", LogX: true, LogY: true}
	for k := range points {
		p.Points = append(p.Points, FieldPoint{Name: fmt.Sprintf("method number %d", k), X: float64(k + 1), Y: 1 + 0.001*float64(k%3)})
	}
	return Field{Panels: []FieldPanel{p, p}}
}

// Names that would lie over each other stand apart, each once a panel, in a picture that
// grows with them.
func TestFieldNamesEveryPoint(t *testing.T) {
	heights := map[int]int{}
	for _, n := range []int{2, 30} {
		picture := svg(t)(field(n).Draw())
		for k := range n {
			if got := strings.Count(picture, fmt.Sprintf(">method number %d<", k)); got != 2 {
				t.Errorf("%d points: method %d is named %d times", n, k, got)
			}
		}
		var height int
		_, rest, _ := strings.Cut(picture, `height="`)
		if _, err := fmt.Sscanf(rest, "%dpt", &height); err != nil {
			t.Fatal(err)
		}
		heights[n] = height
	}
	if heights[30] <= heights[2] {
		t.Errorf("heights %v", heights)
	}
}

func TestApart(t *testing.T) {
	for _, test := range []struct{ wanted, want []float64 }{
		{[]float64{90, 50, 10}, []float64{90, 50, 10}}, // far enough
		{[]float64{52, 50, 48}, []float64{60, 50, 40}}, // around their middle
		{[]float64{55, 54, 45, 10}, []float64{61.333, 51.333, 41.333, 10}},
		{[]float64{99, 98, 97}, []float64{100, 90, 80}},    // pushed down by the upper edge
		{[]float64{3, 2, 1}, []float64{20, 10, 0}},         // up by the lower
		{[]float64{20, 8, 1, 1}, []float64{30, 20, 10, 0}}, // which pushes on what was free
	} {
		got := apart(test.wanted, 10, 0, 100)
		for i := range got {
			if d := got[i] - test.want[i]; d > 0.01 || d < -0.01 {
				t.Errorf("%v: %v, want %v", test.wanted, got, test.want)
				break
			}
		}
	}
	// More names than there is room for still are apart, and in order.
	crowd := slices.Repeat([]float64{5}, 20)
	for i, got := 1, apart(crowd, 10, 0, 100); i < len(got); i++ {
		if got[i-1]-got[i] < 9.99 {
			t.Errorf("%v", got)
		}
	}
}

// A point with a bar has a line more, and the axis reaches its ends.
func TestFieldBars(t *testing.T) {
	lines := func(f Field) int { return strings.Count(svg(t)(f.Draw()), "<path") }
	plain, barred := field(3), field(3)
	barred.Panels[0].Points[1].Low, barred.Panels[0].Points[1].High = 0.01, 100
	if got, want := lines(barred), lines(plain)+1; got < want {
		t.Errorf("%d lines, want %d", got, want)
	}
	if picture := svg(t)(barred.Draw()); !strings.Contains(picture, ">100<") {
		t.Error("the axis ends before the bar does")
	}
}

func TestWhatNoFieldShows(t *testing.T) {
	zero, below := field(2), field(2)
	zero.Panels[1].Points[0].X = 0
	below.Panels[1].Points[1].Low = -1
	for want, f := range map[string]Field{
		"no row": {}, "point of method number 0 cannot be drawn": zero, "point of method number 1 cannot be drawn": below,
	} {
		if _, err := f.Draw(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one about %s", err, want)
		}
	}
}
