package canvas

// ClipLine returns the parts of a line that lie in r.
func (r Rect) ClipLine(line []Point) (parts [][]Point) {
	var part []Point
	end := func() {
		if len(part) > 1 {
			parts = append(parts, part)
		}
		part = nil
	}
	for i := 1; i < len(line); i++ {
		a, b, ok := r.clipSegment(line[i-1], line[i])
		if !ok {
			end()
			continue
		}
		if len(part) == 0 || part[len(part)-1] != a {
			end()
			part = []Point{a}
		}
		part = append(part, b)
	}
	end()
	return parts
}

// clipSegment returns what lies in r of the line from a to b (Liang & Barsky, 1984).
func (r Rect) clipSegment(a, b Point) (Point, Point, bool) {
	from, to := 0.0, 1.0
	dx, dy := b.X-a.X, b.Y-a.Y
	for _, edge := range [...]struct{ out, room float64 }{
		{-dx, a.X - r.Min.X}, {dx, r.Max.X - a.X}, {-dy, a.Y - r.Min.Y}, {dy, r.Max.Y - a.Y},
	} {
		switch t := edge.room / edge.out; {
		case edge.out == 0 && edge.room < 0:
			return a, b, false
		case edge.out < 0:
			from = max(from, t)
		case edge.out > 0:
			to = min(to, t)
		}
	}
	if from > to {
		return a, b, false
	}
	at := func(t float64) Point { return Point{a.X + t*dx, a.Y + t*dy} }
	first, last := a, b // to the bit where nothing is cut off
	if from > 0 {
		first = at(from)
	}
	if to < 1 {
		last = at(to)
	}
	return first, last, true
}

// ClipArea returns what lies in r of a polygon, cut off at one edge after the other
// (Sutherland & Hodgman, 1974).
func (r Rect) ClipArea(outline []Point) []Point {
	for _, depth := range [...]func(Point) float64{
		func(p Point) float64 { return p.X - r.Min.X },
		func(p Point) float64 { return r.Max.X - p.X },
		func(p Point) float64 { return p.Y - r.Min.Y },
		func(p Point) float64 { return r.Max.Y - p.Y },
	} {
		var kept []Point
		for i, b := range outline {
			a := outline[(i+len(outline)-1)%len(outline)]
			da, db := depth(a), depth(b)
			if (da < 0) != (db < 0) {
				t := da / (da - db)
				kept = append(kept, Point{a.X + t*(b.X-a.X), a.Y + t*(b.Y-a.Y)})
			}
			if db >= 0 {
				kept = append(kept, b)
			}
		}
		outline = kept
	}
	return outline
}
