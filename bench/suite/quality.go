package suite

import "beziergp/bench/data"

// quality is how long fits take to be as good as a stochastic variational Gaussian
// process: bench/peers records the RMSE of GPyTorch's as its training goes on.
func quality() Suite {
	const smooth, inputs, year, yearInputs = 40_000, 8, 515_345, 90
	return Suite{
		Name: "quality", Varies: OverSeconds,
		About: "time to the RMSE of GPyTorch's stochastic variational Gaussian process",
		Notes: "The table smooth is generated, a smooth function of 8 inputs with noise, and year-like one of 90.",
		Sets: []Set{
			small("protein", 45730, 1),
			{Name: "smooth", Source: data.Generated{Rows: smooth, Inputs: inputs}, Rows: smooth, Splits: 1},
			{Name: "year-like", Source: data.Generated{Rows: year, Inputs: yearInputs}, Rows: year, Splits: 1},
		},
		Methods: []Method{auto(), autoFast(), constant()},
		More:    []Method{autoBest(), svgp(500), svgp(1024)},
	}
}
