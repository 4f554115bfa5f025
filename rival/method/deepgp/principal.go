package deepgp

import (
	"context"
	"errors"
	"math"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"

	"beziergp/rival/method"
	"beziergp/rival/method/dense"
)

// identity stands for the projection of as many inputs as outputs.
var identity blas64.General

// principal returns the directions [d, width] along which standardised rows vary most, the
// largest of each direction's numbers above 0.
func principal(ctx context.Context, workers int, data method.Data, width int) (blas64.General, error) {
	n, d := data.Rows(), data.Inputs
	x, squares, out := blas64.General{Rows: n, Cols: d, Stride: d, Data: data.X}, dense.New(d, d), dense.New(d, width)
	if err := dense.AddMulLower(ctx, workers, 1/float64(n), dense.Whole(x).T(), dense.Whole(x), squares); err != nil {
		return out, err
	}
	dense.Mirror(squares)
	var eigen mat.EigenSym
	if !eigen.Factorize(mat.NewSymDense(d, squares.Data), true) {
		return out, errors.New("the inputs have no principal directions; leave out inputs that repeat others")
	}
	var vectors mat.Dense
	eigen.VectorsTo(&vectors)
	for o := range width {
		direction := mat.Col(nil, d-1-o, &vectors) // eigenvalues ascend
		sign, largest := 1.0, 0.0
		for _, v := range direction {
			if math.Abs(v) > largest {
				largest, sign = math.Abs(v), math.Copysign(1, v)
			}
		}
		for j, v := range direction {
			out.Data[j*width+o] = sign * v
		}
	}
	return out, nil
}
