package onnx

import (
	"math"
	"slices"

	"beziergp/box"
	"beziergp/table"
)

// columns are what comes in: of every input of the model what it takes of its column, the
// numbers below one another and the categories, too.
type columns struct {
	inputs  []box.Input
	row     []int // of input i, its row among the numbers, or among the codes
	numbers value // [numbers, rows] float64, NaN where missing; "" where there is none
	codes   value // [categories, rows] int64, below 0 where missing; "" where there is none
	endless value // [rows] bool: whether a value is infinite; "" where there are no numbers
	count   [2]int
}

func (c *columns) category(i int) bool { return c.inputs[i].Kind == table.Category }

// which says whether an input is a number, 0, or a category, 1.
func (c *columns) which(i int) int {
	if c.category(i) {
		return 1
	}
	return 0
}

// readColumns returns what inputs take of the tensors of their columns.
func (g *graph) readColumns(inputs []box.Input, tensorOf map[string]string) *columns {
	c := &columns{inputs: inputs}
	var numbers, codes, finite []value
	read := map[string]bool{}
	for i, in := range inputs {
		row := g.with("Transpose", []attribute{{name: "perm", values: []int64{1, 0}}}, value(tensorOf[in.Source()]))
		c.row = append(c.row, c.count[c.which(i)])
		c.count[c.which(i)]++
		if c.category(i) {
			codes = append(codes, row)
			continue
		}
		if !read[in.Source()] {
			read[in.Source()] = true
			finite = append(finite, row)
		}
		numbers = append(numbers, g.dated(in.Part, row))
	}
	if numbers != nil {
		c.numbers = g.concat(0, numbers...)
		c.endless = g.any(g.op("IsInf", g.concat(0, finite...)))
	}
	if codes != nil {
		c.codes = g.concat(0, codes...)
	}
	return c
}

// any tells of every row of is, [n, rows] bool, whether one holds.
func (g *graph) any(is value) value {
	return g.op("Greater", g.sum(g.cast(is, int64s), 0), g.whole(0))
}

const secondsOfDay = 24 * 60 * 60

// part returns what an input takes of a date-time in seconds since the beginning of 1970.
func (g *graph) part(p box.Part, seconds value) value {
	days := g.div(seconds, g.number(secondsOfDay))
	if p == box.Time {
		return days
	}
	day := g.floor(days)
	switch p {
	case box.Hour:
		return g.div(g.sub(seconds, g.mul(day, g.number(secondsOfDay))), g.number(3600))
	case box.Weekday: // the beginning of 1970 was a Thursday, day 4
		return g.add(g.rest(g.add(g.within(day), g.number(3)), 7), g.number(1))
	}
	return g.yearday(g.within(day))
}

// dated returns a part of a date-time, of one that is missing nothing, or of any column whether it is missing.
func (g *graph) dated(p box.Part, seconds value) value {
	switch p {
	case "":
		return seconds
	case box.Absent:
		return g.cast(g.op("IsNaN", seconds), float64s)
	}
	return g.pick(g.op("IsNaN", seconds), seconds, g.part(p, seconds))
}

// within keeps days to what box counts, 25 million years.
func (g *graph) within(day value) value { return g.clamp(day, -(1 << 33), 1<<33) }

// quotient is ⌊a/n⌋ and rest a − n ⌊a/n⌋: exact for whole numbers of up to 53 bits.
func (g *graph) quotient(a value, n float64) value { return g.floor(g.div(a, g.number(n))) }

func (g *graph) rest(a value, n float64) value {
	return g.sub(a, g.mul(g.number(n), g.quotient(a, n)))
}

