package box

import "beziergp/table"

const (
	// margin is the share of a widened unit interval on either side of the box.
	margin = 0.15
	// reach is how far the margins go, in ranges of the training values.
	reach = 0.3
)

// Widen returns the scaling of the epistemic variance: half by ranks and half linear, so
// that a gap between training values keeps some of its width, and with margins beyond the
// bounds. Where the values of an input have no distances it returns the input itself.
func (in Input) Widen() Input {
	if in.Constant() || in.Kind == table.Category || in.Part == Absent {
		return in
	}
	wide := in
	wide.Lo, wide.Hi, wide.Declared = in.Lo-reach*(in.Hi-in.Lo), in.Hi+reach*(in.Hi-in.Lo), false
	wide.Knots, wide.Ranks = nil, nil
	wide.Knots, wide.Ranks = append(wide.Knots, wide.Lo), append(wide.Ranks, 0)
	for i := range max(2, len(in.Knots)) {
		value, rank := in.Lo, 0.0
		if i > 0 {
			value, rank = in.Hi, 1
		}
		if in.Knots != nil {
			value, rank = in.Knots[i], in.Ranks[i]
		}
		both := 0.5*rank + 0.5*(value-in.Lo)/(in.Hi-in.Lo)
		wide.Knots, wide.Ranks = append(wide.Knots, value), append(wide.Ranks, margin+(1-2*margin)*both)
	}
	wide.Knots, wide.Ranks = append(wide.Knots, wide.Hi), append(wide.Ranks, 1)
	if wide.Check() != nil {
		return in // its range is near that of a float64
	}
	return wide
}

// Coordinate returns the image of a number, of the column or of the input's part of
// it, in [0, 1]; one outside goes to the nearer face.
func (in Input) Coordinate(v float64) float32 {
	t, _ := in.linear(v)
	return t
}
