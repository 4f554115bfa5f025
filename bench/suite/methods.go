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

func sgpr(inducing int) Method {
	return Method{
		Key: fmt.Sprintf("sgpr-%d", inducing), Name: fmt.Sprintf("SGPR m=%d", inducing),
		Options: []string{"--method", "sgpr", "--inducing", fmt.Sprint(inducing)},
	}
}

func auto() Method { return Method{Key: "auto", Name: "BezierGP auto", Conformal: true} }

func autoFast() Method {
	return Method{Key: "auto-fast", Name: "BezierGP auto fast", Conformal: true, Options: []string{"--effort", "fast"}}
}

func svgp() Method {
	return Method{Key: "svgp-500", Name: "SVGP m=500", Options: []string{"--method", "svgp", "--inducing", "500"}}
}

// exact takes time of the rows' third power.
func exact() Method {
	return Method{Key: "exact", Name: "Exact GP", Options: []string{"--method", "exact"}, Most: 2000}
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
