package canvas

import (
	"errors"
	"io"
	"path/filepath"
	"strings"
)

// Format is a way to write a picture.
type Format string

// The formats; each is the ending of its files too.
const (
	SVG Format = "svg"
	PNG Format = "png"
)

// FormatOf returns the format that the ending of a file's name asks for.
func FormatOf(path string) (Format, error) {
	switch f := Format(strings.ToLower(strings.TrimPrefix(filepath.Ext(path), "."))); f {
	case SVG, PNG:
		return f, nil
	}
	return "", errors.New("pictures are written as .svg or .png, by the ending of the file’s name")
}

// Encode writes the picture in a format.
func (c *Canvas) Encode(w io.Writer, f Format) error {
	if f == PNG {
		return c.writePNG(w)
	}
	return c.writeSVG(w)
}
