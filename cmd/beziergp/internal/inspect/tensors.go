package inspect

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"os"
	"slices"

	"beziergp/internal/printable"
	"beziergp/internal/safetensors"
)

// tensor is one of a file.
type tensor struct {
	Name  string `json:"name"`
	Type  string `json:"type"`
	Shape []int  `json:"shape"`
	Bytes int    `json:"bytes"`
}

// readTensors fills in those of a file that holds a model, and its digest.
func (c *common) readTensors(path string) error {
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	f, err := safetensors.Read(bufio.NewReader(file))
	if err != nil {
		return err
	}
	c.Digest = f.Digest
	for name, t := range f.Tensors {
		own := tensor{name, "F32", t.Shape, 4 * len(t.Data)}
		if t.Wide != nil {
			own.Type, own.Bytes = "F64", 8*len(t.Wide)
		}
		c.Tensors = append(c.Tensors, own)
	}
	slices.SortFunc(c.Tensors, func(a, b tensor) int { return cmp.Compare(a.Name, b.Name) })
	return nil
}

// printTensors writes them.
func (c *common) printTensors(w io.Writer) {
	if c.Digest != "" {
		fmt.Fprintf(w, "digest\t%s\n", printable.Line(c.Digest))
	}
	if len(c.Tensors) == 0 {
		return
	}
	fmt.Fprint(w, "\ntensor\ttype\tshape\tsize\n")
	for _, t := range c.Tensors {
		fmt.Fprintf(w, "%s\t%s\t%v\t%s\n", printable.Name(t.Name), t.Type, t.Shape, printable.Size(int64(t.Bytes)))
	}
}
