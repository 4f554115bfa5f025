package suite

import "beziergp/bench/data"

// quality is how long fits take to be as good as a stochastic variational Gaussian
// process: bench/peers records the RMSE of GPyTorch's as its training goes on.
func quality() Suite {
	const rows, links, year, inputs = 40_000, 8, 515_345, 90
	return Suite{
		Name: "quality", Varies: OverSeconds,
		About: "time to the RMSE of GPyTorch's stochastic variational Gaussian process",
		Notes: "Of the table arm the target is the distance of the end of a robot's arm of 8 links from a point, and the inputs are the angles between\n" +
			"links: a smooth function without noise, in which all inputs interact. year-like is a generated table of 90 inputs, with noise.",
		Sets: []Set{
			small("protein", 45730, 1),
			{Name: "arm", Source: data.Arm{Rows: rows, Links: links}, Rows: rows, Splits: 1},
			{Name: "year-like", Source: data.Generated{Rows: year, Inputs: inputs}, Rows: year, Splits: 1},
		},
		Methods: []Method{auto(), autoFast(), constant()},
		More:    []Method{autoBest(), svgp(500), svgp(1024)},
	}
}