// yearday returns the day of the year of a day counted from the beginning of 1970, in the
// Gregorian calendar. Years are counted from 1 March, so that a leap day is the last of one,
// within eras of 400 of them, 146097 days.
func (g *graph) yearday(day value) value {
	const toMarch, ofEra = 719468, 146097
	inEra := g.rest(g.add(day, g.number(toMarch)), ofEra)
	leapless := g.sub(g.add(g.sub(inEra, g.quotient(inEra, 1460)), g.quotient(inEra, 36524)), g.quotient(inEra, ofEra-1))
	year := g.quotient(leapless, 365)
	begins := g.sub(g.add(g.mul(year, g.number(365)), g.quotient(year, 4)), g.quotient(year, 100))
	march := g.sub(inEra, begins) // 0 on 1 March
	leap := g.op("And",
		g.op("Equal", g.rest(year, 4), g.number(0)),
		g.op("Or", g.op("Greater", g.rest(year, 100), g.number(0)), g.op("Equal", year, g.number(0))))
	const beforeMarch, toNewYear = 31 + 28, 306
	fromNewYear := g.add(march, g.add(g.number(beforeMarch+1), g.cast(leap, float64s)))
	return g.pick(g.op("Less", march, g.number(toNewYear)), fromNewYear, g.sub(march, g.number(toNewYear-1)))
}

// scaled are coordinates of inputs in the domains of bases.
type scaled struct {
	*columns
	t       value // [numbers, rows] float64, numbers that float32 holds, 0 where missing
	unknown value // [numbers, rows] bool: missing
	node    value // [categories, rows] int64, 0 where missing
	without value // [categories, rows] bool: missing
}

// scale maps columns to the domains of bases by scalings, one an input, and tells of every
// value whether it lies in the bounds, [inputs, rows].
func (g *graph) scale(c *columns, scalings []box.Input) (s scaled, inside value) {
	s.columns = c
	var numbers, categories []box.Input
	for i, in := range scalings {
		if c.category(i) {
			categories = append(categories, in)
		} else {
			numbers = append(numbers, in)
		}
	}
	var all []value
	if numbers != nil {
		own := value("")
		s.t, s.unknown, own = g.scaleNumbers(c.numbers, numbers)
		all = append(all, own)
	}
	if categories != nil {
		own := value("")
		s.node, s.without, own = g.scaleCodes(c.codes, categories)
		all = append(all, own)
	}
	return s, g.concat(0, all...)
}

// scaleNumbers is scale for numbers v, [n, rows].
func (g *graph) scaleNumbers(v value, scalings []box.Input) (t, unknown, inside value) {
	n := len(scalings)
	lo, hi, missing := make([]float64, n), make([]float64, n), make([]bool, n)
	knots, ranks := make([][]float64, n), make([][]float64, n)
	for i, in := range scalings {
		lo[i], hi[i], missing[i] = in.Lo, in.Hi, in.Missing
		knots[i], ranks[i] = in.Knots, in.Ranks
		if in.Constant() {
			knots[i], ranks[i] = []float64{in.Lo}, []float64{0}
		} else if in.Knots == nil {
			knots[i], ranks[i] = []float64{in.Lo, in.Hi}, []float64{0, 1}
		}
	}
	least, most := g.float64s([]int{n, 1}, lo...), g.float64s([]int{n, 1}, hi...)
	unknown = g.op("IsNaN", v)
	inside = g.op("Or",
		g.op("And", g.op("GreaterOrEqual", v, least), g.op("LessOrEqual", v, most)),
		g.op("And", unknown, g.truths(missing...)))
	known := g.op("Min", g.op("Max", g.pick(unknown, least, v), least), most)
	return g.rounded(g.interpolate(known, knots, ranks)), unknown, inside
}

// rounded keeps the digits that float32 has.
func (g *graph) rounded(v value) value { return g.cast(g.cast(v, float32s), float64s) }

// interpolate returns, of every row i of v, [n, rows], the piecewise linear function through
// the points (from[i], to[i]), both ascending, v[i] being in [from[i][0], from[i][last]].
func (g *graph) interpolate(v value, from, to [][]float64) value {
	at, left, right := g.search(v, from)
	size := tableSize(from)
	padded := pad(to, size, func(row []float64) float64 { return row[len(row)-1] })
	values := g.float64s([]int{len(padded)}, padded...)
	share := g.div(g.sub(v, left), g.sub(right, left))
	return g.add(g.mul(g.gather(values, 0, at), g.sub(g.number(1), share)), g.mul(g.gather(values, 0, g.add(at, g.whole(1))), share))
}

