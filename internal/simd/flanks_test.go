package simd

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// flank draws states of a layer of m nodes inside guard zones, and returns them as all nodes at
// every point in float64, too.
func flank(r *rand.Rand, m, support, n, ld int) (Flank, [][]float64) {
	rows := m
	if support != 0 {
		rows = Slot(support)
	}
	f := Flank{Values: newBuffer(rows, ld, ld).data, Nodes: m, Support: support}
	fillSide(f.Values, m, support, n, ld, normal(r))
	f.First = make([]int32, n)
	for p := range f.First {
		if support != 0 {
			f.First[p] = firstNode(r, m-support)
		}
	}
	all, s := make([][]float64, m), f.side()
	for i := range all {
		all[i] = make([]float64, n)
	}
	for p := range n {
		for i := range s.count {
			all[s.node(p)+i][p] = float64(s.values[s.at(i, p, ld)])
		}
	}
	return f, all
}

// Products over both sides of a layer are those of all nodes at every point, on every tier.
func TestFlanks(t *testing.T) {
	r := newRand(3)
	for _, m := range [][2]int{{4, 4}, {6, 9}, {31, 5}, {1, 7}} {
		for a := range min(m[0], MostLocal) + 1 {
			for b := range min(m[1], MostLocal) + 1 {
				for n := 1; n <= 150; n += 1 + n/2 {
					ld := n + n%3
					before, left := flank(r, m[0], a, n, ld)
					behind, right := flank(r, m[1], b, n, ld)
					start := newMatrix(1, m[0]*m[1], m[0]*m[1], normal(r))
					want := start.clone()
					for i := range left {
						for k := range right {
							sum := float64(want.data[i*m[1]+k])
							for p := range n {
								sum += left[i][p] * right[k][p]
							}
							want.data[i*m[1]+k] = float32(sum)
						}
					}
					for _, tier := range tiers {
						name := fmt.Sprintf("%s nodes=%v supports=%d,%d n=%d", tier.name, m, a, b, n)
						got := start.clone()
						tier.AddFlanks(got.data, before, behind, n, ld)
						got.checkGuards(t, name)
						compare(t, name, got.data, want.data)
					}
					testAcross(t, r, before, behind, left, right, n, ld)
				}
			}
		}
	}
}

// testAcross compares what arrives at the nodes of the layer between.
func testAcross(t *testing.T, r *rand.Rand, a, b Flank, left, right [][]float64, n, ld int) {
	t.Helper()
	const m = 5
	before, behind := newMatrix(1, len(left)*m, len(left)*m, normal(r)), newMatrix(1, len(right)*m, len(right)*m, normal(r))
	got, want := newMatrix(1, m, m, normal(r)), make([]float32, m)
	for j := range m {
		sum := float64(got.data[j])
		for p := range n {
			var from, to float64
			for i := range left {
				from += left[i][p] * float64(before.data[i*m+j])
			}
			for k := range right {
				to += right[k][p] * float64(behind.data[k*m+j])
			}
			sum += from * to
		}
		want[j] = float32(sum)
	}
	AddAcross(got.data, make([]float32, 2*m), before.data, behind.data, a, b, n, ld)
	compare(t, fmt.Sprintf("across nodes=%d,%d supports=%d,%d n=%d", a.Nodes, b.Nodes, a.Support, b.Support, n), got.data, want)
}

// BenchmarkFlanks reports nanoseconds a point, of splines.
func BenchmarkFlanks(b *testing.B) {
	const n = 128
	for _, tier := range tiers {
		for _, m := range []int{6, 31, 121} {
			support := 4
			if m == 6 {
				support = 0
			}
			b.Run(fmt.Sprintf("%s/m=%d", tier.name, m), func(b *testing.B) {
				before, _ := flank(newRand(1), m, support, n, n)
				behind, _ := flank(newRand(2), m, support, n, n)
				dst := make([]float32, m*m)
				for b.Loop() {
					tier.AddFlanks(dst, before, behind, n, n)
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/point")
			})
		}
	}
}
