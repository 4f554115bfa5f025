package seen

import (
	"errors"

	"beziergp/internal/safetensors"
)

// Head is what a file holds of [Rows] besides their hashes.
type Head struct {
	Trained  int     `json:"rows"`
	Repeated float64 `json:"repeated,omitempty"`
	Split    string  `json:"split,omitempty"`
}

// tensor is the name of that with the hashes.
const tensor = "trained_on"

// Describe returns the head of r and adds the hashes to the tensors.
func (r *Rows) Describe(tensors map[string]safetensors.Tensor) *Head {
	values := make([]float64, len(r.Sums))
	for i, sum := range r.Sums {
		values[i] = float64(sum)
	}
	tensors[tensor] = safetensors.Tensor{Shape: []int{len(values)}, Wide: values}
	return &Head{r.Trained, r.Repeated, r.Split}
}

// Restore takes the hashes from the tensors and returns the rows, nil where h is.
func (h *Head) Restore(tensors map[string]safetensors.Tensor) (*Rows, error) {
	if h == nil {
		return nil, nil
	}
	r := &Rows{Trained: h.Trained, Repeated: h.Repeated, Split: h.Split}
	for _, v := range tensors[tensor].Wide {
		if !(v >= 0 && v < 1<<bits) || v != float64(uint64(v)) {
			return nil, errors.New("the hashes of rows are none")
		}
		r.Sums = append(r.Sums, uint64(v))
	}
	delete(tensors, tensor)
	return r, r.Check()
}
