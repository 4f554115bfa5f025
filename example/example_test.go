package example_test

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"math"
	"strings"
	"testing"

	"beziergp/example"
	"beziergp/internal/testkit"
)

// The digest is that of the first table drawn, on amd64.
func TestTheTableHasTheSameBytesEverywhere(t *testing.T) {
	var b bytes.Buffer
	if err := example.Write(&b, example.Orders()); err != nil {
		t.Fatal(err)
	}
	const want = "cd6510e2f7569cc9b2260c98a4fc7c3235a91098c9831f5c4439998cfb8484b9"
	if got := fmt.Sprintf("%x", sha256.Sum256(b.Bytes())); got != want {
		t.Errorf("SHA-256 %s; the figures of the demo are of %s", got, want)
	}
}

// The moments and the density of the law stand apart: one is the integral of the other.
func TestLaw(t *testing.T) {
	for i, o := range example.Orders()[:5] {
		// Simpson's rule from before the certain part to where nothing is left.
		const steps = 20000
		low, high := o.Mean()-2*o.Std(), o.Mean()+25*o.Std()
		h := (high - low) / steps
		var mass, mean, square float64
		for k := range steps + 1 {
			y := low + float64(k)*h
			w := h / 3 * float64(2+2*(k%2))
			p := w * math.Exp(o.LogDensity(y))
			mass, mean, square = mass+p, mean+p*y, square+p*(y-o.Mean())*(y-o.Mean())
		}
		testkit.Close(t, fmt.Sprintf("mass of order %d", i), mass, 1, 1e-8, 0)
		testkit.Close(t, fmt.Sprintf("mean of order %d", i), mean, o.Mean(), 1e-8, 0)
		testkit.Close(t, fmt.Sprintf("deviation of order %d", i), math.Sqrt(square), o.Std(), 1e-6, 0)
	}
}

func TestOrdersFollowTheLaw(t *testing.T) {
	orders := example.Orders()
	var mean, square float64
	for _, o := range orders {
		z := (o.Minutes - o.Mean()) / o.Std()
		mean, square = mean+z/example.Rows, square+z*z/example.Rows
		if l := o.LogDensity(o.Minutes); math.IsInf(l, 0) || math.IsNaN(l) {
			t.Errorf("%+v has no density", o)
		}
	}
	// Standard errors of n draws: 1/√n, and √((kurtosis−1)/n) with the kurtosis 3 + 6/3.
	testkit.Close(t, "mean of the standardised delays", mean, 0, 0, 4/math.Sqrt(example.Rows))
	testkit.Close(t, "variance of the standardised delays", square, 1, 0, 4*math.Sqrt(4.0/example.Rows))
	rmse, nlpd := example.Bound(orders)
	if !(rmse > 1.5 && rmse < 2.5 && nlpd > 1.5 && nlpd < 2.2) {
		t.Errorf("the law scores RMSE %g, NLPD %g", rmse, nlpd)
	}
}

// The table has what tables have: kinds, gaps, rare levels, skew, and a hole.
func TestTable(t *testing.T) {
	orders := example.Orders()
	data, err := example.Table(orders)
	if err != nil {
		t.Fatal(err)
	}
	var kinds []string
	for _, name := range data.Names() {
		field, _ := data.Field(name)
		kinds = append(kinds, name+" "+string(field.Kind))
	}
	if got, want := strings.Join(kinds, ", "), "ordered datetime, courier category, zone category, distance_km numeric, items numeric, weight_kg numeric, rain_mm numeric, minutes numeric"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if data.Rows() != example.Rows {
		t.Errorf("%d rows", data.Rows())
	}
	weights, _ := data.Column("weight_kg")
	missing, far, wet, couriers := 0, 0, 0, map[string]int{}
	for i, o := range orders {
		if math.IsNaN(weights[i]) {
			missing++
		}
		if o.Distance > example.HoleDistance {
			far++
		}
		if o.Rain > example.HoleRain {
			wet++
		}
		if o.InHole() {
			t.Errorf("%+v lies in the hole", o)
		}
		couriers[o.Courier]++
	}
	if missing < 300 || far < 300 || wet < 200 || len(couriers) != 11 || couriers["Kofi"] > 20 {
		t.Errorf("%d weights are missing, %d orders are far, %d in rain, by couriers %v", missing, far, wet, couriers)
	}
	for _, o := range example.Hole() {
		if !o.InHole() {
			t.Errorf("%+v lies outside the hole", o)
		}
	}
}

func TestSplit(t *testing.T) {
	orders := example.Orders()
	training, heldOut := example.Split(orders)
	test := example.Test(orders)
	if len(training) != 2400 || len(heldOut) != 600 || len(test) != example.Rows {
		t.Fatalf("%d and %d of %d", len(training), len(heldOut), len(test))
	}
	for i, o := range orders {
		var got example.Order
		if test[i] {
			got, heldOut = heldOut[0], heldOut[1:]
		} else {
			got, training = training[0], training[1:]
		}
		if got != o {
			t.Fatalf("order %d: %+v, want %+v", i, got, o)
		}
	}
}
