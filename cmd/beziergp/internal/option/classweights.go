package option

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/pflag"

	"beziergp/dataset"
)

// classWeights is a flag of weights by class: balanced, or one of a class each time.
type classWeights struct {
	dst   *dataset.ClassWeights
	texts []string
}

// ClassWeights gives classes weights.
func ClassWeights(dst *dataset.ClassWeights) pflag.Value { return &classWeights{dst: dst} }

const balanced = "balanced"

func (v *classWeights) Texts() []string { return v.texts }

func (v *classWeights) Set(text string) error {
	at := strings.LastIndex(text, "=") // a class may hold the sign, its weight does not
	switch {
	case text == balanced:
		v.dst.Balanced = true
	case at < 1 || at == len(text)-1:
		return errors.New("write balanced, or CLASS=WEIGHT")
	default:
		class := text[:at]
		if _, twice := v.dst.Of[class]; twice {
			return fmt.Errorf("class %q has one already", class)
		}
		weight, err := parseFinite(text[at+1:])
		if err != nil {
			return err
		}
		if v.dst.Of == nil {
			v.dst.Of = map[string]float64{}
		}
		v.dst.Of[class] = weight
	}
	v.texts = append(v.texts, text)
	return nil
}

func (v *classWeights) String() string { return strings.Join(v.texts, ",") }

func (v *classWeights) Type() string { return "CLASS=WEIGHT" }
