package report

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"net/url"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"beziergp/bench/markdown"
	"beziergp/bench/suite"
	"beziergp/internal/atomicfile"
	"beziergp/internal/printable"
	"beziergp/metric"
	"beziergp/plot"
	"beziergp/plot/canvas"
)

// picture draws a suite and shows it on the page.
func (g *grid) picture(dir string, page *bytes.Buffer, format canvas.Format) error {
	var chart drawing
	about := ""
	switch s, _ := suite.Named(g.suite); s.Varies {
	case suite.OverOrderings:
		chart, about = orNone(g.orderings()), "RMSE against the number of orderings"
	case suite.OverSizes:
		chart, about = orNone(growth(scalingSeries(g.all))), "Seconds and memory of a fit as one thing grows"
	default:
		field, far := g.field()
		if len(field.Panels) == 0 {
			return nil
		}
		chart, about = field, "RMSE, NLPD and CRPS against the time of a fit"
		reference := markdown.Text(g.reference())
		fmt.Fprintf(page, "\nIn the picture each method stands beside %s, on the splits and sets that both have: error and time as the geometric\n"+
			"mean over the sets of its own over those of %s, the NLPD as the mean difference, ± a standard error over the sets. Lower and further left is better.\n"+
			"(2/8) behind a name says that these are 2 of 8 sets.\n", reference, reference)
		if far != nil {
			fmt.Fprintf(page, "Left out, being further off than the picture reaches: %s.\n", strings.Join(markdown.Texts(far), ", "))
		}
	}
	if chart == nil {
		return nil
	}
	return draw(dir, page, g.suite, about, chart, format)
}

// draw draws a picture into a file, and shows it on the page.
func draw(dir string, page *bytes.Buffer, name, about string, chart drawing, format canvas.Format) error {
	drawn, err := chart.Draw()
	if err != nil {
		return err
	}
	fmt.Fprintf(page, "\n![%s](%s/%s.%s)\n", about, url.PathEscape(filepath.Base(dir)), url.PathEscape(name), format)
	return atomicfile.WriteFile(filepath.Join(dir, name+"."+string(format)), func(w io.Writer) error { return drawn.Encode(w, format) })
}

// drawing is what can be drawn.
type drawing interface {
	Draw() (*canvas.Canvas, error)
}

// orNone returns a chart, or nothing where there is nothing in it.
func orNone(c plot.Chart) drawing {
	if len(c.Panels) == 0 {
		return nil
	}
	return c
}

// Methods that are further from ours than this would squeeze the others together.
const (
	farTimes = 2.0 // its error
	farNats  = 1.0
)

// field is a panel a measure: how each method does beside ours, and what it costs. It
// also returns which methods are too far off to be drawn in any panel.
func (g *grid) field() (field plot.Field, far []string) {
	reference := g.reference()
	if reference == "" {
		return field, nil
	}
	drawn, ours := map[string]bool{}, printable.Name(reference)
	for _, m := range criteria() {
		p := plot.FieldPanel{Title: m.short, X: "time of a fit, times that of " + ours, Y: "times that of " + ours, LogX: true, LogY: m.relative}
		if !m.relative {
			p.Y = "nats above " + ours
		}
		_, _, _, most := g.beside(reference, reference, m)
		for _, title := range g.run {
			x, y, reach, sets := g.beside(reference, title, m)
			switch {
			case sets == 0:
			case m.relative && y > farTimes, !m.relative && y > farNats:
				far = append(far, title)
			default:
				drawn[title] = true
				name := printable.Name(title)
				if sets < most {
					name += fmt.Sprintf(" (%d/%d)", sets, most)
				}
				p.Points = append(p.Points, plot.FieldPoint{Name: name, X: x, Y: y, Low: reach[0], High: reach[1]})
			}
		}
		if len(p.Points) > 0 {
			field.Panels = append(field.Panels, p)
		}
	}
	slices.Sort(far)
	return field, slices.DeleteFunc(slices.Compact(far), func(title string) bool { return drawn[title] })
}

// beside returns a method's time and error over those of ours, in the geometric mean over
// the sets that both have a fit of; or the mean difference of the error, where that is none
// to divide. The score less and plus a standard error over the sets is its reach, zeros for a single set.
func (g *grid) beside(reference, title string, m criterion) (time, score float64, reach [2]float64, sets int) {
	var gains []float64
	for _, set := range g.sets {
		own, other := g.at(set, reference), g.at(set, title)
		if own == nil || other == nil || !(own.fit.Mean > 0 && other.fit.Mean > 0) {
			continue
		}
		d := m.paired(own, other)
		gain := d.other - d.own
		if m.relative {
			gain = math.Log(d.other / d.own)
		}
		if d.fits == 0 || math.IsNaN(gain) || math.IsInf(gain, 0) {
			continue
		}
		time, gains = time+math.Log(other.fit.Mean/own.fit.Mean), append(gains, gain)
	}
	if len(gains) == 0 {
		return 0, 0, reach, 0
	}
	n := float64(len(gains))
	mean, deviation := metric.MeanSD(gains)
	told := func(v float64) float64 {
		if m.relative {
			return math.Exp(v)
		}
		return v
	}
	if deviation > 0 {
		reach = [2]float64{told(mean - deviation/math.Sqrt(n)), told(mean + deviation/math.Sqrt(n))}
	}
	return math.Exp(time / n), told(mean), reach, len(gains)
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
