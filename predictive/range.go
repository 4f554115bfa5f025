package predictive

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Range is where a target can lie, ends included. An end may be infinite.
type Range struct{ Lo, Hi float64 }

// ParseRange reads LO:HI. An end that is left out is infinite.
func ParseRange(text string) (Range, error) {
	lo, hi, ok := strings.Cut(text, ":")
	if !ok {
		return Range{}, errors.New("it must be LO:HI, where either may be left out, as in 0:")
	}
	r := Range{math.Inf(-1), math.Inf(1)}
	for _, end := range []struct {
		text string
		to   *float64
	}{{lo, &r.Lo}, {hi, &r.Hi}} {
		if end.text = strings.TrimSpace(end.text); end.text == "" {
			continue
		}
		v, err := strconv.ParseFloat(end.text, 64)
		if err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
			return Range{}, fmt.Errorf("%q is not a finite number", end.text)
		}
		*end.to = v
	}
	return r, r.Check()
}

// Check returns an error unless numbers lie between the ends.
func (r Range) Check() error {
	if !(r.Lo < r.Hi) {
		return fmt.Errorf("%v: the first end must be below the second", r)
	}
	return nil
}

// Open reports whether all numbers lie within.
func (r Range) Open() bool { return math.IsInf(r.Lo, -1) && math.IsInf(r.Hi, 1) }

// Contains reports whether v lies within.
func (r Range) Contains(v float64) bool { return r.Lo <= v && v <= r.Hi }

// Clamp returns min(max(v, Lo), Hi), NaN for NaN.
func (r Range) Clamp(v float64) float64 { return min(max(v, r.Lo), r.Hi) }

// String is what [ParseRange] reads.
func (r Range) String() string {
	end := func(v float64) string {
		if math.IsInf(v, 0) {
			return ""
		}
		return strconv.FormatFloat(v, 'g', -1, 64)
	}
	return end(r.Lo) + ":" + end(r.Hi)
}

// MarshalText writes the range as [Range.String] does: JSON has no infinity.
func (r Range) MarshalText() ([]byte, error) { return []byte(r.String()), nil }

// UnmarshalText reads it.
func (r *Range) UnmarshalText(text []byte) (err error) {
	*r, err = ParseRange(string(text))
	return err
}

// truncated is a distribution restricted to a range: F_r(y) = (F(y) − F(lo)) / (F(hi) − F(lo)).
type truncated struct {
	Range
	free        Distribution // without the range
	below, mass float64      // F(lo), F(hi) − F(lo)
}

// truncated returns the distribution restricted to its range. Where the probability of the
// range is at most [leastMass], all of it lies on the nearer end.
func (d Distribution) truncated() truncated {
	r := *d.Range
	d.Range = nil
	h := truncated{Range: r, free: d}
	h.below = d.CDF(r.Lo)
	if h.mass = d.CDF(r.Hi) - h.below; h.mass <= leastMass || d.Scale == 0 {
		h.free.Location, h.free.Scale = d.forth(r.Clamp(d.Back(d.Location))), 0
		h.below, h.mass = 0, 1
	}
	return h
}

// Clamp moves the location into the range and reports whether it lay outside.
func (d *Distribution) Clamp() bool {
	if d.Range == nil {
		return false
	}
	at := min(max(d.Location, d.forth(d.Range.Lo)), d.forth(d.Range.Hi))
	moved := at != d.Location && at == at
	d.Location = at
	return moved
}

// leastMass is the least F(hi) − F(lo) that has digits left after cancellation.
const leastMass = 1e-12

func (h *truncated) cdf(y float64) float64 {
	switch {
	case y < h.Lo:
		return 0
	case y >= h.Hi:
		return 1
	}
	return h.share(h.free.CDF(y))
}

// share takes a probability to that within the range.
func (h *truncated) share(u float64) float64 { return min(max((u-h.below)/h.mass, 0), 1) }

func (h *truncated) logDensity(y float64) float64 {
	if y < h.Lo || y > h.Hi {
		return math.Inf(-1)
	}
	return h.free.LogDensity(y) - math.Log(h.mass)
}

func (h *truncated) quantile(q float64) float64 {
	return h.Clamp(h.free.Quantile(h.below + q*h.mass))
}
