package main

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"beziergp/internal/testkit"
	"beziergp/plot/canvas"
)

const directory = "../../docs/pictures"

// The pictures of the documentation are those that this program draws. Kernels of
// different instruction sets differ in a last digit, and training carries that
// on, so numbers may differ: by half a percent of the width where there is a fit
// in the picture, by a hundredth of a point where there is none.
func TestPicturesAreFresh(t *testing.T) {
	for _, p := range pictures() {
		t.Run(p.file, func(t *testing.T) {
			tolerance := 0.01
			if p.trained {
				if testing.Short() {
					t.Skip("trains")
				}
				if p.file == "likelihoods.svg" {
					testkit.Long(t)
				}
				tolerance = 0.005 * 660
			}
			want, err := os.ReadFile(filepath.Join(directory, p.file))
			if err != nil {
				t.Fatal(err)
			}
			var got bytes.Buffer
			if err := svg(&got, p); err != nil {
				t.Fatal(err)
			}
			if !isXML(got.Bytes()) {
				t.Errorf("%s is not well-formed XML", p.file)
			}
			if !alike(got.Bytes(), want, tolerance) {
				t.Errorf("%s is not what go generate draws; run go generate ./plot and look at it", p.file)
			}
		})
	}
}

// svg draws a picture.
func svg(w io.Writer, p picture) error {
	drawn, err := p.draw()
	if err != nil {
		return err
	}
	return drawn.Encode(w, canvas.SVG)
}

var (
	colour = regexp.MustCompile(`#[0-9a-f]{6}`)
	number = regexp.MustCompile(`\d+(\.\d+)?(e[+-]\d+)?`)
	line   = regexp.MustCompile(` d="[MLHVZz0-9.,e+-]*"`)
	stroke = regexp.MustCompile(`[MLHVZz][^MLHVZz"]*`)
)

// straight returns a picture with every straight line given by both coordinates of its end: a line that
// is level to the last digit on one machine, and so has one coordinate there, may not be on another.
func straight(picture []byte) []byte {
	return line.ReplaceAllFunc(picture, func(path []byte) []byte {
		var x, y string
		return stroke.ReplaceAllFunc(path, func(to []byte) []byte {
			switch text := string(to[1:]); to[0] {
			case 'M', 'L':
				x, y, _ = strings.Cut(text, ",")
				return to
			case 'H':
				x = text
			case 'V':
				y = text
			default:
				return to
			}
			return []byte("L" + x + "," + y)
		})
	})
}

// alike tells whether two pictures differ in colours and numbers only, and in
// those by no more than a tolerance.
func alike(a, b []byte, tolerance float64) bool {
	a, b = straight(colour.ReplaceAll(a, nil)), straight(colour.ReplaceAll(b, nil))
	if !bytes.Equal(number.ReplaceAll(a, nil), number.ReplaceAll(b, nil)) {
		return false
	}
	x, y := number.FindAll(a, -1), number.FindAll(b, -1)
	for i := range x {
		v, _ := strconv.ParseFloat(string(x[i]), 64)
		w, _ := strconv.ParseFloat(string(y[i]), 64)
		if math.Abs(v-w) > tolerance {
			return false
		}
	}
	return true
}

func TestAlike(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{`<path d="M0,12L3,4" style="fill:#00ff00"/>`, `<path d="M0,12.1L3,4" style="fill:#00ff11"/>`, true},
		{`<path d="M0,12L3,4"/>`, `<path d="M0,14L3,4"/>`, false},
		{`<path d="M0,12L3,4H5V7"/>`, `<path d="M0,12L3,4.1L5,4L5.2,7"/>`, true},
		{`<path d="M0,12L3,4H5V7"/>`, `<path d="M0,12L3,4L5,4L6,7"/>`, false},
		{`<path d="M0,12L3,4H5"/>`, `<path d="M0,12L3,4"/>`, false},
		{`<path d="M0,12L3,4"/>`, `<path d="M0,12L3"/>`, false},
		{`<text>a</text>`, `<text>b</text>`, false},
	} {
		if alike([]byte(c.a), []byte(c.b), 0.5) != c.want {
			t.Errorf("%s and %s: not %t", c.a, c.b, c.want)
		}
	}
}

// isXML tells whether b is well-formed.
func isXML(b []byte) bool {
	for d := xml.NewDecoder(bytes.NewReader(b)); ; {
		if _, err := d.Token(); err != nil {
			return err == io.EOF
		}
	}
}

// Drawn again, a picture has the same bytes. That a fit has is a matter of train.
func TestPicturesAreDeterministic(t *testing.T) {
	for _, p := range pictures() {
		if p.trained {
			continue
		}
		var first, second bytes.Buffer
		if err := errors.Join(svg(&first, p), svg(&second, p)); err != nil {
			t.Fatalf("%s: %v", p.file, err)
		}
		if !bytes.Equal(first.Bytes(), second.Bytes()) {
			t.Errorf("%s: drawn twice, it differs", p.file)
		}
	}
}
