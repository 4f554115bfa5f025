package rival

import (
	"slices"
	"strings"

	"beziergp/rival/method"
	"beziergp/rival/method/constant"
	"beziergp/rival/method/covariance"
	"beziergp/rival/method/deepgp"
	"beziergp/rival/method/exact"
	"beziergp/rival/method/knn"
	"beziergp/rival/method/linear"
	"beziergp/rival/method/sgpr"
	"beziergp/rival/method/simplex"
	"beziergp/rival/method/svgp"
)

// Method is one that can be picked by its name.
type Method struct {
	Name      string // of its package
	About     string // in a few words
	KeepsRows bool   // what is learned are the training rows
	Laws      bool   // it learns targets of any likelihood
	Options   []Option
	New       func(Settings) method.Method
	restore   func(method.State) (method.Storable, error)
}

// Option is an option that some methods have.
type Option string

// The options, named as on the command line.
const (
	Kernel     Option = "kernel"
	Inducing   Option = "inducing"
	Layers     Option = "layers"
	Neighbours Option = "neighbours"
	Steps      Option = "steps"
	Batch      Option = "batch"
	Rate       Option = "learning-rate"
)

// Settings are the values of all options; zero is the method's default.
type Settings struct {
	Kernel     covariance.Family
	Inducing   int // points at most
	Layers     int
	Neighbours int // instead of as many as predict best
	Steps      int
	Batch      int // rows of a mini-batch
	Rate       float64
	Memory     int64 // bytes for matrices that grow with the rows
}

// Methods returns all methods. A further one is a line here, and a package whose
// regressors are [method.Storable].
func Methods() []Method {
	return []Method{
		{"exact", "the Gaussian process itself, for a few thousand rows", true, false, []Option{Kernel, Steps},
			func(s Settings) method.Method {
				return exact.Method{Family: s.Kernel, Steps: s.Steps, Memory: s.Memory}
			}, exact.Restore},
		{"sgpr", "a sparse Gaussian process by inducing points, on all rows at once", false, false, []Option{Kernel, Inducing, Steps},
			func(s Settings) method.Method {
				return sgpr.Method{Family: s.Kernel, Inducing: s.Inducing, Steps: s.Steps}
			}, sgpr.Restore},
		{"svgp", "the same on mini-batches, for many rows", false, false, []Option{Kernel, Inducing, Steps, Batch, Rate},
			func(s Settings) method.Method {
				return svgp.Method{Family: s.Kernel, Inducing: s.Inducing, Steps: s.Steps, Batch: s.Batch, Rate: s.Rate}
			}, svgp.Restore},
		{"simplex", "a Gaussian process whose kernel is interpolated on a lattice of simplices", true, false, []Option{Kernel, Steps, Rate},
			func(s Settings) method.Method {
				return simplex.Method{Family: s.Kernel, Steps: s.Steps, Rate: s.Rate, Memory: s.Memory}
			}, simplex.Restore},
		{"deepgp", "such processes behind one another", false, false, []Option{Kernel, Layers, Inducing, Steps, Batch, Rate},
			func(s Settings) method.Method {
				return deepgp.Method{Family: s.Kernel, Layers: s.Layers, Inducing: s.Inducing, Steps: s.Steps, Batch: s.Batch, Rate: s.Rate}
			}, deepgp.Restore},
		{"linear", "least squares; of classes and counts logistic, multinomial or Poisson regression", false, true, nil,
			func(Settings) method.Method { return linear.Method{} }, linear.Restore},
		{"knn", "the mean of the nearest rows, or their classes", true, true, []Option{Neighbours},
			func(s Settings) method.Method {
				if s.Neighbours == 0 {
					return knn.Method{}
				}
				return knn.Method{Neighbours: []int{s.Neighbours}}
			}, knn.Restore},
		{"constant", "the mean of the target or the shares of its classes, whatever the inputs", false, true, nil,
			func(Settings) method.Method { return constant.Method{} }, constant.Restore},
	}
}

// Find returns the method of a name.
func Find(name string) (Method, bool) {
	all := Methods()
	i := slices.IndexFunc(all, func(m Method) bool { return m.Name == name })
	if i < 0 {
		return Method{}, false
	}
	return all[i], true
}

// names lists them, or those alone that learn any likelihood.
func names(laws bool) string {
	var all []string
	for _, m := range Methods() {
		if m.Laws || !laws {
			all = append(all, m.Name)
		}
	}
	return strings.Join(all, ", ")
}
