package infer

import (
	"strings"

	"beziergp/serve"
	"beziergp/server/engine"
	"beziergp/server/oip"
	"beziergp/server/repository"
)

// classesParameter is the parameter of the tensors of probabilities and sets that has the names
// of the classes, in the order of their columns.
const classesParameter = "classes"

// setSeparator stands between the classes of a set, as predict has it.
const setSeparator = "|"

// settle refuses what cannot be told of a target, rather than passing it over, and puts the
// level where it belongs: to the interval, or to the sets of classes.
func (a *Ask) settle(m *repository.Loaded) error {
	if a.classes != nil {
		return a.settleClasses(m)
	}
	switch {
	case a.Sets:
		return oip.Errorf(oip.Invalid, "parameter sets: the target has no classes; its interval tells where it lies")
	case len(a.Counts) > 0 && !a.counts:
		return oip.Errorf(oip.Invalid, "parameter probabilities: the target holds no counts to the model, and single numbers have no probability; leave it out")
	}
	a.Predict.Level = a.Level
	return nil
}

func (a *Ask) settleClasses(m *repository.Loaded) error {
	switch {
	case len(a.Counts) > 0:
		return oip.Errorf(oip.Invalid, "parameter probabilities: the target has classes, and the probability of each is told; leave it out")
	case len(a.Quantiles) > 0:
		return oip.Errorf(oip.Invalid, "parameter quantiles: the target has classes, whose probabilities are told; leave it out")
	case a.Predict.Point != "":
		return oip.Errorf(oip.Invalid, "parameter point: the target has classes, of which the likeliest is told; leave it out")
	case a.Level != 0 && !a.Sets:
		return oip.Errorf(oip.Invalid, "parameter level: the target has classes, and no interval: with sets it is their coverage")
	case a.Predict.Interval != "":
		return oip.Errorf(oip.Invalid, "parameter interval: the target has classes, and no interval; leave it out")
	case a.Explain && !a.oneFunction():
		return oip.Errorf(oip.Invalid, "explain: the target has a function for each of %d classes; leave it out", len(a.classes))
	case a.Sets:
		least, err := serve.LeastProbability(m.Model.Model, a.Level)
		if err != nil {
			return oip.Errorf(oip.Invalid, "parameter sets: %v", err)
		}
		a.least = least
	}
	return nil
}

// sets tells of every class, [n, K] by rows, whether it is in the prediction set of a row; none
// is of a row without a prediction.
func (a *Ask) sets(p *engine.Answer) []bool {
	within := make([]bool, len(p.Classes))
	for i, v := range p.Classes {
		within[i] = v >= a.least
	}
	return within
}

// joined returns the names of the classes of sets.
func (a *Ask) joined(within []bool) []string {
	k := len(a.classes)
	all := make([]string, len(within)/k)
	for i := range all {
		var own []string
		for c, name := range a.classes {
			if within[i*k+c] {
				own = append(own, name)
			}
		}
		all[i] = strings.Join(own, setSeparator)
	}
	return all
}

// likeliest returns the names of the likeliest classes, none of a row without a prediction.
func (a *Ask) likeliest(p *engine.Answer) (names []string, missing []bool) {
	names, missing = make([]string, len(p.Class)), make([]bool, len(p.Class))
	for i, k := range p.Class {
		if missing[i] = k < 0; k >= 0 {
			names[i] = a.classes[k]
		}
	}
	return names, missing
}

// probabilities returns a column a class, as predict names them.
func (a *Ask) probabilities(p *engine.Answer) []Column {
	all := make([]Column, len(a.classes))
	for k, name := range a.classes {
		all[k] = Column{Name: "p_" + name, Numbers: make([]float64, len(p.Class))}
		for i := range p.Class {
			all[k].Numbers[i] = p.Classes[i*len(a.classes)+k]
		}
	}
	return all
}

// width is how many numbers a row is answered with.
func (a *Ask) width() int {
	return len(a.Quantiles) + len(a.Counts) + max(len(usual), len(ofClasses)-1+2*len(a.classes))
}

// outputs returns what a model of classes, none for numbers, tells of a row.
func outputs(classes []string) (all []oip.TensorMetadata) {
	names := usual
	if classes != nil {
		names = ofClasses
	}
	for _, name := range names {
		t := oip.TensorMetadata{Name: name, Datatype: oip.FP64, Shape: []int64{-1}}
		switch name {
		case "in_box":
			t.Datatype = oip.Bool
		case "class":
			t.Datatype = oip.Bytes
		case "probabilities":
			t.Shape = append(t.Shape, int64(len(classes)))
			t.Parameters = oip.Parameters{classesParameter: classes}
		}
		all = append(all, t)
	}
	return all
}
