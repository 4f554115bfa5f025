package infer

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"beziergp/box"
	"beziergp/internal/near"
	"beziergp/internal/printable"
	"beziergp/model"
	"beziergp/serve"
	"beziergp/server/engine"
	"beziergp/server/oip"
	"beziergp/server/repository"
)

// mostQuantiles is how many quantiles, and how many probabilities of numbers, a request may ask
// for.
const mostQuantiles = 1000

// Ask is what a request asks for besides its rows.
type Ask struct {
	Predict model.PredictOptions // of the interval's level; of classes without one
	engine.Extra
	Sets    bool    // of classes
	Level   float64 // of the interval or of the sets; 0 for the default
	Explain bool
	Timeout time.Duration // 0 for the server's

	classes []string // the model's; nil for numbers
	counts  bool     // the target is counts
	least   float64  // that a class has to have to be in the set of a row
	wanted  []string // names of outputs
}

// asks are the parameters of a request by their names, and what sets them.
var asks = map[string]func(a *Ask, name string, v any) error{
	"interval": func(a *Ask, name string, v any) error {
		text, err := word(name, v, string(model.PredictiveInterval), string(model.ConformalInterval))
		a.Predict.Interval = model.Interval(text)
		return err
	},
	"level": func(a *Ask, name string, v any) (err error) {
		a.Level, err = share(name, v)
		return err
	},
	"point": func(a *Ask, name string, v any) error {
		text, err := word(name, v, string(model.MeanPoint), string(model.MedianPoint))
		a.Predict.Point = model.Point(text)
		return err
	},
	"out_of_box": func(a *Ask, name string, v any) error {
		text, err := word(name, v, string(box.Refuse), string(box.Clip), string(box.Flag), string(box.Extrapolate))
		a.Predict.Policy = box.Policy(text)
		return err
	},
	"quantiles": func(a *Ask, name string, v any) (err error) {
		a.Quantiles, err = list(name, v, share)
		return err
	},
	"probabilities": func(a *Ask, name string, v any) (err error) {
		a.Counts, err = list(name, v, count)
		return err
	},
	"sets": func(a *Ask, name string, v any) (err error) {
		a.Sets, err = truth(name, v)
		return err
	},
	"explain": func(a *Ask, name string, v any) (err error) {
		a.Explain, err = truth(name, v)
		return err
	},
	// As Triton has it: microseconds.
	"timeout": func(a *Ask, name string, v any) error {
		n, err := number(name, v)
		if err == nil && !(n > 0 && n < 1e12) {
			err = oip.Errorf(oip.Invalid, "parameter %s: %v is no number of microseconds above 0", name, v)
		}
		a.Timeout = time.Duration(n) * time.Microsecond
		return err
	},
}

// transport are parameters that are not the service's: of the binary extension, and
// what MLServer's clients say of their tensors.
var transport = []string{"binary_data_output", "content_type"}

// Ask returns what parameters, and outputs that are named, ask for, of a model.
func (s *Service) Ask(m *repository.Loaded, p oip.Parameters, named []oip.RequestedOutput) (*Ask, error) {
	a := &Ask{classes: m.Classes(), counts: serve.HoldsCounts(m.Model.Model)}
	for _, name := range p.Names() {
		set := asks[name]
		switch {
		case set != nil:
			if err := set(a, name, p[name]); err != nil {
				return nil, err
			}
		case name == "content_type":
			if err := contentType(p[name]); err != nil {
				return nil, err
			}
		case !slices.Contains(transport, name):
			return nil, unknownName("parameter", name, AskNames())
		}
	}
	if err := a.name(named); err != nil {
		return nil, err
	}
	if err := a.settle(m); err != nil {
		return nil, err
	}
	if err := m.Check(a.Predict); err != nil {
		return nil, &oip.Error{Code: oip.Invalid, Message: err.Error()}
	}
	return a, nil
}

// AskNames returns the names of parameters in order.
func AskNames() []string {
	var names []string
	for name := range asks {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

func unknownName(what, name string, have []string) error {
	hint := "there are " + strings.Join(have[:min(len(have), 20)], ", ")
	if like := near.Names(name, have); len(like) > 0 {
		hint = "did you mean " + strings.Join(like, " or ") + "?"
	}
	return oip.Errorf(oip.Invalid, "%s %s is unknown; %s", what, printable.Quoted(name), hint)
}

// contentType takes what MLServer's codecs say where it changes nothing.
func contentType(v any) error {
	if text, ok := v.(string); ok && slices.Contains([]string{"np", "pd", "str", "datetime"}, text) {
		return nil
	}
	return oip.Errorf(oip.Invalid, "content_type %v is not understood; take np, pd, str or datetime, or leave it out", v)
}

func word(name string, v any, allowed ...string) (string, error) {
	if text, ok := v.(string); ok && slices.Contains(allowed, text) {
		return text, nil
	}
	return "", oip.Errorf(oip.Invalid, "parameter %s: %v is none of %s", name, v, strings.Join(allowed, ", "))
}

func truth(name string, v any) (bool, error) {
	switch v := v.(type) {
	case bool:
		return v, nil
	case string:
		if b, err := strconv.ParseBool(v); err == nil {
			return b, nil
		}
	}
	return false, oip.Errorf(oip.Invalid, "parameter %s: %v is neither true nor false", name, v)
}

func number(name string, v any) (float64, error) {
	switch v := v.(type) {
	case int64:
		return float64(v), nil
	case float64:
		return v, nil
	case string:
		if n, err := strconv.ParseFloat(strings.TrimSpace(v), 64); err == nil {
			return n, nil
		}
	}
	return 0, oip.Errorf(oip.Invalid, "parameter %s: %v is no number", name, v)
}

func share(name string, v any) (float64, error) {
	n, err := number(name, v)
	if err == nil && !(n > 0 && n < 1) || math.IsNaN(n) {
		err = oip.Errorf(oip.Invalid, "parameter %s: %v is not above 0 and below 1", name, v)
	}
	return n, err
}

// count reads a whole number from 0 on, as the probabilities of counts are asked for.
func count(name string, v any) (int, error) {
	n, err := number(name, v)
	if err == nil && !(n >= 0 && n <= 1<<53 && n == math.Trunc(n)) {
		err = oip.Errorf(oip.Invalid, "parameter %s: %v is no whole number from 0 on", name, v)
	}
	return int(n), err
}

// list reads one or several: a list, or a text of them, separated by commas.
func list[T comparable](name string, v any, read func(string, any) (T, error)) (all []T, err error) {
	var parts []any
	switch v := v.(type) {
	case []any:
		parts = v
	case string:
		for part := range strings.SplitSeq(v, ",") {
			parts = append(parts, part)
		}
	default:
		parts = []any{v}
	}
	if len(parts) > mostQuantiles {
		return nil, oip.Errorf(oip.Invalid, "parameter %s: %d of them; ask for %d at most", name, len(parts), mostQuantiles)
	}
	for _, part := range parts {
		one, err := read(name, part)
		if err != nil {
			return nil, err
		}
		if slices.Contains(all, one) {
			return nil, oip.Errorf(oip.Invalid, "parameter %s: %v stands twice", name, one)
		}
		all = append(all, one)
	}
	return all, nil
}
