package beziergp_test

import (
	"fmt"
	"log"

	"beziergp"
)

// A model of any kind is read; what is its kind's own is found by a type switch.
func ExampleLoad() {
	m, err := beziergp.Load("model/testdata/format4.bgp")
	if err != nil {
		log.Fatal(err)
	}
	switch m := m.(type) {
	case *beziergp.Model:
		fmt.Printf("%s by the recipe %s\n", m.Target().Name, m.Training().Recipe)
	case *beziergp.Rival:
		fmt.Printf("%s by the method %s\n", m.Target().Name, m.Method())
	}
	// Output: y by the recipe auto
}
