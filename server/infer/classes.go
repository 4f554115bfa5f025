package infer

import (
	"beziergp/model"
	"beziergp/server/engine"
	"beziergp/server/oip"
)

// classesParameter is the parameter of the tensor of probabilities that has the names of the
// classes, in the order of its columns.
const classesParameter = "classes"

// checkClasses refuses what cannot be told of classes, rather than passing it over.
func (a *Ask) checkClasses() error {
	switch {
	case a.classes == nil:
		return nil
	case len(a.Quantiles) > 0:
		return oip.Errorf(oip.Invalid, "parameter quantiles: the target has classes, whose probabilities are told; leave it out")
	case a.Predict.Point == model.MedianPoint:
		return oip.Errorf(oip.Invalid, "parameter point: the target has classes, of which the likeliest is told; leave it out")
	case a.Predict.Level != 0:
		return oip.Errorf(oip.Invalid, "parameter level: the target has classes, and no interval; leave it out")
	case a.Predict.Interval != "":
		return oip.Errorf(oip.Invalid, "parameter interval: the target has classes, and no interval; leave it out")
	case a.Explain && !a.oneFunction():
		return oip.Errorf(oip.Invalid, "explain: the target has a function for each of %d classes; leave it out", len(a.classes))
	}
	return nil
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
func (a *Ask) width() int { return len(a.Quantiles) + max(len(usual), len(ofClasses)-1+len(a.classes)) }

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
