//go:build cgo && libbeziergp

// Command libbeziergp is a library for C: it loads models and predicts rows of numbers.
// beziergp.h describes it; make libbeziergp builds it.
package main

/*
#include <stdint.h>
#include <stdlib.h>
*/
import "C"

import (
	"context"
	"errors"
	"fmt"
	"math"
	"runtime/cgo"
	"unsafe"

	"beziergp/model"
	"beziergp/serve"
	"beziergp/table"
)

func main() {}

// tell puts what went wrong, a panic too, where the caller looks for it, and returns whether
// something did.
func tell(to **C.char, err error, panicked any) C.int {
	if panicked != nil {
		err = fmt.Errorf("a fault of the library: %v", panicked)
	}
	if err == nil {
		return 0
	}
	if to != nil {
		*to = C.CString(err.Error())
	}
	return -1
}

//export bgp_load
func bgp_load(path *C.char, e **C.char) (handle C.uintptr_t) {
	defer func() {
		if p := recover(); p != nil {
			handle = 0
			tell(e, nil, p)
		}
	}()
	m, err := serve.NumberOnly(serve.Load(C.GoString(path)))
	if tell(e, err, nil) != 0 {
		return 0
	}
	return C.uintptr_t(cgo.NewHandle(m))
}

//export bgp_free
func bgp_free(handle C.uintptr_t) { cgo.Handle(handle).Delete() }

//export bgp_columns
func bgp_columns(handle C.uintptr_t) C.int { return C.int(len(of(handle).Columns())) }

//export bgp_column
func bgp_column(handle C.uintptr_t, name *C.char) C.int {
	for k, c := range of(handle).Columns() {
		if c.Name == C.GoString(name) {
			return C.int(k)
		}
	}
	return -1
}

//export bgp_value
func bgp_value(handle C.uintptr_t, column C.int, text *C.char, out *C.double, e **C.char) (status C.int) {
	defer func() {
		if p := recover(); p != nil {
			status = tell(e, nil, p)
		}
	}()
	m := of(handle)
	if column < 0 || int(column) >= len(m.Columns()) {
		return tell(e, fmt.Errorf("column %d of %d", column, len(m.Columns())), nil)
	}
	v, err := serve.NewSchema(m.Columns(), m.Missing()).Value(int(column), C.GoString(text))
	*out = C.double(v)
	return tell(e, err, nil)
}

//export bgp_predict
func bgp_predict(handle C.uintptr_t, rows *C.double, n C.size_t, mean, std *C.double, inBox *C.uint8_t, e **C.char) (status C.int) {
	defer func() {
		if p := recover(); p != nil {
			status = tell(e, nil, p)
		}
	}()
	if n == 0 {
		return 0
	}
	if rows == nil || mean == nil {
		return tell(e, errors.New("rows and mean must not be NULL"), nil)
	}
	m := of(handle)
	d := len(m.Columns())
	if most := math.MaxInt / (8 * max(1, d)); uint64(n) > uint64(most) {
		return tell(e, fmt.Errorf("n is %d, more rows of %d columns than memory can have: is it below 0?", uint64(n), d), nil)
	}
	x := unsafe.Slice((*float64)(rows), int(n)*d)
	columns := make([][]float64, d)
	for k, f := range m.Columns() {
		columns[k] = make([]float64, n)
		for i := range columns[k] {
			v := x[i*d+k]
			if most := float64(f.Other()); f.Kind == table.Category && v == v && !(v >= 0 && v <= most && v == float64(int(v))) {
				return tell(e, fmt.Errorf("row %d, column %q: %g is no number of a level, 0 to %g", i+1, f.Name, v, most), nil)
			}
			columns[k][i] = v
		}
	}
	p, err := m.NewPredictor(model.PredictOptions{MeanAlone: std == nil})
	if err != nil {
		return tell(e, err, nil)
	}
	defer p.Close()
	var out model.Predictions
	if err := p.Predict(context.Background(), columns, &out); err != nil {
		return tell(e, err, nil)
	}
	copy(unsafe.Slice((*float64)(mean), n), out.Mean)
	if std != nil {
		copy(unsafe.Slice((*float64)(std), n), out.Std)
	}
	if inBox != nil {
		for i, inside := range out.InBox {
			unsafe.Slice((*uint8)(inBox), n)[i] = map[bool]uint8{true: 1}[inside]
		}
	}
	return 0
}

func of(handle C.uintptr_t) serve.Model { return cgo.Handle(handle).Value().(serve.Model) }
