package modelfile

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"math"

	"beziergp/internal/safetensors"
)

// Tensor is the name of the tensor of numbers.
const Tensor = "numbers"

// Place is where a list lies in that tensor: its first number, and how many they are.
type Place [2]int

// Numbers gathers the lists of a file. Equal lists have one place. The zero value has
// none.
type Numbers struct {
	all   []float64
	known map[[sha256.Size]byte]Place
}

// Add returns the place of a list.
func (n *Numbers) Add(list []float64) Place {
	text := make([]byte, 0, 8*len(list))
	for _, v := range list {
		text = binary.LittleEndian.AppendUint64(text, math.Float64bits(v))
	}
	sum := sha256.Sum256(text)
	p, ok := n.known[sum]
	if !ok {
		p = Place{len(n.all), len(list)}
		n.all = append(n.all, list...)
		if n.known == nil {
			n.known = map[[sha256.Size]byte]Place{}
		}
		n.known[sum] = p
	}
	return p
}

// AddInts is Add for whole numbers below 2⁵³.
func AddInts[T int | uint64](n *Numbers, list []T) Place {
	floats := make([]float64, len(list))
	for i, v := range list {
		floats[i] = float64(v)
	}
	return n.Add(floats)
}

// Tensor returns all lists.
func (n *Numbers) Tensor() safetensors.Tensor {
	return safetensors.Tensor{Shape: []int{len(n.all)}, Wide: append([]float64{}, n.all...)}
}

// Lists are those of a file that is read.
type Lists []float64

// ReadLists returns the lists of a file, none where it has no tensor of them. It fails
// where a number is not finite.
func ReadLists(f *safetensors.File) (Lists, error) {
	t, ok := f.Tensors[Tensor]
	if !ok {
		return nil, nil
	}
	if t.Wide == nil {
		return nil, fmt.Errorf("tensor %q has type F32, want F64", Tensor)
	}
	for i, v := range t.Wide {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return nil, fmt.Errorf("number %d of tensor %q is %g", i+1, Tensor, v)
		}
	}
	return t.Wide, nil
}

// At returns the list at a place, which must not be changed.
func (l Lists) At(p Place) ([]float64, error) {
	from, n := p[0], p[1]
	if from < 0 || n < 0 || from > len(l) || n > len(l)-from {
		return nil, fmt.Errorf("a list of %d numbers from number %d: there are %d", n, from, len(l))
	}
	return l[from : from+n : from+n], nil
}

// WholeAt returns the list at a place as whole numbers, at most so many.
func WholeAt[T int | uint64](l Lists, p Place, most int) ([]T, error) {
	list, err := l.At(p)
	if err != nil {
		return nil, err
	}
	if len(list) > most {
		return nil, fmt.Errorf("a list of %d numbers where there can be %d", len(list), most)
	}
	whole := make([]T, len(list))
	for i, v := range list {
		if v != math.Trunc(v) || v < 0 || v >= 1<<53 {
			return nil, fmt.Errorf("%g where a whole number from 0 on should be", v)
		}
		whole[i] = T(v)
	}
	return whole, nil
}
