package data

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
)

// Arm is a table of a robot's arm in a plane, whose links have the length 1/Links. Its
// inputs are the angles between each link and the one before, uniform in ±π/3; the target is the distance
// between the end of the arm and the point (1/2, 1/2). It is smooth, all inputs interact, and there is no noise.
type Arm struct{ Rows, Links int }

// Splits returns the number of splits that are drawn.
func (Arm) Splits(Places) (int, error) { return drawnSplits, nil }

// Ready writes the table and its mask.
func (a Arm) Ready(ctx context.Context, p Places) (Table, error) {
	return drawn(ctx, p, fmt.Sprintf("arm-%dx%d", a.Rows, a.Links), a.Rows, a.Links, func() func([]float64) float64 {
		rng := rand.New(rand.NewPCG(uint64(a.Rows), uint64(a.Links)))
		return func(angles []float64) float64 {
			for j := range angles {
				angles[j] = math.Pi / 3 * (2*rng.Float64() - 1)
			}
			return distance(angles)
		}
	})
}

// distance returns that of the end of an arm from (1/2, 1/2).
func distance(angles []float64) float64 {
	direction, x, y := 0.0, 0.0, 0.0
	length := 1 / float64(len(angles))
	for _, angle := range angles {
		direction += angle
		x += length * math.Cos(direction)
		y += length * math.Sin(direction)
	}
	return math.Hypot(x-0.5, y-0.5)
}
