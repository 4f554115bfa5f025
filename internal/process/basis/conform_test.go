package basis_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"math"
	"math/big"
	"reflect"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"

	"beziergp/internal/process/basis"
	"beziergp/internal/process/basis/conform"
)

// conforming is a basis with what it is to be.
type conforming struct {
	basis  basis.Basis
	traits conform.Traits
}

func must[B basis.Basis](b B, err error) basis.Basis {
	if err != nil {
		panic(err)
	}
	return b
}

// bases returns bases of every kind and of sizes from the smallest to the largest.
func bases() (all []conforming) {
	for order := range basis.MaxOrder + 1 {
		if order > basis.MaxPriorOrder+1 && order < basis.MaxOrder {
			continue
		}
		b := must(basis.NewBernstein(order))
		traits := conform.Traits{
			Reference: func(t float64) []float64 { return bernstein(order, t) },
			NoPrior:   order > basis.MaxPriorOrder,
		}
		for i := range order + 1 {
			traits.Nodes = append(traits.Nodes, float64(i)/math.Max(1, float64(order)))
		}
		all = append(all, conforming{b, traits})
	}
	for _, nodes := range []int{1, 2, 3, 4, 5, 6, 12, 41, basis.MaxSplineNodes} {
		knots, degree := clamped(nodes)
		traits := conform.Traits{
			Reference: func(t float64) []float64 { return spline(knots, degree, t) },
			Breaks:    slices.Compact(slices.Clone(knots)),
		}
		for i := range nodes {
			traits.Nodes = append(traits.Nodes, floats.Sum(knots[i+1:i+1+degree])/math.Max(1, float64(degree)))
		}
		all = append(all, conforming{must(basis.NewSpline(nodes)), traits})
	}
	for _, nodes := range []int{1, 2, 3, 40, 1024} {
		traits := conform.Traits{Jumps: true, Reference: func(t float64) []float64 {
			values := make([]float64, nodes)
			values[min(int(t*float64(nodes)), nodes-1)] = 1
			return values
		}}
		for i := range nodes {
			traits.Nodes = append(traits.Nodes, (float64(i)+0.5)/float64(nodes))
			traits.Breaks = append(traits.Breaks, float64(i)/float64(nodes))
		}
		traits.Breaks = append(traits.Breaks, 1)
		all = append(all, conforming{must(basis.NewSteps(nodes)), traits})
	}
	for _, levels := range []int{1, 2, 30} {
		traits := conform.Traits{Levels: levels, Reference: func(t float64) []float64 {
			values := make([]float64, levels)
			values[int(t)] = 1
			return values
		}}
		for i := range levels {
			traits.Nodes = append(traits.Nodes, float64(i))
		}
		all = append(all, conforming{must(basis.NewIndicator(levels)), traits})
	}
	for _, of := range [][]int{{0, 0, 0}, {0, 1, 2, 2, 2, 2}, {0, 0, 0, 1, 2}, {0, 1, 2, 3, 3, 4}} { // functions of levels
		functions, from := of[len(of)-1]+1, 0
		for of[from+1] != of[from] {
			from++
		}
		to := from + 2
		for to < len(of) && of[to] == of[from] {
			to++
		}
		traits := conform.Traits{Levels: len(of), Reference: func(t float64) []float64 {
			values := make([]float64, functions)
			values[of[int(t)]] = 1
			return values
		}}
		for level := range of {
			traits.Nodes = append(traits.Nodes, float64(level))
		}
		all = append(all, conforming{must(basis.NewPooled(functions, basis.Pool{From: from, To: to})), traits})
	}
	known := func(float64) []float64 { return []float64{1, 0} }
	all = append(all, conforming{basis.Known{}, conform.Traits{Flat: true, Reference: known, Nodes: []float64{0.5}}})
	for _, c := range slices.Clone(all) {
		all = append(all, averaged(c))
	}
	all = append(all, conforming{basis.NewKnown(), conform.Traits{Flat: true, Reference: known, Nodes: []float64{0.5}, Unknown: []float64{0, 1}}})
	return all
}

