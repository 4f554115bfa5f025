package auto

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"beziergp/internal/limit"
	"beziergp/internal/process/basis"
	"beziergp/train"
)

// A shape is a structure as a text: components joined by +, behind the scaling and a colon
// if it is not the default one, and before @ and the smoothness λ if it is not to be chosen.
//
//	coarse+fine12      a coarse component and splines of 12 nodes
//	fine61x40@0.1      splines of 61 nodes in 40 orderings, λ = 0.1
//	full6x300          order 5 in 300 orderings, with all nodes on inputs of few values
//	coarse+ties12      a function more of each value of a number that many rows share
//	linear:smooth      order 3, on a linear scaling
//	additive           a line of each number, any function of each category
//	additive8          a spline of 8 nodes of each number, any function of each category
//	main31@3+coarse@1  main effects, found first with a ridge λ of 3: a spline of 31 nodes of each number, a function of
//	                   every level of each category; and a coarse component of what they leave
//
// A component is a name, then the nodes of a number, then x and the orderings. What is left
// out is what the effort has.

// The names of components.
const (
	nameCoarse   = "coarse"
	nameSmooth   = "smooth"
	nameFine     = "fine"
	nameFull     = "full"
	nameTies     = "ties"
	nameAdditive = "additive"
	nameMain     = "main"
)

// String returns the shape of which parse makes the structure.
func (s structure) String() string {
	var parts []string
	for _, c := range s.Components {
		parts = append(parts, c.String())
	}
	text := strings.Join(parts, "+")
	if usual := s.usualScaling(); s.Scaling != usual && s.Scaling != "" {
		text = string(s.Scaling) + ":" + text
	}
	if s.hasMainEffects() && s.isExact() { // whose λ is their own
		return text
	}
	return text + "@" + strconv.FormatFloat(s.Smoothness, 'g', -1, 64)
}

// usualScaling is that of a shape that does not tell.
func (s structure) usualScaling() train.Scaling {
	if s.isAdditive() && s.Components[0].isStraight() {
		return train.Linear
	}
	return train.ByRanks
}

func (c component) String() string {
	switch {
	case c.isAdditive() && c.isStraight():
		return nameAdditive
	case c.isAdditive():
		return nameAdditive + strconv.Itoa(c.Nodes)
	case c.isMainEffects():
		return nameMain + strconv.Itoa(c.Nodes) + "@" + strconv.FormatFloat(c.Ridge, 'g', -1, 64)
	case c == coarse:
		return nameCoarse
	case c.Cells > 0:
		return fmt.Sprintf("%s%dx%d", nameTies, c.Nodes, c.Orderings)
	case c.Full:
		return fmt.Sprintf("%s%dx%d", nameFull, c.Nodes, c.Orderings)
	case c.Kind == basis.KindSpline:
		return fmt.Sprintf("%s%dx%d", nameFine, c.Nodes, c.Orderings)
	case c.Nodes == smooth(1).Nodes:
		return fmt.Sprintf("%sx%d", nameSmooth, c.Orderings)
	}
	return fmt.Sprintf("%s%dx%d", nameCoarse, c.Nodes, c.Orderings)
}

// shapes returns the structures of some shapes, at an effort: one that does not tell its
// smoothness gives one with each of those.
func (e effort) shapes(texts []string, scaling train.Scaling, smoothness []float64) (all []structure, err error) {
	for _, text := range texts {
		several, err := e.shape(strings.TrimSpace(text), scaling, smoothness)
		if err != nil {
			return nil, &train.OptionError{Option: "shapes", Problem: fmt.Sprintf("%q: %v", text, err)}
		}
		for _, s := range several {
			if !slices.ContainsFunc(all, func(o structure) bool { return o.String() == s.String() }) {
				all = append(all, s)
			}
		}
	}
	return all, nil
}

