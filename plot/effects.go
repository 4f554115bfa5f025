package plot

import (
	"cmp"
	"errors"
	"fmt"

	"beziergp/plot/canvas"
)

// Effects are panels, one an input or a pair of inputs, on one scale of the target: the
// average of f over all others, with a band of 1.96 deviations on either side.
type Effects struct {
	Target string // with its unit, as the axis says it
	// Base is the average that effects go around, nil for none.
	Base   *float64
	Panels []EffectPanel
	// Caption says what lines and bands are, of none those of averages over independent inputs.
	Caption string
}

// EffectPanel is the effect of one input, or of a pair: a curve for some values of the
// second.
type EffectPanel struct {
	Input  string
	Levels []string // of a category, in the place of At
	At     []float64
	Curves []EffectCurve
}

// EffectCurve is values along a panel's input; Lower and Upper may be nil.
type EffectCurve struct {
	Name               string // "" where there is one
	Mean, Lower, Upper []float64
}

const (
	effectColumns = 3
	effectHeight  = 176.0
	mostEffects   = 60
)

// Draw draws the effects, the first 60.
func (e Effects) Draw() (*canvas.Canvas, error) {
	if len(e.Panels) == 0 {
		return nil, errNothing
	}
	panels := e.Panels[:min(len(e.Panels), mostEffects)]
	var values [][]float64
	if e.Base != nil {
		values = append(values, []float64{*e.Base})
	}
	caption := cmp.Or(e.Caption, "line: mean over the other inputs; band: ± 1.96 deviations; dashes: mean of all")
	for _, p := range panels {
		for _, c := range p.Curves {
			if n := max(len(p.Levels), len(p.At)); n == 0 || len(c.Mean) != n || c.Lower != nil && (len(c.Lower) != n || len(c.Upper) != n) {
				return nil, fmt.Errorf("effect of %q: %d values of %d", p.Input, len(c.Mean), n)
			}
			for _, own := range [][]float64{c.Mean, c.Lower, c.Upper} {
				for _, v := range own {
					if !drawable(v, false) {
						return nil, errors.New("the effect of " + p.Input + " cannot be drawn")
					}
				}
				if own != nil {
					values = append(values, own)
				}
			}
		}
	}
	columns := min(effectColumns, len(panels))
	rows := (len(panels) + columns - 1) / columns
	f := newFigure(max(360, pictureWidth/effectColumns*float64(columns)), float64(rows)*effectHeight+24)
	l, s := fitted(small(), caption, f.Max.X-f.Min.X-16)
	f.write(l, point{X: f.Min.X + 8, Y: f.Min.Y + 6}, canvas.Start, canvas.Baseline, s)
	y := spanning(e.Target, values...)
	for i, p := range panels {
		top := f.Max.Y - float64(i/columns)*effectHeight
		row := rect{Min: point{X: f.Min.X + 6, Y: top - effectHeight + 6}, Max: point{X: f.Max.X - 4, Y: top - 4}}
		f.effect(row.Columns(columns, 12)[i%columns], p, y, e.Base)
	}
	return f.Canvas, nil
}

// effect draws a panel.
func (f *figure) effect(r rect, e EffectPanel, y axis, base *float64) {
	at := e.At
	x := axis{}
	if e.Levels != nil {
		at = nil
		for i := range e.Levels {
			at = append(at, float64(i))
		}
		x = axis{lo: -0.5, hi: float64(len(at)) - 0.5, ticks: []float64{}}
	} else {
		x = spanning("", at)
	}
	p := f.panel(r, e.Input, x, y)
	if base != nil {
		p.curve(dashed(thinLine, gray), []float64{x.lo, x.hi}, []float64{*base, *base})
	}
	var keys []key
	for k, c := range e.Curves {
		style := look(k)
		if len(e.Curves) == 1 && c.Lower != nil && e.Levels == nil && len(at) > 1 {
			p.band(paleBlue, at, c.Lower, c.Upper)
		}
		switch {
		case e.Levels != nil || len(at) == 1:
			for i := range c.Lower {
				p.segment(line(3, paleBlue), at[i], c.Lower[i], at[i], c.Upper[i])
			}
			p.scatter(style, at, c.Mean)
		default:
			p.curve(line(thickLine, style.ink), at, c.Mean)
		}
		if c.Name != "" {
			keys = append(keys, key{means: c.Name, line: line(thickLine, style.ink)})
		}
	}
	if keys != nil {
		p.legend(keys...)
	}
	p.levels(e.Levels, at)
}

// levels writes the names of levels under their places, as many as there is room for.
func (p *panel) levels(names []string, at []float64) {
	if names == nil {
		return
	}
	each := (p.data.Max.X - p.data.Min.X) / float64(len(names))
	const least = 26
	every := max(1, int(least/each+0.999))
	for i := 0; i < len(names); i += every {
		l, s := fitted(small().in(black), names[i], each*float64(every)-3)
		place := p.at(at[i], p.y.lo)
		p.write(l, point{X: place.X, Y: place.Y - 6}, canvas.Middle, canvas.Top, s)
	}
}
