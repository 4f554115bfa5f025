package suite

import (
	"math"

	"beziergp/bench/data"
)

// large is the paper's figure of tall and wide tables. Four of its tables are not to
// be had everywhere; tables of their shapes stand in for them.
func large() Suite {
	s := Suite{
		Name:  "large",
		About: "tall and wide tables: five real ones, and the shapes of the paper's large-scale figure",
		Notes: "The tables year, buzz, houseelectric and slice are fitted where the folder has them, with the target in the column y;\n" +
			"generated tables of their shapes, NAME-like, stand in for them. Sets without a mask are tested on a tenth of the rows,\n" +
			"drawn by their numbers. The target of sgemm is the logarithm of the mean of its four runs, that of blogfeedback log(1 + y).\n" +
			"houseelectric_2007h1 is an eighth of houseelectric, January to June 2007, with six of its eleven inputs and a target in kW.",
		Methods: []Method{paper(3), paper(5), paper(20), auto(), autoFast(), linear(), constant()},
		More:    []Method{autoBest(), sgpr(100), sgpr(500), svgp(500), svgp(1024), simplexGP(), deepgp(2), knn()},
		Sets: []Set{
			{Name: "sgemm", Rows: 241600, Splits: 1, Orders: []int{20}, Source: data.Derived{
				Folder: data.Folder{Name: "sgemm", Target: "Run1 (ms)"},
				From:   []string{"Run1 (ms)", "Run2 (ms)", "Run3 (ms)", "Run4 (ms)"}, Of: logOfMean,
			}},
			{Name: "beijing_air", Rows: 420768, Splits: 1, Orders: []int{20}, Options: []string{"--exclude", "No"},
				Source: data.Folder{Name: "beijing_air", Target: "PM2.5"}},
			// What is known only after take-off gives the delay at arrival away.
			{Name: "flights", Rows: 303748, Splits: 1, Orders: []int{20}, Options: []string{"--exclude", "dep_time,dep_delay,arr_time,air_time"},
				Source: data.Folder{Name: "flights", Target: "arr_delay"}},
			{Name: "blogfeedback", Rows: 60021, Splits: 1, Orders: []int{3, 5}, Source: data.Derived{
				Folder: data.Folder{Name: "blogfeedback"}, From: []string{"y"}, Of: func(y []float64) float64 { return math.Log1p(y[0]) },
			}},
			// Of the inputs of houseelectric those that are no parts of the time, which is written day first.
			{Name: "houseelectric_2007h1", Rows: 260640, Splits: 1, Orders: []int{20}, Options: []string{"--exclude", "Date,Time"},
				Source: data.Folder{Name: "tasks/houseelectric_2007h1", Target: "Global_active_power"}},
			shaped("year", 515345, 90, 20),
			shaped("buzz", 583250, 77, 20),
			shaped("houseelectric", 2049280, 11, 20),
			shaped("slice", 53500, 385, 3, 5),
		},
	}
	slice := &s.Sets[len(s.Sets)-1]
	slice.Paper = []string{"--steps", "30000"} // as in the paper
	slice.Instead.Paper = slice.Paper
	return s
}

func logOfMean(values []float64) float64 {
	total := 0.0
	for _, v := range values {
		total += v
	}
	return math.Log(total / float64(len(values)))
}

// shaped is a set of the user's and the table of its shape that stands in for it.
func shaped(name string, rows, inputs int, orders ...int) Set {
	real := Set{Name: name, Source: data.Folder{Name: name}, Rows: rows, Splits: 1, Orders: orders}
	like := real
	like.Name, like.Source = name+"-like", data.Generated{Rows: rows, Inputs: inputs}
	real.Instead = &like
	return real
}
