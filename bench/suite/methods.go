package suite

import "fmt"

// paper is the recipe of Jørgensen & Osborne (2022).
func paper(order int) Method {
	return Method{
		Key: fmt.Sprintf("paper-%d", order), Name: fmt.Sprintf("BezierGP nu=%d", order), Order: order,
		Options: []string{"--recipe", "paper", "--order", fmt.Sprint(order)},
	}
}

// permuted is the paper's recipe with another number of orderings of the inputs.
func permuted(order, orderings int) Method {
	m := paper(order)
	m.Key = fmt.Sprintf("r-%d", orderings)
	m.Name += fmt.Sprintf(" r=%d", orderings)
	m.Options = append(m.Options, "--orderings", fmt.Sprint(orderings))
	return m
}

// Of Gaussian processes with another kernel there are records of the names without it.
var matern52 = []string{"--kernel", "matern52"}

func sgpr(inducing int) Method { return sparse("SGPR", "sgpr", inducing) }

func svgp(inducing int) Method { return sparse("SVGP", "svgp", inducing) }

func sparse(name, method string, inducing int) Method {
	return Method{
		Key: fmt.Sprintf("%s-%d", method, inducing), Name: fmt.Sprintf("%s m=%d Matern52", name, inducing),
		Options: append([]string{"--method", method, "--inducing", fmt.Sprint(inducing)}, matern52...),
	}
}

// deepgp has as many inducing points a layer as its authors.
func deepgp(layers int) Method {
	return Method{
		Key: fmt.Sprintf("deepgp-%d", layers), Name: fmt.Sprintf("Deep GP %d layers m=100 Matern52", layers),
		Options: append([]string{"--method", "deepgp", "--layers", fmt.Sprint(layers), "--inducing", "100"}, matern52...),
		Sets:    []string{"energy", "power", "protein"},
	}
}

func auto() Method { return Method{Key: "auto", Name: "BezierGP auto", Conformal: true} }

func autoFast() Method {
	return Method{Key: "auto-fast", Name: "BezierGP auto fast", Conformal: true, Options: []string{"--effort", "fast"}}
}

func autoBest() Method {
	return Method{Key: "auto-best", Name: "BezierGP auto best", Conformal: true, Options: []string{"--effort", "best"}}
}

// simplexGP has the kernel that its authors report.
func simplexGP() Method {
	return Method{Key: "simplex", Name: "SimplexGP (Matérn 3/2)", Options: []string{"--method", "simplex", "--kernel", "matern32"}}
}

// exact takes time of the rows' third power.
func exact() Method {
	return Method{Key: "exact", Name: "Exact GP Matern52", Options: append([]string{"--method", "exact"}, matern52...), Most: 2000}
}

func linear() Method {
	return Method{Key: "linear", Name: "Linear", Options: []string{"--method", "linear"}}
}

func knn() Method {
	return Method{Key: "knn", Name: "kNN", Options: []string{"--method", "knn"}}
}

func constant() Method {
	return Method{Key: "constant", Name: "Constant", Options: []string{"--method", "constant"}}
}
