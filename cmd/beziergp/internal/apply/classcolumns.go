package apply

import (
	"beziergp/metric"
	"beziergp/table/exact"
)

// ClassColumns returns columns of rows of classes: the class observed, whose codes are y, the
// likeliest one and the probabilities, [n, K].
func ClassColumns(classes []string, y []float64, probabilities [][]float64) (names []string, columns []*exact.Column) {
	observed, likely := make([]string, len(y)), make([]string, len(y))
	each := make([][]float64, len(classes))
	for i, p := range probabilities {
		observed[i] = classes[int(y[i])]
		if p[0] == p[0] { // it has a prediction
			likely[i] = classes[metric.Likeliest(p)]
		}
		for k, v := range p {
			each[k] = append(each[k], v)
		}
	}
	names, columns = []string{"observed", "class"}, []*exact.Column{exact.Texts(observed), exact.Texts(likely)}
	for k, class := range classes {
		names, columns = append(names, "p_"+class), append(columns, exact.Numbers(each[k]))
	}
	return names, columns
}