func (e effort) shape(text string, scaling train.Scaling, smoothness []float64) (all []structure, err error) {
	given, sum, named := strings.Cut(text, ":")
	if !named {
		given, sum = "", text
	}
	names := strings.Split(sum, "+")
	var s structure
	var lambda string
	var at bool
	for i, name := range names {
		name, own, has := strings.Cut(name, "@")
		c, err := e.component(name)
		switch {
		case err != nil:
			return nil, err
		case c.isMainEffects() && i > 0:
			return nil, fmt.Errorf("%s, the main effects, must come first in a sum", name)
		case c.isMainEffects() && has:
			if c.Ridge, err = strconv.ParseFloat(own, 64); err != nil || !(c.Ridge > 0) || math.IsInf(c.Ridge, 0) {
				return nil, fmt.Errorf("the ridge λ behind @ of %s is %q; it must be a positive number", name, own)
			}
		case has && i < len(names)-1:
			return nil, fmt.Errorf("%s@%s: the smoothness λ stands behind the last component", name, own)
		case has:
			lambda, at = own, true
		}
		s.Components = append(s.Components, c)
	}
	if s.hasMainEffects() && len(names) == 1 {
		smoothness = []float64{0}
	}
	if slices.ContainsFunc(s.Components, component.isAdditive) {
		if len(s.Components) > 1 {
			return nil, errors.New("an additive model is no component of a sum; write it alone")
		}
		scaling, smoothness = s.usualScaling(), additiveSmoothness
	}
	s.Scaling = scaling
	if named {
		if s.Scaling = train.Scaling(given); s.Scaling != train.Linear && s.Scaling != train.ByRanks {
			return nil, fmt.Errorf("there is no scaling %q; there are %s and %s", given, train.ByRanks, train.Linear)
		}
	}
	if at {
		v, err := strconv.ParseFloat(lambda, 64)
		if err != nil || !(v >= 0) || math.IsInf(v, 0) {
			return nil, fmt.Errorf("the smoothness behind @ is %q; it must be a number from 0 on", lambda)
		}
		smoothness = []float64{v}
	}
	for _, s.Smoothness = range smoothness {
		all = append(all, s)
	}
	return all, nil
}

// component returns that of a name.
func (e effort) component(text string) (c component, err error) {
	at := strings.IndexAny(text+"0", "0123456789")
	if i := strings.Index(text, "x"); i >= 0 && i < at {
		at = i
	}
	name, nodes, orderings := text[:at], "", ""
	nodes, orderings, hasOrderings := strings.Cut(text[at:], "x")
	most := basis.MaxOrder + 1
	switch name {
	case nameAdditive:
		if hasOrderings {
			return c, errors.New("an additive model has no orderings to choose")
		}
		c, most = additive(2), basis.MaxSplineNodes
	case nameMain:
		if hasOrderings {
			return c, errors.New("main effects have no orderings to choose")
		}
		c, most = mainEffects(nodesOfEffects, usualRidge), basis.MaxSplineNodes
	case nameCoarse:
		c = coarse
	case nameFull:
		c = full(100)
	case nameSmooth:
		c = smooth(e.orderings(basis.KindBernstein, smooth(1).Nodes))
	case nameFine:
		if nodes == "" {
			return c, errors.New("fine needs its nodes, as in fine21")
		}
		c, most = fine(0, e.orderings(basis.KindSpline, 0)), basis.MaxSplineNodes
	case nameTies:
		c, most = tiesOf(e.orderings(basis.KindSpline, 0)), basis.MaxSplineNodes
	default:
		return c, fmt.Errorf("there is no component %q; there are %s, %s, %s, %s, %s, %s and, alone, %s", text, nameCoarse, nameFull, nameSmooth, nameFine+"12", nameTies, nameMain, nameAdditive)
	}
	if nodes != "" {
		if c.Nodes, err = strconv.Atoi(nodes); err != nil || c.Nodes < 2 || c.Nodes > most {
			return c, fmt.Errorf("%s has from 2 to %d nodes, not %s", name, most, nodes)
		}
		switch name {
		case nameAdditive:
			c = additive(c.Nodes)
		case nameMain:
			c = mainEffects(c.Nodes, usualRidge)
		}
	}
	if hasOrderings {
		if c.Orderings, err = strconv.Atoi(orderings); err != nil || c.Orderings < 1 || c.Orderings > limit.Orderings {
			return c, fmt.Errorf("%s has from 1 to %d orderings, not %q", name, limit.Orderings, orderings)
		}
	}
	return c, nil
}

// orderings returns those that components of a kind, and of so many nodes unless it is 0,
// have at the effort.
func (e effort) orderings(kind basis.Kind, nodes int) int {
	for _, sum := range slices.Concat(e.many.sums, e.many.finest, e.few.sums) {
		for _, c := range sum {
			if c.Kind == kind && (nodes == 0 || c.Nodes == nodes) {
				return c.Orderings
			}
		}
	}
	return smooth(60).Orderings // fast has none that is smooth
}

// Shapes returns the shapes that a run chose, the best first, by the options that its model
// tells of its training.
func Shapes(options json.RawMessage) (all []string) {
	var chosen struct {
		Structures []structure `json:"shapes"`
	}
	if json.Unmarshal(options, &chosen) != nil {
		return nil
	}
	for _, s := range chosen.Structures {
		if !slices.Contains(all, s.String()) {
			all = append(all, s.String())
		}
	}
	return all
}

// Together returns the number of outputs that the process of a model was learned for, itself among
// them, by the options that it tells of its training; 0 for one that shares nothing.
func Together(options json.RawMessage) int {
	var chosen struct {
		Together int `json:"together"`
	}
	if json.Unmarshal(options, &chosen) != nil {
		return 0
	}
	return chosen.Together
}
