package example

import (
	"math"
	"math/rand/v2"
	"slices"
	"time"
)

// Order is a delivery.
type Order struct {
	Ordered       time.Time
	Courier, Zone string
	Distance      float64 // km
	Items         float64
	Weight        float64 // kg
	Weighed       bool    // the table has the weight
	Rain          float64 // mm in the hour
	Minutes       float64 // from order to door
}

type courier struct {
	name  string
	share float64 // of the orders
	speed float64 // relative
}

var couriers = []courier{
	{"Ada", 18, 1.1}, {"Bram", 16, 0.95}, {"Chloe", 14, 1.2}, {"Deniz", 13, 0.85}, {"Emre", 12, 1}, {"Femke", 10, 1.05},
	{"Goran", 8, 0.8}, {"Hana", 7, 1.15}, {"Ivo", 1, 0.9}, {"Jun", 0.6, 1.25}, {"Kofi", 0.4, 0.75},
}

type zone struct {
	name     string
	share    float64
	distance float64 // median, in km
	door     float64 // minutes from kerb to door
	slope    float64 // times that the way takes
}

var zones = []zone{
	{"centre", 34, 1.6, 5, 1}, {"campus", 22, 2.3, 2, 1}, {"harbour", 18, 3.2, 3, 1.05},
	{"north", 14, 4.2, 1.5, 1}, {"hills", 11, 4.8, 2.5, 1.3}, {"airport", 1, 8.5, 6, 0.8},
}

// rush returns how busy the streets are, from 0 to 1.
func (o Order) rush() float64 {
	hour := float64(o.Ordered.Hour()) + float64(o.Ordered.Minute())/60
	if day := o.Ordered.Weekday(); day == time.Saturday || day == time.Sunday {
		return 0.3 * math.Exp(-math.Pow((hour-15)/3, 2))
	}
	return math.Exp(-math.Pow((hour-17.5)/1.3, 2))
}

// kitchen returns how busy the kitchen is, from 0 to 1.
func (o Order) kitchen() float64 {
	hour := float64(o.Ordered.Hour()) + float64(o.Ordered.Minute())/60
	busy := 0.5
	if day := o.Ordered.Weekday(); day == time.Friday || day == time.Saturday {
		busy = 1
	}
	return busy * math.Exp(-math.Pow((hour-19.5)/1.2, 2))
}

// certain returns what an order takes without the delay, in minutes: the kitchen, the
// way and the door.
func (o Order) certain() float64 {
	z := zones[slices.IndexFunc(zones, func(z zone) bool { return z.name == o.Zone })]
	c := couriers[slices.IndexFunc(couriers, func(c courier) bool { return c.name == o.Courier })]
	speed := 22 * c.speed * (1 - 0.45*o.rush()) / (1 + 0.06*o.Rain) // km/h
	way := 60 * o.Distance / speed * z.slope
	return 6 + 9*o.kitchen() + 0.5*o.Items + way + z.door + 0.5*max(0, o.Weight-3)
}

// delay returns the scale θ of the delay, in minutes.
func (o Order) delay() float64 {
	return 0.5 + 0.1*o.Distance + 0.16*o.Rain + 0.25*o.Distance*o.rush()
}

// shape is that of the delay, which has the mean shape·θ and the deviation √shape·θ,
// and is skewed to the right by 2/√shape.
const shape = 3

// Mean returns the expected minutes.
func (o Order) Mean() float64 { return o.certain() + shape*o.delay() }

// Std returns the deviation of the minutes.
func (o Order) Std() float64 { return math.Sqrt(shape) * o.delay() }

// LogDensity returns the logarithm of the density of the minutes y: what lies over the
// certain part has the gamma distribution of shape 3,
//
//	p(t) = t² exp(−t/θ) / (2 θ³).
func (o Order) LogDensity(y float64) float64 {
	t, theta := y-o.certain(), o.delay()
	if t <= 0 {
		return math.Inf(-1)
	}
	return 2*math.Log(t) - t/theta - math.Log(2) - 3*math.Log(theta)
}

// draw returns minutes by the law: a gamma variable of shape 3 is the sum of three
// exponential ones.
func (o Order) draw(rng *rand.Rand) float64 {
	return o.certain() + o.delay()*(rng.ExpFloat64()+rng.ExpFloat64()+rng.ExpFloat64())
}
