package plot

import (
	"fmt"
	"math"
	"strings"
	"testing"
)

func TestLogTicks(t *testing.T) {
	for _, c := range []struct {
		lo, hi float64
		want   string
	}{
		{0.02, 3000, "0.1 1 10 100 1000"},
		{2, 60, "2 5 10 20 50"},
		{0.3, 0.5, "0.3 0.35 0.4 0.45 0.5"},
		{1e-7, 1e9, "1e-07 0.0001 0.1 100 100000 1e+08"},
	} {
		a := axis{lo: c.lo, hi: c.hi, log: true, ticks: powerNumbers(c.lo, c.hi)}
		_, labels := a.marks()
		if got := strings.Join(labels, " "); got != c.want {
			t.Errorf("ticks of [%g, %g]: %s, want %s", c.lo, c.hi, got, c.want)
		}
	}
	a := spanningLog("", []float64{1, 100})
	if got := a.share(10); math.Abs(got-0.5) > 1e-12 {
		t.Errorf("10 lies at %g between 1 and 100", got)
	}
	if a := spanningLog("", []float64{7}); a.hi/a.lo < 2 || a.lo > 7 || a.hi < 7 {
		t.Errorf("a single value spans %g to %g", a.lo, a.hi)
	}
}

// chart returns one panel of so many series of a point each.
func chart(series int) Chart {
	p := ChartPanel{Title: "energy", X: "seconds", Y: "RMSE", LogX: true, LogY: true}
	for k := range series {
		p.Series = append(p.Series, Series{Name: fmt.Sprintf("method number %d", k), X: []float64{float64(k + 1)}, Y: []float64{2}})
	}
	return Chart{Columns: 2, Panels: []ChartPanel{p, p, p}}
}

// A legend that is too long for a line takes more, and every series is in it once.
func TestChartHasOneLegend(t *testing.T) {
	few, many := svg(t)(chart(2).Draw()), svg(t)(chart(20).Draw())
	if n := strings.Count(many, ">method number 17<"); n != 1 {
		t.Errorf("a series is named %d times", n)
	}
	var heights [2]int
	for i, picture := range []string{few, many} {
		_, rest, _ := strings.Cut(picture, `height="`)
		if _, err := fmt.Sscanf(rest, "%dpt", &heights[i]); err != nil {
			t.Fatal(err)
		}
	}
	if heights[1] <= heights[0] {
		t.Errorf("heights %v", heights)
	}
}

func TestWhatNoChartShows(t *testing.T) {
	zero, uneven := chart(1), chart(1)
	zero.Panels[1].Series = []Series{{Name: "free", X: []float64{0}, Y: []float64{1}}}
	uneven.Panels[0].Series = []Series{{Name: "half", X: []float64{1, 2}, Y: []float64{1}}}
	for want, c := range map[string]Chart{
		"no row": {Columns: 1}, `"free": the point (0, 1)`: zero, `"half": 2 and 1 values`: uneven, "column": {Panels: chart(1).Panels},
	} {
		if _, err := c.Draw(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one about %s", err, want)
		}
	}
}
