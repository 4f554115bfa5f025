package simd

import (
	"fmt"
	"math"
	"slices"
	"testing"
)

// recordsOf returns a table with canaries around it and in the number before the first
// record, and in what is neither weights nor second moment of lines of n.
func recordsOf(count, size, place, n int, value func() float32) (*Records, *matrix) {
	table := newMatrix(1, 1+count*size, 1+count*size, func() float32 { return canary })
	for i := range count {
		for k := range n {
			table.data[1+i*size+place+k] = value()
		}
		table.data[1+i*size+place+n] = abs(value())
	}
	return &Records{table: table.data, size: size}, table
}

func TestMoveLines(t *testing.T) {
	r := newRand(61)
	const levels, from = 23, 2
	chosen := []int32{7, 0, 22, 3, 21, 1, 2, 9, 11, 4, 5, 6, 13}
	for _, n := range []int{1, 2, 3, 6, 7, 8, 9, 15, 16, 17, 24, 31, 32, 33, 61, 64} {
		for _, ordered := range []bool{false, true} {
			for _, tier := range tiers {
				name := fmt.Sprintf("%s %d %v", tier.name, n, ordered)
				const place = 3
				records, table := recordsOf(levels, place+n+2, place, n, normal(r))
				records.Choose(chosen)
				before := slices.Clone(table.data)
				count := len(chosen) - from - 1 // not the last
				grad, center, moved := newMatrix(count, n, n, normal(r)), newMatrix(1, n, n, normal(r)), newMatrix(1, n, n, normal(r))
				slope, sums := slices.Clone(grad.data), slices.Clone(moved.data)
				step := LineStep{Place: place, From: from, Gradient: grad.data, Center: center.data, Moved: moved.data, Edges: Edges(n, ordered), Beta2: 0.9, Rate: 0.1, Epsilon: 0.01}
				for range count {
					step.Lines = append(step.Lines, LineShare{Due: r.Float32(), Correction: 1 + r.Float32(), Share: r.Float32()})
				}
				tier.MoveLines(records, &step)
				want, size := make([]float64, n), make([]float64, n)
				for i, v := range sums {
					want[i], size[i] = float64(v), math.Abs(float64(v))
				}
				for s := range count {
					at := 1 + int(chosen[from+s])*records.size + place
					w, l, g := before[at:at+n], step.Lines[s], make([]float64, n)
					var square float64
					for i, x := range w {
						d := float64(x) - float64(center.data[i])
						if ordered && i > 0 {
							d += float64(x) - float64(w[i-1])
						}
						if ordered && i < n-1 {
							d += float64(x) - float64(w[i+1])
						}
						g[i] = float64(slope[s*n+i]) + float64(l.Due)*d
						square += g[i] * g[i] / float64(n)
					}
					v := 0.9*float64(before[at+n]) + 0.1*square
					near(t, name+" second moment", table.data[at+n], v, 4*v)
					for i, x := range w {
						move := 0.1 / (math.Sqrt(v*float64(l.Correction)) + 0.01) * g[i]
						near(t, name+" weight", table.data[at+i], float64(x)-move, 8)
						want[i] -= float64(l.Share) * move
						size[i] += 8
					}
					clear(before[at : at+n+1])
					clear(table.data[at : at+n+1])
				}
				for i, v := range moved.data {
					near(t, name+" moved", v, want[i], size[i])
				}
				if i := slices.IndexFunc(grad.data, func(g float32) bool { return g != 0 }); i >= 0 {
					t.Fatalf("%s: slope %d is left over", name, i)
				}
				for i, v := range table.data {
					if math.Float32bits(v) != math.Float32bits(before[i]) {
						t.Fatalf("%s: wrote %v at %d, of no line", name, v, i)
					}
				}
				for _, m := range []*matrix{table, grad, center, moved} {
					m.checkGuards(t, name)
				}
			}
		}
	}
}

func TestLoadLines(t *testing.T) {
	r := newRand(62)
	chosen := []int32{4, 0, 5, 2}
	for n := 1; n < 40; n++ {
		records, _ := recordsOf(6, n+5, 2, n, normal(r))
		records.Choose(chosen)
		for _, tier := range tiers {
			got := newMatrix(2, n, n, normal(r))
			tier.LoadLines(got.data, records, 2, n, 1, 2)
			got.checkGuards(t, tier.name)
			for s, level := range []int32{0, 5} {
				if want := records.Record(level)[2 : 2+n]; !slices.Equal(got.data[s*n:(s+1)*n], want) {
					t.Fatalf("%s: line %d of %d is %v, want %v", tier.name, s, n, got.data[s*n:(s+1)*n], want)
				}
			}
		}
	}
}

// Lines beyond their record, and records that there are not, stop before memory is touched.
func TestRecordsOutside(t *testing.T) {
	r := NewRecords(4, 10)
	for name, call := range map[string]func(){
		"level": func() { r.Choose([]int32{4}) }, "chosen": func() { r.Load(make([]float32, 50), 0, 5, 3, 2) },
		"place": func() { r.Load(make([]float32, 50), 5, 5, 0, 1) }, "room": func() { r.Load(make([]float32, 4), 0, 5, 0, 1) },
		"move": func() {
			r.Move(&LineStep{Place: 5, Center: make([]float32, 5), Lines: make([]LineShare, 1)})
		},
	} {
		r.Choose([]int32{0, 1, 2, 3})
		if panics(call) == nil {
			t.Errorf("%s: no panic", name)
		}
	}
}

func TestTranspose(t *testing.T) {
	r := newRand(63)
	for m := range 13 {
		for _, n := range []int{0, 1, 3, 4, 5, 7, 8, 11, 16, 33} {
			src := newMatrix(m, n, n+3, normal(r))
			for _, tier := range tiers {
				name := fmt.Sprintf("%s %d×%d", tier.name, m, n)
				dst := newMatrix(n, m, m+2, normal(r))
				tier.Transpose(dst.data, src.data, m, n, m+2, n+3)
				dst.checkGuards(t, name)
				for i := range m {
					for j := range n {
						if got, want := dst.data[j*(m+2)+i], src.data[i*(n+3)+j]; got != want {
							t.Fatalf("%s: %v at %d, %d, want %v", name, got, j, i, want)
						}
					}
				}
			}
		}
	}
}
