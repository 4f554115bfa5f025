package buttress

// wholeStates is the memory of a pass of points at which all functions are needed.
type wholeStates struct {
	states         *States
	out, cotangent []float32
	c              []float64 // of [Along]
}

// forWhole returns it, made when it is first needed.
func (s *States) forWhole() *wholeStates {
	if s.whole == nil {
		own := &wholeStates{out: make([]float32, s.stride), cotangent: make([]float32, s.stride)}
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
	e.whole().Forward(k, w, &x.Tile, own.states, own.out)
	for i, p := range x.At {
		out[p] = own.out[i]
	}
}

// backwardWhole follows forwardWhole.
func (e *Ensemble) backwardWhole(k int, w []float32, x *Whole, s *States, cotangent, dw []float32) {
	own := s.forWhole()
	for i, p := range x.At {
		own.cotangent[i] = cotangent[p]
	}
	e.whole().Backward(k, w, &x.Tile, own.states, own.cotangent, dw)
}
