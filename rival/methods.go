package rival

import (
	"slices"
	"strings"

	"beziergp/rival/method"
	"beziergp/rival/method/constant"
	"beziergp/rival/method/covariance"
	"beziergp/rival/method/exact"
	"beziergp/rival/method/knn"
	"beziergp/rival/method/linear"
	"beziergp/rival/method/sgpr"
	"beziergp/rival/method/svgp"
)

// Method is one that can be picked by its name.
type Method struct {
	Name      string // of its package
	About     string // in a few words
	KeepsRows bool   // what is learned are the training rows
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
	Neighbours Option = "neighbours"
	Steps      Option = "steps"
	Batch      Option = "batch"
	Rate       Option = "learning-rate"
)

// Settings are the values of all options; zero is the method's default.
type Settings struct {
	Kernel     covariance.Family
	Inducing   int // points at most
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
		{"exact", "the Gaussian process itself, for a few thousand rows", true, []Option{Kernel, Steps},
			func(s Settings) method.Method {
				return exact.Method{Family: s.Kernel, Steps: s.Steps, Memory: s.Memory}
			}, exact.Restore},
		{"sgpr", "a sparse Gaussian process by inducing points, on all rows at once", false, []Option{Kernel, Inducing, Steps},
			func(s Settings) method.Method {
				return sgpr.Method{Family: s.Kernel, Inducing: s.Inducing, Steps: s.Steps}
			}, sgpr.Restore},
		{"svgp", "the same on mini-batches, for many rows", false, []Option{Kernel, Inducing, Steps, Batch, Rate},
			func(s Settings) method.Method {
				return svgp.Method{Family: s.Kernel, Inducing: s.Inducing, Steps: s.Steps, Batch: s.Batch, Rate: s.Rate}
			}, svgp.Restore},
		{"linear", "least squares", false, nil,
			func(Settings) method.Method { return linear.Method{} }, linear.Restore},
		{"knn", "the mean of the nearest rows", true, []Option{Neighbours},
			func(s Settings) method.Method {
				if s.Neighbours == 0 {
					return knn.Method{}
				}
				return knn.Method{Neighbours: []int{s.Neighbours}}
			}, knn.Restore},
		{"constant", "the mean of the target, whatever the inputs", false, nil,
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

// names lists them.
func names() string {
	var all []string
	for _, m := range Methods() {
		all = append(all, m.Name)
	}
	return strings.Join(all, ", ")
}
