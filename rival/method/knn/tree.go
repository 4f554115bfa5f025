package knn

import (
	"cmp"
	"math"
	"slices"
)

// leaf is the number of rows below which going through them all is quicker.
const leaf = 16

// tree is a k-d tree (Bentley, CACM 18, 1975) over rows [n, d]: order[from:to] holds
// the rows of a node, and nodes lie in depth-first order: the left child of a node
// follows it.
type tree struct {
	x     []float64
	d     int
	order []int
	nodes []node
}

// node holds rows [from, to), and splits them at a value of an input; right is the
// index of the second half's node, 0 in a leaf.
type node struct {
	from, to, input, right int
	value                  float64
}

func grow(x []float64, d int) *tree {
	t := &tree{x: x, d: d, order: make([]int, len(x)/d)}
	for i := range t.order {
		t.order[i] = i
	}
	t.split(0, len(t.order))
	return t
}

// split makes the node of order[from:to], halved along its widest input.
func (t *tree) split(from, to int) {
	at := len(t.nodes)
	t.nodes = append(t.nodes, node{from: from, to: to})
	if to-from <= leaf {
		return
	}
	rows := t.order[from:to]
	input, width := 0, 0.0
	for j := range t.d {
		low, high := math.Inf(1), math.Inf(-1)
		for _, r := range rows {
			low, high = min(low, t.x[r*t.d+j]), max(high, t.x[r*t.d+j])
		}
		if high-low > width {
			input, width = j, high-low
		}
	}
	if width == 0 {
		return // all rows are the same
	}
	slices.SortFunc(rows, func(a, b int) int {
		return cmp.Or(cmp.Compare(t.x[a*t.d+input], t.x[b*t.d+input]), cmp.Compare(a, b))
	})
	middle := (from + to) / 2
	t.split(from, middle)
	t.nodes[at].input, t.nodes[at].value = input, t.x[t.order[middle]*t.d+input]
	t.nodes[at].right = len(t.nodes)
	t.split(middle, to)
}

// neighbour is a row and its squared distance.
type neighbour struct {
	row      int
	distance float64
}

// before orders neighbours; of equal distances the smaller row is the nearer.
func (a neighbour) before(b neighbour) bool {
	return a.distance < b.distance || a.distance == b.distance && a.row < b.row
}

// nearest returns the k rows nearest to query other than the row skip, nearest first,
// in the space of found.
func (t *tree) nearest(found []neighbour, query []float64, k, skip int) []neighbour {
	return t.search(found[:0], 0, query, k, skip)
}

func (t *tree) search(found []neighbour, at int, query []float64, k, skip int) []neighbour {
	n := &t.nodes[at]
	if n.right == 0 {
		for _, row := range t.order[n.from:n.to] {
			if row != skip {
				found = insert(found, neighbour{row, squared(query, t.x[row*t.d:(row+1)*t.d])}, k)
			}
		}
		return found
	}
	near, far := at+1, n.right
	gap := query[n.input] - n.value
	if gap >= 0 {
		near, far = far, near
	}
	found = t.search(found, near, query, k, skip)
	if len(found) < k || gap*gap <= found[k-1].distance {
		found = t.search(found, far, query, k, skip)
	}
	return found
}

// insert keeps the k nearest in order.
func insert(found []neighbour, n neighbour, k int) []neighbour {
	if len(found) == k {
		if !n.before(found[k-1]) {
			return found
		}
		found = found[:k-1]
	}
	found = append(found, n)
	for i := len(found) - 1; i > 0 && n.before(found[i-1]); i-- {
		found[i-1], found[i] = n, found[i-1]
	}
	return found
}

func squared(a, b []float64) float64 {
	var sum float64
	for j, v := range a {
		sum += (v - b[j]) * (v - b[j])
	}
	return sum
}
