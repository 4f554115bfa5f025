// Command generate writes the example table to the file of its argument.
package main

import (
	"log"
	"os"

	"beziergp/example"
	"beziergp/internal/aside"
)

func main() {
	log.SetFlags(0)
	if len(os.Args) != 2 {
		log.Fatal("usage: generate FILE")
	}
	if err := aside.WriteFile(os.Args[1], example.Write); err != nil {
		log.Fatal(err)
	}
}