// search returns, for every row i of v, the place of the last of from[i], ascending, that is at
// most v, among all padded tables one after the other; that number; and the next, which is
// infinite behind the last. It halves the range of a table that is padded to a power of two by
// what no value reaches, and finds what box finds.
func (g *graph) search(v value, from [][]float64) (at, left, right value) {
	size := tableSize(from)
	padded := pad(from, size, func([]float64) float64 { return math.Inf(1) })
	knots := g.float64s([]int{len(padded)}, padded...)
	first := make([]int, len(from))
	for i := range first {
		first[i] = i * size
	}
	at = g.int64s([]int{len(from), 1}, first...)
	for half := size / 2; half > 0; half /= 2 {
		next := g.add(at, g.whole(half))
		at = g.pick(g.op("GreaterOrEqual", v, g.gather(knots, 0, next)), next, at)
	}
	return at, g.gather(knots, 0, at), g.gather(knots, 0, g.add(at, g.whole(1)))
}

// tableSize is the power of two that the longest of rows fits in with one to spare.
func tableSize(rows [][]float64) int {
	size := 1
	for _, row := range rows {
		for size < len(row)+1 {
			size *= 2
		}
	}
	return size
}

// pad returns rows of a size one after the other.
func pad(rows [][]float64, size int, with func(row []float64) float64) (all []float64) {
	for _, row := range rows {
		all = append(all, row...)
		for range size - len(row) {
			all = append(all, with(row))
		}
	}
	return all
}

// scaleCodes is scale for categories: the numbers of levels.
func (g *graph) scaleCodes(code value, scalings []box.Input) (node, without, inside value) {
	n := len(scalings)
	known, last, missing, own, beyond := make([]int, n), make([]int, n), make([]bool, n), make([]bool, n), make([]int, n)
	for i, in := range scalings {
		known[i], last[i] = in.Nodes()-1, in.Nodes()-1
		if in.Pooled.Len() > 0 && !in.Pooled.Apart {
			last[i] = math.MaxInt // what is not known goes to the node of those pooled
		}
		missing[i], own[i], beyond[i] = in.Missing, in.MissingLevel, in.Nodes()
	}
	absent := g.op("Less", code, g.whole(0))
	levelled := g.op("And", absent, g.truths(own...)) // has a function without a level
	without = g.op("Or", g.op("And", absent, g.op("Not", levelled)), g.op("Greater", code, g.int64s([]int{n, 1}, last...)))
	inside = g.op("Or",
		g.op("And", g.op("Not", absent), g.op("LessOrEqual", code, g.int64s([]int{n, 1}, known...))),
		g.op("And", absent, g.truths(missing...)))
	node = g.pick(levelled, g.int64s([]int{n, 1}, beyond...), g.pick(without, g.whole(0), g.op("Min", code, g.int64s([]int{n, 1}, known...))))
	return node, without, inside
}

// and returns the columns with further numbers after them, [1, rows] each.
func (c *columns) and(g *graph, more []box.Input, v []value) *columns {
	out := *c
	out.inputs, out.row = slices.Clone(c.inputs), slices.Clone(c.row)
	for _, in := range more {
		out.inputs, out.row = append(out.inputs, in), append(out.row, out.count[0])
		out.count[0]++
	}
	out.numbers = g.below(c.numbers, v...)
	return &out
}

// and returns the coordinates with those of further numbers after them, [1, rows] each.
func (s scaled) and(g *graph, more []box.Input, t, unknown []value) scaled {
	s.columns = s.columns.and(g, more, t)
	s.t, s.unknown = g.below(s.t, t...), g.below(s.unknown, unknown...)
	return s
}

// below joins rows, of which the first may be none.
func (g *graph) below(first value, more ...value) value {
	if first == "" {
		return g.concat(0, more...)
	}
	return g.concat(0, append([]value{first}, more...)...)
}

// tensorNames returns the name of the tensor of every column: its own, unless that is what an
// output is called.
func tensorNames(fields []table.Field, outputs []string) map[string]string {
	taken, of := map[string]bool{}, map[string]string{}
	for _, name := range outputs {
		taken[name] = true
	}
	for _, f := range fields {
		if !taken[f.Name] {
			taken[f.Name], of[f.Name] = true, f.Name
		}
	}
	for _, f := range fields {
		if _, ok := of[f.Name]; ok {
			continue
		}
		name := table.FreeName("column "+f.Name, func(name string) bool { return taken[name] })
		taken[name], of[f.Name] = true, name
	}
	return of
}
