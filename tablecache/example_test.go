package tablecache_test

import (
	"fmt"
	"log"
	"os"
	"path/filepath"

	"beziergp/table"
	"beziergp/tablecache"
)

// Rows from anywhere go to a cache part by part, and are read again in blocks.
// beziergp.FitCache learns from them.
func Example() {
	dir, err := os.MkdirTemp("", "example")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	// The second column has codes of levels.
	w, err := tablecache.Create(filepath.Join(dir, "rows"), []bool{false, true})
	if err != nil {
		log.Fatal(err)
	}
	for part := range 1000 {
		x, city := make([]float64, 100), make([]float64, 100)
		for i := range x {
			x[i], city[i] = float64(100*part+i), float64(i%2)
		}
		if err := w.Append([][]float64{x, city}, len(x)); err != nil {
			w.Abort()
			log.Fatal(err)
		}
	}
	c, err := w.Finish([]table.Field{
		{Name: "x"},
		{Name: "city", Kind: table.Category, Levels: []string{"Oslo", "Rome"}},
	}, make([][]float64, 2), "made up")
	if err != nil {
		log.Fatal(err)
	}
	defer c.Close()
	var b tablecache.Buffer
	last, err := c.Read(c.Blocks()-1, &b)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(c.Rows(), "rows, the last", b.Columns[0][last-1], "up to", c.Summary(0).Hi, "and by city", c.Summary(1).Counts)
	// Output: 100000 rows, the last 99999 up to 99999 and by city [50000 50000]
}