// averaged gives a basis its averages over more coordinates than a block, some unknown.
func averaged(c conforming) conforming {
	const n = 301
	nan := float32(math.NaN())
	at, known := []float32{nan}, 0.0
	c.traits.Unknown = make([]float64, c.basis.Nodes())
	for p := range n {
		v := float32(p*p) / (n * n) // more of them on the left
		if c.traits.Levels > 0 {
			v = float32(p % c.traits.Levels)
		}
		if p%10 == 9 {
			at = append(at, nan)
			continue
		}
		at = append(at, v)
		floats.Add(c.traits.Unknown, c.traits.Reference(float64(v)))
		known++
	}
	floats.Scale(1/known, c.traits.Unknown)
	c.basis = must(basis.AverageOver(c.basis, at))
	return c
}

// bernstein returns C(n, i) tⁱ (1 − t)ⁿ⁻ⁱ.
func bernstein(n int, t float64) []float64 {
	values := make([]float64, n+1)
	for i := range values {
		c, _ := new(big.Float).SetInt(new(big.Int).Binomial(int64(n), int64(i))).Float64()
		values[i] = c * math.Pow(t, float64(i)) * math.Pow(1-t, float64(n-i))
	}
	return values
}

// clamped returns equal knots on [0, 1], the ends as often as the order.
func clamped(nodes int) (knots []float64, degree int) {
	degree = min(3, nodes-1)
	intervals := nodes - degree
	for i := -degree; i <= intervals+degree; i++ {
		knots = append(knots, float64(min(max(i, 0), intervals))/float64(intervals))
	}
	return knots, degree
}

// spline returns the B-splines of some knots by the recursion that defines them.
func spline(knots []float64, degree int, t float64) []float64 {
	last := knots[len(knots)-1]
	values := make([]float64, len(knots)-1)
	for i := range values {
		if knots[i] <= t && t < knots[i+1] || t >= last && knots[i] < last && knots[i+1] == last {
			values[i] = 1
		}
	}
	share := func(a, b float64) float64 {
		if b == 0 {
			return 0
		}
		return a / b
	}
	for k := 1; k <= degree; k++ {
		for i := range len(values) - 1 {
			values[i] = share(t-knots[i], knots[i+k]-knots[i])*values[i] + share(knots[i+k+1]-t, knots[i+k+1]-knots[i+1])*values[i+1]
		}
		values = values[:len(values)-1]
	}
	return values
}

func TestBasesConform(t *testing.T) {
	for _, c := range bases() {
		spec := c.basis.Spec()
		t.Run(fmt.Sprintf("%T/%s%d", c.basis, spec.Kind, spec.Nodes), func(t *testing.T) { conform.Run(t, c.basis, c.traits) })
	}
}

// Whatever has the methods of a basis, and every kind that a file can name, goes through
// the suite.
func TestEveryBasisConforms(t *testing.T) {
	conforms, kinds := map[string]bool{}, map[string]bool{}
	for _, c := range bases() {
		conforms[reflect.TypeOf(c.basis).Name()] = true
		kinds[fmt.Sprintf("%q", c.basis.Spec().Kind)] = true
	}
	notTests := func(f fs.FileInfo) bool { return !strings.HasSuffix(f.Name(), "_test.go") }
	packages, err := parser.ParseDir(token.NewFileSet(), ".", notTests, 0)
	if err != nil {
		t.Fatal(err)
	}
	types, constants := map[string]bool{}, map[string]bool{}
	ast.Inspect(packages["basis"], func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncDecl:
			if n.Recv != nil && n.Name.Name == "Spec" {
				types[strings.TrimPrefix(fmt.Sprint(receiver(n)), "*")] = true
			}
		case *ast.ValueSpec:
			if kind, ok := n.Type.(*ast.Ident); ok && kind.Name == "Kind" {
				for _, v := range n.Values {
					constants[v.(*ast.BasicLit).Value] = true
				}
			}
		}
		return true
	})
	if len(types) < 4 || !maps.Equal(types, conforms) {
		t.Errorf("the suite has bases %v, the package %v", slices.Sorted(maps.Keys(conforms)), slices.Sorted(maps.Keys(types)))
	}
	if len(constants) < 3 || !maps.Equal(constants, kinds) {
		t.Errorf("the suite has kinds %v, the package %v", slices.Sorted(maps.Keys(kinds)), slices.Sorted(maps.Keys(constants)))
	}
}

func receiver(f *ast.FuncDecl) ast.Expr {
	own := f.Recv.List[0].Type
	if star, ok := own.(*ast.StarExpr); ok {
		return star.X
	}
	return own
}
