package canvas

import "math"

// strokes returns polygons, all turning the same way, whose union is a line of a width
// with round joins and blunt ends.
func strokes(line []Point, width float64) (pieces [][]Point) {
	for i := 1; i < len(line); i++ {
		a, b := line[i-1], line[i]
		length := math.Hypot(b.X-a.X, b.Y-a.Y)
		if length == 0 {
			continue
		}
		x, y := (b.Y-a.Y)/length*width/2, (a.X-b.X)/length*width/2 // to the right of the way
		pieces = append(pieces, []Point{{a.X + x, a.Y + y}, {b.X + x, b.Y + y}, {b.X - x, b.Y - y}, {a.X - x, a.Y - y}})
		if i > 1 {
			pieces = append(pieces, disc(a, width/2))
		}
	}
	if n := len(line); n > 2 && line[0] == line[n-1] {
		pieces = append(pieces, disc(line[0], width/2))
	}
	return pieces
}

// disc returns a polygon near to a circle, turning as those of strokes do.
func disc(center Point, radius float64) []Point {
	corners := make([]Point, max(8, int(4*radius)))
	for i := range corners {
		sin, cos := math.Sincos(2 * math.Pi * float64(i) / float64(len(corners)))
		corners[i] = Point{center.X + radius*cos, center.Y + radius*sin}
	}
	return corners
}

// dashed returns the parts of a line that dashes leave: lengths of strokes and gaps in
// turn.
func dashed(line []Point, dashes []float64) (parts [][]Point) {
	if len(dashes) == 0 || len(line) < 2 {
		return [][]Point{line}
	}
	k, left := 0, dashes[0]
	part := []Point{line[0]}
	for i := 1; i < len(line); i++ {
		a, b := line[i-1], line[i]
		length := math.Hypot(b.X-a.X, b.Y-a.Y)
		done := 0.0
		for length-done > left {
			done += left
			at := Point{a.X + done/length*(b.X-a.X), a.Y + done/length*(b.Y-a.Y)}
			if k%2 == 0 {
				parts = append(parts, append(part, at))
			}
			k, part = k+1, []Point{at}
			left = dashes[k%len(dashes)]
		}
		left -= length - done
		part = append(part, b)
	}
	if k%2 == 0 {
		parts = append(parts, part)
	}
	return parts
}
