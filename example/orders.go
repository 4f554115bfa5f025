package example

import (
	"math"
	"math/rand/v2"
	"slices"
	"time"
)

const (
	// Rows is the number of orders.
	Rows = 3000
	days = 182
	seed = 2025
)

// Orders draws the orders, the same ones every time, by day and time. None lies in the
// hole: see [Order.InHole].
func Orders() []Order {
	orders := draw(Rows, rand.New(rand.NewPCG(seed, 0)), false)
	slices.SortStableFunc(orders, func(a, b Order) int { return a.Ordered.Compare(b.Ordered) })
	return orders
}

// Hole draws orders of the same law that lie in the hole, of which nobody has seen one.
func Hole() []Order {
	return draw(200, rand.New(rand.NewPCG(seed, 1)), true)
}

// The hole is the region without rows beyond this distance, in km, and this rain, in mm:
// nobody rides far in heavy rain.
const (
	HoleDistance = 4.0
	HoleRain     = 2.0
)

// InHole tells whether an order lies in the hole.
func (o Order) InHole() bool { return o.Distance > HoleDistance && o.Rain > HoleRain }

func draw(n int, rng *rand.Rand, hole bool) (orders []Order) {
	weather := rand.New(rand.NewPCG(seed, 2))
	wet := make([]float64, days) // mm in an hour, on average
	for day := range wet {
		if weather.Float64() < 0.45 {
			wet[day] = 0.5 + 2*weather.ExpFloat64()
		}
	}
	for len(orders) < n {
		if o := one(rng, wet); o.InHole() == hole {
			orders = append(orders, o)
		}
	}
	return orders
}

// one draws an order. All numbers are rounded as in the table before the minutes are
// drawn.
func one(rng *rand.Rand, wet []float64) (o Order) {
	day := rng.IntN(days)
	hour := 12.5 + 0.7*rng.NormFloat64()
	if rng.Float64() < 0.7 {
		hour = 18.7 + 1.6*rng.NormFloat64()
	}
	minute := int(60 * min(max(hour, 11), 22.5))
	o.Ordered = time.Date(2025, time.March, 3+day, 0, minute, 0, 0, time.UTC)
	z := pick(rng, zones, func(z zone) float64 { return z.share })
	o.Zone, o.Courier = z.name, pick(rng, couriers, func(c courier) float64 { return c.share }).name
	o.Distance = round(min(max(z.distance*math.Exp(0.4*rng.NormFloat64()), 0.5), 10), 2)
	for o.Items = 1; o.Items < 12 && rng.Float64() < 0.6; o.Items++ {
	}
	o.Weight = round(max(0.1, 0.7*o.Items*math.Exp(0.4*rng.NormFloat64())), 1)
	unweighed := 0.1
	if o.Courier == "Deniz" { // whose scale is broken half of the time
		unweighed = 0.5
	}
	o.Weighed = rng.Float64() >= unweighed
	if rng.Float64() < 0.7 {
		o.Rain = round(wet[day]*rng.ExpFloat64(), 1)
	}
	o.Minutes = round(o.draw(rng), 1)
	return o
}

// pick draws one of all by its share.
func pick[T any](rng *rand.Rand, all []T, share func(T) float64) T {
	total := 0.0
	for _, one := range all {
		total += share(one)
	}
	left := total * rng.Float64()
	for _, one := range all {
		if left -= share(one); left < 0 {
			return one
		}
	}
	return all[0]
}

func round(v float64, decimals int) float64 {
	scale := math.Pow10(decimals)
	return math.Round(v*scale) / scale
}
