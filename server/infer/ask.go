package infer

import (
	"fmt"
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
			err = oip.Errorf(oip.Invalid, "parameter %s: %s is no number of microseconds above 0", name, shown(v))
		}
		a.Timeout = time.Duration(n) * time.Microsecond
		return err
	},
}

// Ask returns what parameters, and outputs that are named, ask for, of a model.
func (s *Service) Ask(m *repository.Loaded, p oip.Parameters, named []oip.RequestedOutput) (*Ask, error) {
	a := &Ask{classes: m.Classes(), counts: serve.HoldsCounts(m.Model.Model)}
	for _, name := range p.Names() {
		set := asks[name]
		if set == nil {
			return nil, unknownName("parameter", name, AskNames())
		}
		if err := set(a, name, p[name]); err != nil {
			return nil, err
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

// settings returns the parameters of a request of tensors that are the service's, without those
// of how tensors are sent: of the binary extension, and what MLServer's clients say of theirs.
func settings(p oip.Parameters) (oip.Parameters, error) {
	own := oip.Parameters{}
	for _, name := range p.Names() {
		switch name {
		case "content_type":
			if err := contentType(p[name]); err != nil {
				return nil, err
			}
		case "binary_data_output":
			if _, ok := p[name].(bool); !ok {
				return nil, oip.Errorf(oip.Invalid, "parameter %s: %s is neither true nor false", name, shown(p[name]))
			}
		default:
			own[name] = p[name]
		}
	}
	return own, nil
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
	return oip.Errorf(oip.Invalid, "content_type %s is not understood; take np, pd, str or datetime, or leave it out", shown(v))
}

// shown is a value of a parameter as an error has it.
func shown(v any) string {
	if text, ok := v.(string); ok {
		return printable.Quoted(text)
	}
	return printable.Words(fmt.Sprint(v))
}

func word(name string, v any, allowed ...string) (string, error) {
	if text, ok := v.(string); ok && slices.Contains(allowed, text) {
		return text, nil
	}
	return "", oip.Errorf(oip.Invalid, "parameter %s: %s is none of %s", name, shown(v), strings.Join(allowed, ", "))
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
	return false, oip.Errorf(oip.Invalid, "parameter %s: %s is neither true nor false", name, shown(v))
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
	return 0, oip.Errorf(oip.Invalid, "parameter %s: %s is no number", name, shown(v))
}

func share(name string, v any) (float64, error) {
	n, err := number(name, v)
	if err == nil && !(n > 0 && n < 1) || math.IsNaN(n) {
		err = oip.Errorf(oip.Invalid, "parameter %s: %s is not above 0 and below 1", name, shown(v))
	}
	return n, err
}

// count reads a whole number from 0 on, as the probabilities of counts are asked for.
func count(name string, v any) (int, error) {
	n, err := number(name, v)
	if err == nil && !(n >= 0 && n <= 1<<53 && n == math.Trunc(n)) {
		err = oip.Errorf(oip.Invalid, "parameter %s: %s is no whole number from 0 on", name, shown(v))
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
