package example_test

import (
	"bytes"
	"math"
	"slices"
	"testing"

	"beziergp/example"
	"beziergp/internal/testkit"
	"beziergp/metric"
	"beziergp/table"
)

func TestTableIsWhatGenerateWrites(t *testing.T) {
	var fresh bytes.Buffer
	if err := example.Write(&fresh); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(fresh.Bytes(), example.CSV()) {
		t.Error("borehole.csv is not what go generate writes; run go generate ./example")
	}
}

// By the formula in 50-digit arithmetic.
func TestFlow(t *testing.T) {
	middle := [8]float64{0.1, 25050, 89335, 1050, 89.55, 760, 1400, 10950}
	testkit.Close(t, "flow in the middle", example.Flow(middle), 70.872912636818957090752, 1e-14, 0)
	thin := [8]float64{0.05, 50000, 63070, 990, 63.1, 820, 1680, 9855}
	testkit.Close(t, "smallest flow", example.Flow(thin), 7.8196763287552305551058, 1e-14, 0)
}

func TestTable(t *testing.T) {
	data, err := example.Table()
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"rw", "r", "Tu", "Hu", "Tl", "Hl", "L", "Kw", "flow"}
	if !slices.Equal(data.Names(), want) || data.Rows() != example.Rows {
		t.Fatalf("%d rows of %v", data.Rows(), data.Names())
	}
	for _, in := range example.Inputs() {
		values, _ := data.Column(in.Name)
		const strata = 50
		var hits [strata]int
		for row, v := range values {
			if v < in.Lo || v > in.Hi {
				t.Errorf("row %d: %s is %g, outside [%g, %g]", row+1, in.Name, v, in.Lo, in.Hi)
			}
			hits[min(int((v-in.Lo)/(in.Hi-in.Lo)*strata), strata-1)]++
		}
		for s, n := range hits {
			// Rounding moves a few values to the stratum next to theirs.
			if n < example.Rows/strata-4 || n > example.Rows/strata+4 {
				t.Errorf("%s: %d rows in stratum %d: not a Latin hypercube", in.Name, n, s)
			}
		}
	}
	flow, _ := data.Column(example.Target)
	_, sd := metric.MeanSD(flow)
	// The deviation of a sample of n Gaussian numbers has a relative error of 1/√(2n).
	testkit.Close(t, "noise", metric.RMSE(flow, truth(data)), example.NoiseStd, 4/math.Sqrt(2*example.Rows), 0)
	if ratio := example.NoiseStd / sd; ratio < 0.02 || ratio > 0.03 {
		t.Errorf("the noise is %.3g of the target's deviation %.4g", ratio, sd)
	}
}

// truth returns Flow of the rows of t.
func truth(t *table.Table) []float64 {
	x := make([][8]float64, t.Rows())
	for i, in := range example.Inputs() {
		values, _ := t.Column(in.Name)
		for row, v := range values {
			x[row][i] = v
		}
	}
	flow := make([]float64, t.Rows())
	for row := range flow {
		flow[row] = example.Flow(x[row])
	}
	return flow
}
