package simd

import (
	"os"
	"slices"
	"strings"
	"testing"
)

func TestPick(t *testing.T) {
	from := []*tier{{name: "avx2"}, {name: "slow"}, {name: "generic"}}
	for name, want := range map[string]struct{ tier, problem string }{
		"": {"avx2", ""}, "avx2": {"avx2", ""}, "slow": {"slow", ""}, "generic": {"generic", ""},
		"none such":  {"avx2", `BEZIERGP_KERNEL="none such" is no instruction set: there are avx512, avx2, neon, generic; this machine has avx2, slow, generic`},
		"AVX2\x1b[m": {"avx2", `BEZIERGP_KERNEL="AVX2\x1b[m" is no instruction set`},
		"avx512":     {"avx2", `BEZIERGP_KERNEL="avx512" is none of this machine's instruction sets; this machine has avx2, slow, generic`},
	} {
		got, err := pick(from, name)
		if got.name != want.tier || (err == nil) != (want.problem == "") || err != nil && !strings.HasPrefix(err.Error(), want.problem) {
			t.Errorf("pick %q: %s, %v; want %+v", name, got.name, err, want)
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
	if err := Check(); (err == nil) != (os.Getenv(tierVariable) == "" || slices.Contains(names, os.Getenv(tierVariable))) {
		t.Errorf("Check() = %v", err)
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
			"layer":           {nil, func() { tier.Layer(s, s, s, s, 4, 1, 4, 4, 10, 10) }},
			"layer dst":       {errShort, func() { tier.Layer(s[:39], s, s, s, 4, 1, 4, 4, 10, 10) }},
			"layer phi":       {errShort, func() { tier.Layer(s, s[:39], s, s, 4, 1, 4, 4, 10, 10) }},
			"layer w":         {errShort, func() { tier.Layer(s, s, s[:15], s, 4, 1, 4, 4, 10, 10) }},
			"layer src":       {errShort, func() { tier.Layer(s, s, s, s[:39], 4, 1, 4, 4, 10, 10) }},
			"layer stride":    {errStride, func() { tier.Layer(s, s, s, s, 4, 1, 4, 4, 10, 9) }},
			"layer sign":      {errSign, func() { tier.Layer(s, s, s, s, -4, 1, 4, 4, 10, 10) }},
			"layer mi":        {errSign, func() { tier.Layer(s, s, s, s, 4, 1, -4, 4, 10, 10) }},
			"layer mj":        {errSign, func() { tier.Layer(s, s, s, s, 4, 1, 4, -4, 10, 10) }},
			"layer n":         {errSign, func() { tier.Layer(s, s, s, s, 4, 1, 4, 4, -10, 10) }},
			"layer nothing":   {nil, func() { tier.Layer(nil, nil, nil, nil, 4, 1, 4, 4, 0, 0) }},
			"outer":           {nil, func() { tier.Outer(s, s, s, 4, 4, 10, 10) }},
			"outer dw":        {errShort, func() { tier.Outer(s[:15], s, s, 4, 4, 10, 10) }},
			"outer src":       {errShort, func() { tier.Outer(s, s[:39], s, 4, 4, 10, 10) }},
			"outer u":         {errShort, func() { tier.Outer(s, s, s[:39], 4, 4, 10, 10) }},
			"outer stride":    {errStride, func() { tier.Outer(s, s, s, 4, 4, 10, 9) }},
			"outer n":         {errSign, func() { tier.Outer(s, s, s, 4, 4, -10, 10) }},
			"outer nothing":   {nil, func() { tier.Outer(nil, nil, nil, 4, 4, 0, 0) }},
			"bernstein":       {nil, func() { tier.Bernstein(s, s, 3, 10, 10) }},
			"bernstein dst":   {errShort, func() { tier.Bernstein(s[:39], s, 3, 10, 10) }},
			"bernstein order": {errOrder, func() { tier.Bernstein(s, s, MaxOrder+1, 1, 1) }},
			"square":          {nil, func() { tier.ScaledSquare(s, s, s, 4, 10, 10) }},
			"square dst":      {errShort, func() { tier.ScaledSquare(s[:39], s, s, 4, 10, 10) }},
			"square phi":      {errShort, func() { tier.ScaledSquare(s, s[:39], s, 4, 10, 10) }},
			"scale":           {nil, func() { tier.Scale(s, s, 4, 10, 10) }},
			"scale s":         {errShort, func() { tier.Scale(s[:39], s, 4, 10, 10) }},
			"rescale s":       {errShort, func() { tier.Rescale(s[:39], s, nil, 4, 10, 10) }},
			"smooth":          {nil, func() { tier.Smooth(s, s, 4, 10, true, true, 1) }},
			"smooth dw":       {errShort, func() { tier.Smooth(s[:39], s, 4, 10, true, true, 1) }},
			"smooth w":        {errShort, func() { tier.Smooth(s, s[:39], 4, 10, true, true, 1) }},
			"smooth nothing":  {nil, func() { tier.Smooth(nil, nil, 1, 0, true, true, 1) }},
			"rescale stride":  {errStride, func() { tier.Rescale(s, s, nil, 4, 10, 9) }},
		} {
			if got := panics(c.call); got != c.want {
				t.Errorf("%s %s: panic %v, want %v", tier.name, name, got, c.want)
			}
		}
	}
}

// The kernels over plain slices stop at a short one as Go itself does.
func TestShortSlices(t *testing.T) {
	s, f, e := make([]float32, 40), make([]float64, 10), make([]int32, 40)
	for _, tier := range tiers {
		for name, call := range map[string]func(){
			"bernstein t":      func() { tier.Bernstein(s, s[:9:9], 3, 10, 10) },
			"square scale":     func() { tier.ScaledSquare(s, s, s[:3:3], 4, 10, 10) },
			"scale factor":     func() { tier.Scale(s, s[:9:9], 4, 10, 10) },
			"rescale factor":   func() { tier.Rescale(s, s[:9:9], e, 4, 10, 10) },
			"rescale exponent": func() { tier.Rescale(s, s, e[:9:9], 4, 10, 10) },
			"exp":              func() { tier.Exp(s, s[:39:39]) },
			"adam grad":        func() { tier.Adam(s, s[:39:39], s, s, AdamStep{}) },
			"adam m":           func() { tier.Adam(s, s, s[:39:39], s, AdamStep{}) },
			"adam v":           func() { tier.Adam(s, s, s, s[:39:39], AdamStep{}) },
			"blocks grad":      func() { tier.AdamBlocks(s, s[:39:39], s, s, AdamStep{}) },
			"blocks m":         func() { tier.AdamBlocks(s, s, s[:39:39], s, AdamStep{}) },
			"blocks v":         func() { tier.AdamBlocks(s, s, s, s[:1:1], AdamStep{}) },
			"path forward c":   func() { tier.PathForward(f[:4], f[:10], f[:3:3], s, 1) },
			"path forward w":   func() { tier.PathForward(f[:4], f[:10], f, s[:39:39], 1) },
			"path backward w":  func() { tier.PathBackward(f[:4], f[:10], s[:39:39], 1) },
			"path mean dw":     func() { tier.PathGradientMean(s[:39:39], s, f[:4], f) },
			"path mean w":      func() { tier.PathGradientMean(s, s[:39:39], f[:4], f) },
			"path variance dv": func() { tier.PathGradientVariance(s[:39:39], s, f[:4], f, 1) },
			"panels sums":      func() { tier.MulPanels(f[:9:9], nil, nil, 0) },
			"panels a":         func() { tier.MulPanels(make([]float64, 200), f[:3:3], make([]float64, 24), 1) },
			"panels b":         func() { tier.MulPanels(make([]float64, 200), f[:8], f[:3:3], 1) },
			"panels k":         func() { tier.MulPanels(make([]float64, 200), f, f, -1) },
			"path variance w":  func() { tier.PathGradientVariance(s, s[:39:39], f[:4], f, 1) },
		} {
			if panics(call) == nil {
				t.Errorf("%s %s: no panic", tier.name, name)
			}
		}
	}
}

// The package's functions are those of the tier in use.
func TestExported(t *testing.T) {
	const m, n, ld = 5, 19, 20
	r := newRand(51)
	slice := func(n int) []float32 { return newMatrix(1, n, n, normal(r)).data }
	line := func(n int) []float64 { return newLine(n, r.NormFloat64).data }
	step := AdamStep{Rate: 0.1, Beta1: 0.9, Beta2: 0.99, Correction2: 2, Epsilon: 0.01}
	x, y, w, v, u := slice(m*ld), slice(m*ld), slice(m*(m+1)), slice(m*ld), slice(m*ld)
	for i := range u {
		u[i] = abs(u[i])
	}
	a, b, c := line(m), line(m+1), line(m+1)
	tile, panel := make([]float64, 200), line(24)
	for name, run := range map[string][2]func(dst []float32, sums []float64, e []int32){
		"Layer": {
			func(d []float32, _ []float64, _ []int32) { Layer(d, x, w, y, 1, m, m, m-1, n, ld) },
			func(d []float32, _ []float64, _ []int32) { active.Layer(d, x, w, y, 1, m, m, m-1, n, ld) },
		},
		"Bernstein": {
			func(d []float32, _ []float64, _ []int32) { Bernstein(d, u[:n], m-1, n, ld) },
			func(d []float32, _ []float64, _ []int32) { active.Bernstein(d, u[:n], m-1, n, ld) },
		},
		"ScaledSquare": {
			func(d []float32, _ []float64, _ []int32) { ScaledSquare(d, x, w, m, n, ld) },
			func(d []float32, _ []float64, _ []int32) { active.ScaledSquare(d, x, w, m, n, ld) },
		},
		"Rescale": {
			func(d []float32, _ []float64, e []int32) { Rescale(d[:m*ld], d[m*ld:], e, m, n, ld) },
			func(d []float32, _ []float64, e []int32) { active.Rescale(d[:m*ld], d[m*ld:], e, m, n, ld) },
		},
		"Scale": {
			func(d []float32, _ []float64, _ []int32) { Scale(d, x, m, n, ld) },
			func(d []float32, _ []float64, _ []int32) { active.Scale(d, x, m, n, ld) },
		},
		"Exp": {
			func(d []float32, _ []float64, _ []int32) { Exp(d[:len(x)], x) },
			func(d []float32, _ []float64, _ []int32) { active.Exp(d[:len(x)], x) },
		},
		"Adam": {
			func(d []float32, _ []float64, _ []int32) { Adam(d[:n], x, d[n:2*n], u, step) },
			func(d []float32, _ []float64, _ []int32) { active.Adam(d[:n], x, d[n:2*n], slices.Clone(u), step) },
		},
		"AdamBlocks": {
			func(d []float32, _ []float64, _ []int32) {
				AdamBlocks(d[:n], slices.Clone(x), d[n:2*n], slices.Clone(u[:1]), step)
			},
			func(d []float32, _ []float64, _ []int32) {
				active.AdamBlocks(d[:n], slices.Clone(x), d[n:2*n], slices.Clone(u[:1]), step)
			},
		},
		"Smooth": {
			func(d []float32, _ []float64, _ []int32) { Smooth(d, x, m, ld, true, true, 2) },
			func(d []float32, _ []float64, _ []int32) { active.Smooth(d, x, m, ld, true, true, 2) },
		},
		"PathForward": {
			func(_ []float32, s []float64, _ []int32) { PathForward(s[:m+1], a, b, w, 2) },
			func(_ []float32, s []float64, _ []int32) { active.PathForward(s[:m+1], a, b, w, 2) },
		},
		"PathBackward": {
			func(_ []float32, s []float64, _ []int32) { PathBackward(s[:m], c, w, 2) },
			func(_ []float32, s []float64, _ []int32) { active.PathBackward(s[:m], c, w, 2) },
		},
		"MulPanels": {
			func(_ []float32, s []float64, _ []int32) { MulPanels(tile, panel, panel, 1); copy(s, tile[:4]) },
			func(_ []float32, s []float64, _ []int32) { active.MulPanels(tile, panel, panel, 1); copy(s, tile[:4]) },
		},
		"PathGradientMean": {
			func(d []float32, _ []float64, _ []int32) { PathGradientMean(d, w, a, b) },
			func(d []float32, _ []float64, _ []int32) { active.PathGradientMean(d, w, a, b) },
		},
		"PathGradientVariance": {
			func(d []float32, _ []float64, _ []int32) { PathGradientVariance(d, w, a, b, 0.5) },
			func(d []float32, _ []float64, _ []int32) { active.PathGradientVariance(d, w, a, b, 0.5) },
		},
	} {
		start := slices.Concat(v, v)
		d1, s1, e1 := slices.Clone(start), make([]float64, m+1), make([]int32, n)
		d2, s2, e2 := slices.Clone(start), make([]float64, m+1), make([]int32, n)
		second := slices.Clone(u)
		run[1](d2, s2, e2)
		run[0](d1, s1, e1)
		copy(u, second) // Adam writes it
		if !slices.Equal(d1, d2) || !slices.Equal(s1, s2) || !slices.Equal(e1, e2) {
			t.Errorf("%s does not do what tier %s does", name, Tier())
		}
		if slices.Equal(d1, start) && slices.Equal(s1, make([]float64, m+1)) {
			t.Errorf("%s does nothing", name)
		}
	}
}
