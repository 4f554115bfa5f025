// Command beziergp fits Bézier Gaussian processes to tables and predicts with them.
package main

import (
	"os"

	"beziergp/cmd/beziergp/internal/cli"
)

func main() {
	code := cli.Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)
	os.Exit(code)
}
