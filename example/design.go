package example

import (
	"io"
	"math"
	"math/rand/v2"

	"beziergp/tablefile"
)

const (
	// Rows is the number of rows of the table.
	Rows = 3000
	// NoiseStd is the deviation of the noise in the table's target, in m³/yr: 2.2 % of
	// the target's. No model's RMSE on new rows is smaller.
	NoiseStd = 1.0

	seed = 1983
)

// Write draws the table and writes it as CSV, the same bytes every time: a Latin
// hypercube over the ranges of [Inputs], and [Flow] at the rounded inputs with
// Gaussian noise.
func Write(w io.Writer) error {
	rng := rand.New(rand.NewPCG(seed, 0))
	inputs := Inputs()
	var names []string
	var columns []tablefile.Values
	x := make([][8]float64, Rows)
	for i, in := range inputs {
		values := make(tablefile.Floats, Rows)
		for row, stratum := range rng.Perm(Rows) {
			t := (float64(stratum) + rng.Float64()) / Rows
			values[row] = round(in.Lo+t*(in.Hi-in.Lo), in.decimals)
			x[row][i] = values[row]
		}
		names, columns = append(names, in.Name), append(columns, values)
	}
	flow := make(tablefile.Floats, Rows)
	for row := range flow {
		flow[row] = round(Flow(x[row])+NoiseStd*rng.NormFloat64(), 2)
	}
	return tablefile.Write(w, append(names, Target), append(columns, flow))
}

func round(v float64, decimals int) float64 {
	scale := math.Pow10(decimals)
	return math.Round(v*scale) / scale
}
