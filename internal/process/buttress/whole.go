package buttress

// wholeStates is the memory of a pass of points at which all functions are needed.
type wholeStates struct {
	states         *States
	tile           Tile // of the points that go together
	out, cotangent []float32
	c              []float64 // of [Along]
}

// forWhole returns it, made when it is first needed.
func (s *States) forWhole() *wholeStates {
	if s.whole == nil {
		outputs := 0
		for _, e := range s.of {
			outputs = max(outputs, e.outputs)
		}
		own := &wholeStates{out: make([]float32, outputs*s.stride), cotangent: make([]float32, outputs*s.stride)}
		if s.kept {
			own.states = s.of[0].whole().NewKeptStates(s.stride)
		} else {
			var all []*Ensemble
			for _, e := range s.of {
				all = append(all, e.whole())
			}
			own.states = NewStates(s.stride, all...)
		}
		s.whole = own
	}
	return s.whole
}

// forwardWhole sends points at which all functions are needed through buttress k.
func (e *Ensemble) forwardWhole(k int, w []float32, x *Whole, s *States, out []float32) {
	own := s.forWhole()
	own.tile = *x.tile(x.Together)
	own.tile.Points = x.Together
	e.whole().Forward(k, w, &own.tile, own.states, own.out)
	for at := 0; at < e.outputs*s.stride; at += s.stride {
		for i, p := range x.At[:x.Together] {
			out[at+p] = own.out[at+i]
		}
	}
}

// backwardWhole follows forwardWhole.
func (e *Ensemble) backwardWhole(k int, w []float32, x *Whole, s *States, cotangent, dw []float32) {
	own := s.forWhole()
	for at := 0; at < e.outputs*s.stride; at += s.stride {
		for i, p := range x.At[:x.Together] {
			own.cotangent[at+i] = cotangent[at+p]
		}
	}
	e.whole().Backward(k, w, &own.tile, own.states, own.cotangent, dw)
}
