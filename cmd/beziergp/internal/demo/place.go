package demo

import (
	"bytes"
	"errors"
	"io/fs"
	"os"

	"beziergp/cmd/beziergp/internal/exit"
	"beziergp/cmd/beziergp/internal/sink"
)

// outputs are the files that the verbs write.
var outputs = []string{"model.bgp", "predictions.csv", "predicted.svg", "calibration.svg", "predicted.png", "calibration.png", "sgpr.bgp", "linear.bgp"}

// claim refuses a folder with files that would be replaced and that no demo has
// written. Inputs are known by their content. Outputs, which are never there before all
// inputs are, are known by standing beside them.
func (d demo) claim(inputs []input) error {
	if info, err := os.Stat(d.Dir); err != nil || !info.IsDir() {
		return nil // it is new, or making it tells what is wrong
	}
	filled := true
	for _, file := range inputs {
		path := d.path(file.name)
		if _, err := os.Lstat(path); errors.Is(err, fs.ErrNotExist) {
			filled = false
		} else if !holds(path, file.content) {
			return exit.Usagef("%s would be replaced, and it is not what a demo of this version writes: name another folder with --dir", path)
		}
	}
	for _, name := range outputs {
		path := d.path(name)
		if info, err := os.Lstat(path); errors.Is(err, fs.ErrNotExist) {
			continue
		} else if !filled || err != nil || !info.Mode().IsRegular() {
			return exit.Usagef("%s would be replaced, and nothing shows that a demo has written it: name another folder with --dir", path)
		}
	}
	return nil
}

// holds tells whether a file has this content.
func holds(path string, content []byte) bool {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() || info.Size() != int64(len(content)) {
		return false
	}
	found, err := os.ReadFile(path)
	return err == nil && bytes.Equal(found, content)
}

// apart refuses a folder in which links make one file of two.
func (d demo) apart(inputs []input) error {
	var files []sink.File
	for _, file := range inputs {
		files = append(files, sink.Writes("--dir", d.path(file.name)))
	}
	for _, name := range outputs {
		files = append(files, sink.Writes("--dir", d.path(name)))
	}
	return sink.Apart(d.In, d.Out, files...)
}
