package kernel

import (
	"os"
	"slices"
	"testing"
)

func TestPick(t *testing.T) {
	from := []*tier{{name: "fast"}, {name: "slow"}, {name: "generic"}}
	for name, want := range map[string]string{"": "fast", "fast": "fast", "slow": "slow", "generic": "generic", "none such": "fast"} {
		if got := pick(from, name).name; got != want {
			t.Errorf("pick %q: %s, want %s", name, got, want)
		}
	}
}

func TestTier(t *testing.T) {
	names := Tiers()
	if len(names) == 0 || names[len(names)-1] != "generic" {
		t.Fatalf("Tiers() = %v: generic must be the last", names)
	}
	want := names[0]
	if asked := os.Getenv(tierVariable); slices.Contains(names, asked) {
		want = asked
	}
	if Tier() != want {
		t.Errorf("Tier() = %s, want %s", Tier(), want)
	}
	t.Logf("tier %s of %v", Tier(), names)
}

// panics returns what f panics with.
func panics(f func()) (v any) {
	defer func() { v = recover() }()
	f()
	return nil
}

// A shape that its slices cannot hold must stop before any memory is touched.
func TestShapes(t *testing.T) {
	s := make([]float32, 40)
	for _, tier := range tiers {
		for name, c := range map[string]struct {
			want any
			call func()
		}{
			"layer":         {nil, func() { tier.Layer(s, s, s, s, 4, 1, 4, 4, 10, 10) }},
			"layer dst":     {errShort, func() { tier.Layer(s[:39], s, s, s, 4, 1, 4, 4, 10, 10) }},
			"layer phi":     {errShort, func() { tier.Layer(s, s[:39], s, s, 4, 1, 4, 4, 10, 10) }},
			"layer w":       {errShort, func() { tier.Layer(s, s, s[:15], s, 4, 1, 4, 4, 10, 10) }},
			"layer src":     {errShort, func() { tier.Layer(s, s, s, s[:39], 4, 1, 4, 4, 10, 10) }},
			"layer stride":  {errStride, func() { tier.Layer(s, s, s, s, 4, 1, 4, 4, 10, 9) }},
			"layer sign":    {errSign, func() { tier.Layer(s, s, s, s, -4, 1, 4, 4, 10, 10) }},
			"layer mi":      {errSign, func() { tier.Layer(s, s, s, s, 4, 1, -4, 4, 10, 10) }},
			"layer mj":      {errSign, func() { tier.Layer(s, s, s, s, 4, 1, 4, -4, 10, 10) }},
			"layer n":       {errSign, func() { tier.Layer(s, s, s, s, 4, 1, 4, 4, -10, 10) }},
			"layer nothing": {nil, func() { tier.Layer(nil, nil, nil, nil, 4, 1, 4, 4, 0, 0) }},
			"outer":         {nil, func() { tier.Outer(s, s, s, 4, 4, 10, 10) }},
			"outer dw":      {errShort, func() { tier.Outer(s[:15], s, s, 4, 4, 10, 10) }},
			"outer src":     {errShort, func() { tier.Outer(s, s[:39], s, 4, 4, 10, 10) }},
			"outer u":       {errShort, func() { tier.Outer(s, s, s[:39], 4, 4, 10, 10) }},
			"outer stride":  {errStride, func() { tier.Outer(s, s, s, 4, 4, 10, 9) }},
			"outer n":       {errSign, func() { tier.Outer(s, s, s, 4, 4, -10, 10) }},
			"outer nothing": {nil, func() { tier.Outer(nil, nil, nil, 4, 4, 0, 0) }},
		} {
			if got := panics(c.call); got != c.want {
				t.Errorf("%s %s: panic %v, want %v", tier.name, name, got, c.want)
			}
		}
	}
}
