package descent

import (
	"beziergp/internal/process/basis"
	"beziergp/internal/process/optim"
)

// pairs is a layer between a category that has all its functions here and another one, or the steps of a number: a row has one of its
// weights. Where the layer has many more weights than a mini-batch has rows, those of its rows alone are moved. All are moved where the
// penalty is due, and where a row lacks one of the inputs, which has the averages of all functions then. Layers between the steps of two
// numbers, whose penalty is to draw neighbours to each other, are all moved.
type pairs struct {
	from, to *nodes
	at, size int
	cols     int32
	adam     *optim.Sparse
	places   []int32 // of the rows' weights
	all      bool    // whether the step moves all weights
}

// manyPairs is how many times more weights than rows a mini-batch has make it worth while. Measured.
const manyPairs = 64

// IsSparse tells whether steps by so many rows move those of a layer of pairs alone.
func IsSparse(weights, batch int) bool { return weights > manyPairs*batch }

// pairsPenaltyEvery is what [penaltyEvery] is for pairs: to move all weights costs much more than to move a step's.
const pairsPenaltyEvery = 32 * penaltyEvery

// nodes are the functions of an input in a group that the rows of a mini-batch have.
type nodes struct {
	input  int
	basis  basis.Basis
	of     []int32 // by row
	lack   bool    // whether a row lacks the input
	column []float32
	values []float32
}

func newNodes(input int, b basis.Basis, batch int) *nodes {
	return &nodes{input: input, basis: b, of: make([]int32, batch), column: make([]float32, batch), values: make([]float32, batch)}
}

// take finds the functions of a mini-batch.
func (n *nodes) take(x []float32, inputs int) {
	rows := len(x) / inputs
	n.lack = false
	for p := range rows {
		n.column[p] = x[p*inputs+n.input]
		n.lack = n.lack || n.column[p] != n.column[p]
	}
	if n.of = n.of[:rows]; !n.lack {
		n.basis.LocalValues(n.of, n.values, n.column, rows, 1)
	}
}

// begin brings in the weights that a mini-batch has.
func (p *pairs) begin(params []float32, penalty bool) {
	own := params[p.at : p.at+p.size]
	if p.all = penalty || p.from.lack || p.to.lack; p.all {
		p.adam.CatchUpAll(own)
		return
	}
	p.places = p.places[:0]
	for row, from := range p.from.of {
		p.places = append(p.places, from*p.cols+p.to.of[row])
	}
	p.adam.CatchUp(p.places, own)
}

// move moves those weights.
func (p *pairs) move(params, gradient []float32) {
	own, slopes := params[p.at:p.at+p.size], gradient[p.at:p.at+p.size]
	if p.all {
		p.adam.MoveAll(own, slopes)
		return
	}
	p.adam.Move(p.places, own, slopes)
}
