package simd

import "unsafe"

// PanelShape returns how many rows and columns of a product of float64 matrices
// [MulPanels] makes at a time.
func PanelShape() (rows, cols int) { return active.panelShape() }

func (t *tier) panelShape() (rows, cols int) {
	if t.panels == nil {
		return 4, 4
	}
	return t.panelRows, t.panelCols
}

// MulPanels computes a tile of a product of float64 matrices, of the shape that
// [PanelShape] tells, from the two panels that it takes:
//
//	sums[i*cols+j] = Σ_p a[p*rows+i] · b[p*cols+j]
//
// for p < k. Every sum is made in the order of p; the instruction sets in assembly
// round once a term and have the same bits.
func MulPanels(sums, a, b []float64, k int) { active.MulPanels(sums, a, b, k) }

// MulPanels is [MulPanels] on one tier.
func (t *tier) MulPanels(sums, a, b []float64, k int) {
	rows, cols := t.panelShape()
	if k < 0 {
		panic(errSign)
	}
	sums, a, b = sums[:rows*cols], a[:rows*k], b[:cols*k]
	if t.panels == nil {
		panelsGeneric(sums, a, b, rows, cols)
		return
	}
	t.panels(unsafe.SliceData(sums), unsafe.SliceData(a), unsafe.SliceData(b), k)
}

// panelsGeneric is the reference body of [MulPanels], for a number of columns that four
// divides.
func panelsGeneric(sums, a, b []float64, rows, cols int) {
	for i := range rows {
		for j := 0; j < cols; j += 4 {
			var s0, s1, s2, s3 float64
			for p, at := i, j; p < len(a); p, at = p+rows, at+cols {
				x, y := a[p], b[at:at+4:at+4]
				s0 += x * y[0]
				s1 += x * y[1]
				s2 += x * y[2]
				s3 += x * y[3]
			}
			to := sums[i*cols+j:][:4]
			to[0], to[1], to[2], to[3] = s0, s1, s2, s3
		}
	}
}
