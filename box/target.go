package box

import (
	"fmt"
	"math"

	"beziergp/predictive"
	"beziergp/table"
)

// Transform is applied to the target before it is scaled.
type Transform string

const (
	Identity Transform = ""
	// Log1p is log(1 + y), for counts and sizes from 0 on.
	Log1p Transform = "log1p"
)

// ParseTransform returns the transform of that name; "none" is the identity.
func ParseTransform(name string) (Transform, error) {
	switch name {
	case "none", "":
		return Identity, nil
	case string(Log1p):
		return Log1p, nil
	}
	return "", fmt.Errorf("target transform %q is unknown; choose none or %s", name, Log1p)
}

// apply returns the transformed value, NaN where there is none.
func (t Transform) apply(v float64) float64 {
	if t == Log1p {
		if v <= -1 {
			return math.NaN()
		}
		return math.Log1p(v)
	}
	return v
}

// Target transforms and scales the target column: what is learned is
// (transformed − Mean)/SD. A likelihood chooses the two; standardised, they are the mean
// and the deviation of the transformed target.
type Target struct {
	Name      string    `json:"name"`
	Mean      float64   `json:"mean"`
	SD        float64   `json:"sd"`
	Transform Transform `json:"transform,omitempty"`
	// Range is where the target can lie, nil for anywhere: predictions stay within.
	Range *predictive.Range `json:"range,omitempty"`
	// Kind is [table.Boolean] where the column held words for true and false,
	// [table.Category] where it held levels, else empty: scoring reads them as training did.
	Kind table.Kind `json:"kind,omitempty"`
	// Levels are the classes of a category, in the order of their codes: those that training
	// rows have.
	Levels []string `json:"levels,omitempty"`
}

// Classes returns the names of the classes of a target that has them, in the order of their
// codes; nil for numbers.
func (t Target) Classes() []string {
	if t.Kind == table.Boolean {
		return []string{"false", "true"}
	}
	return t.Levels
}

// Field returns the column of the target.
func (t Target) Field() table.Field {
	return table.Field{Name: t.Name, Kind: t.Kind, Levels: t.Levels}
}

// Apply returns the transformed value of a row, counted from 1, or a
// [*TransformError] or a [*RangeError].
func (t Target) Apply(v float64, row int) (float64, error) {
	if t.Range != nil && !t.Range.Contains(v) {
		return v, &RangeError{Place{Row: row, Column: t.Name}, t, v}
	}
	z := t.Transform.apply(v)
	if math.IsNaN(z) {
		return z, &TransformError{Place{Row: row, Column: t.Name}, t, v}
	}
	return z, nil
}

// Check returns an error unless the scaling can be undone.
func (t Target) Check() error {
	if math.IsNaN(t.Mean) || math.IsInf(t.Mean, 0) || !(t.SD > 0) || math.IsInf(t.SD, 0) {
		return fmt.Errorf("target %q: mean %g and deviation %g are out of a float64's range; rescale the column", t.Name, t.Mean, t.SD)
	}
	if _, err := ParseTransform(string(t.Transform)); err != nil {
		return fmt.Errorf("target %q: %w", t.Name, err)
	}
	if t.Range != nil {
		if err := t.Range.Check(); err != nil {
			return fmt.Errorf("target %q: %w", t.Name, err)
		}
	}
	if t.Kind != "" && t.Kind != table.Boolean && t.Kind != table.Category {
		return fmt.Errorf("target %q: it cannot be of kind %q", t.Name, t.Kind)
	}
	return t.checkLevels()
}

// Scale writes the transformed and scaled values to dst.
func (t Target) Scale(dst []float32, values []float64) {
	for i, v := range values {
		dst[i] = float32((t.Transform.apply(v) - t.Mean) / t.SD)
	}
}

// checkLevels returns an error unless a category has two classes at least, each once, and
// another kind has none.
func (t Target) checkLevels() error {
	seen := make(map[string]bool, len(t.Levels))
	for _, level := range t.Levels {
		if seen[level] {
			return fmt.Errorf("target %q: the class %q stands twice", t.Name, level)
		}
		seen[level] = true
	}
	if (t.Kind == table.Category) != (len(t.Levels) > 1) {
		return fmt.Errorf("target %q of kind %q has %d classes", t.Name, t.Kind, len(t.Levels))
	}
	return nil
}
