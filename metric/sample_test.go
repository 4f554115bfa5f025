package metric

import "testing"

// A place is one of the room, or none, and each thing that comes has its own while there is
// room: also where there is room for one.
func TestPlacesAreOfTheRoom(t *testing.T) {
	for _, room := range []int{1, 2, 7} {
		p := places{room: room}
		taken := 0
		for i := range 10000 {
			switch at := p.next(); {
			case i < room && at != i, at < -1, at >= room:
				t.Fatalf("thing %d takes place %d of %d", i, at, room)
			case i >= room && at >= 0:
				taken++
			}
		}
		if taken < room { // Σ room/i, which is some room·log(10000/room)
			t.Errorf("%d things of 10000 have taken one of %d places again", taken, room)
		}
	}
}

// What gathers rows keeps those that places choose, in every place: the first one, too, is
// taken again.
func TestWhatIsKeptIsThePlaces(t *testing.T) {
	const k, many = 1024, MedianRows + 2*MedianRows
	c, classes := NewClasses(k), keptValues/k*4
	p := make([]float64, k)
	var m Median
	var d Deviance // of power 0
	check := func(what string, room, n int, add func(i int), kept func(at int) float64, number func() int) {
		t.Helper()
		own, want := places{room: room}, make([]float64, room)
		for i := range n {
			add(i)
			if at := own.next(); at >= 0 {
				want[at] = float64(i)
			}
		}
		if number() != room || want[0] == 0 {
			t.Fatalf("%s: %d rows are kept, of places for %d; the first is of row %g", what, number(), room, want[0])
		}
		for at, v := range want {
			if kept(at) != v {
				t.Fatalf("%s: place %d has row %g, want %g", what, at, kept(at), v)
			}
		}
	}
	check("classes", keptValues/k, classes, func(i int) {
		p[0] = float64(i)
		c.Add(i%k, p)
	}, func(at int) float64 { return c.p[at*k] }, func() int { return len(c.codes) })
	check("median", MedianRows, many, func(i int) { m.Add(float64(i)) }, func(at int) float64 { return m.kept[at] }, func() int { return len(m.kept) })
	check("deviance", MedianRows, many, func(i int) { d.Add(float64(i), 1, 1) }, func(at int) float64 { return d.rows[at].observed }, func() int { return len(d.rows) })
}
