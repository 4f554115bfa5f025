package report

import (
	"bytes"
	"fmt"
	"math"
	"net/url"
	"path/filepath"
	"strconv"
	"strings"

	"beziergp/bench/suite"
	"beziergp/internal/aside"
	"beziergp/internal/printable"
	"beziergp/plot"
)

// picture draws a suite and shows it on the page.
func (g *grid) picture(dir string, page *bytes.Buffer) error {
	chart, about := g.accuracy(), "RMSE against the seconds of a fit"
	switch s, _ := suite.Named(g.suite); s.Varies {
	case suite.OverOrderings:
		chart, about = g.orderings(), "RMSE against the number of orderings"
	case suite.OverSizes:
		chart, about = growth(scalingSeries(g.all)), "Seconds and memory of a fit as one thing grows"
	}
	if len(chart.Panels) == 0 {
		return nil
	}
	fmt.Fprintf(page, "\n![%s](%s/%s.svg)\n", about, url.PathEscape(filepath.Base(dir)), url.PathEscape(g.suite))
	return aside.WriteFile(filepath.Join(dir, g.suite+".svg"), chart.Draw)
}

// accuracy is a panel a set: what each method reaches, and how long it takes.
func (g *grid) accuracy() plot.Chart {
	chart := plot.Chart{Columns: 3}
	for _, set := range g.sets {
		p := plot.ChartPanel{Title: printable.Name(set), X: "seconds to fit", Y: "RMSE", LogX: true, LogY: true}
		for _, title := range g.run {
			if c := g.at(set, title); c != nil && c.rmse.Mean > 0 && c.fit.Mean > 0 {
				p.Series = append(p.Series, plot.Series{Name: printable.Name(title), X: []float64{c.fit.Mean}, Y: []float64{c.rmse.Mean}})
			}
		}
		if len(p.Series) > 0 {
			chart.Panels = append(chart.Panels, p)
		}
	}
	return chart
}

// orderings is a panel a set: RMSE by the number r of orderings, which methods' names
// end in, here and in the paper.
func (g *grid) orderings() plot.Chart {
	chart := plot.Chart{Columns: 3}
	for _, set := range g.sets {
		here, paper := plot.Series{Name: "run here", Joined: true}, plot.Series{Name: "the paper", Joined: true}
		for _, c := range g.all {
			_, text, _ := strings.Cut(c.method, " r=")
			r, err := strconv.ParseFloat(text, 64)
			if c.set != set || err != nil || math.IsNaN(c.rmse.Mean) {
				continue
			}
			into := &here
			if c.published {
				into = &paper
			}
			into.X, into.Y = append(into.X, r), append(into.Y, c.rmse.Mean)
		}
		p := plot.ChartPanel{Title: printable.Name(set), X: "orderings r", Y: "RMSE"}
		for _, s := range []plot.Series{here, paper} {
			if len(s.X) > 0 {
				p.Series = append(p.Series, s)
			}
		}
		if len(p.Series) > 0 {
			chart.Panels = append(chart.Panels, p)
		}
	}
	return chart
}

// growth is two panels for everything that grows: time and memory.
func growth(all []series) plot.Chart {
	chart := plot.Chart{Columns: len(axes)}
	var times, peaks []plot.ChartPanel
	for _, axis := range axes {
		seconds := plot.ChartPanel{Title: "Time", X: axis.title, Y: "seconds", LogX: true, LogY: true}
		peak := plot.ChartPanel{Title: "Memory", X: axis.title, Y: "MB", LogX: true, LogY: true}
		for _, s := range all {
			if s.axis != axis.name {
				continue
			}
			seconds.Series = append(seconds.Series, plot.Series{Name: printable.Name(s.method), X: s.x, Y: s.seconds, Joined: true})
			var x, megabytes []float64
			for i, bytes := range s.peak {
				if bytes > 0 {
					x, megabytes = append(x, s.x[i]), append(megabytes, bytes/1e6)
				}
			}
			if len(x) > 0 {
				peak.Series = append(peak.Series, plot.Series{Name: printable.Name(s.method), X: x, Y: megabytes, Joined: true})
			}
		}
		if len(seconds.Series) > 0 {
			times = append(times, seconds)
		}
		if len(peak.Series) > 0 {
			peaks = append(peaks, peak)
		}
	}
	chart.Columns = max(1, len(times))
	chart.Panels = append(times, peaks...)
	return chart
}
