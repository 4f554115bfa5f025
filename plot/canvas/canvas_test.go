package canvas

import (
	"bytes"
	"encoding/xml"
	"image"
	"image/color"
	"image/png"
	"io"
	"math"
	"strings"
	"testing"
)

const (
	red  Ink = 0xff0000
	blue Ink = 0x0000ff
)

// sketch is a picture with a mark of every kind.
func sketch() *Canvas {
	c := New(100, 60)
	c.Fill(red, Rect{Point{10, 10}, Point{30, 20}}.Corners())
	c.Area(red, Pen{Width: 2, Ink: blue}, Rect{Point{40, 10}, Point{60, 20}}.Corners())
	c.Discs(blue, 4, Point{80, 15}, Point{90, 15})
	c.Stroke(Pen{Width: 2, Ink: red}, []Point{{10, 30}, {50, 30}, {50, 50}})
	c.Stroke(Pen{Width: 2, Ink: blue, Dashes: []float64{6, 4}}, []Point{{60, 30}, {90, 30}})
	return c
}

func encoded(t *testing.T, c *Canvas, f Format) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := c.Encode(&b, f); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func drawn(t *testing.T, c *Canvas) image.Image {
	t.Helper()
	img, err := png.Decode(bytes.NewReader(encoded(t, c, PNG)))
	if err != nil {
		t.Fatal(err)
	}
	return img
}

// at returns the ink of an image at a point of the picture that is so high.
func at(img image.Image, height, x, y float64) Ink {
	c := color.RGBAModel.Convert(img.At(int(x*pixels), int((height-y)*pixels))).(color.RGBA)
	return Ink(c.R)<<16 | Ink(c.G)<<8 | Ink(c.B)
}

// What a PNG has where, by hand: within areas, lines and discs, and just beyond.
func TestPNG(t *testing.T) {
	img := drawn(t, sketch())
	if size := img.Bounds().Size(); size != (image.Point{267, 160}) {
		t.Errorf("%v pixels for 100 by 60 points of 8/3 pixels", size)
	}
	for _, c := range []struct {
		x, y float64
		want Ink
	}{
		{11, 11, red}, {29, 19, red}, {9, 15, background}, {31, 15, background}, {20, 21, background},
		{50, 15, red}, {40, 15, blue}, {60, 15, blue}, {50, 10, blue}, {50, 20, blue}, {38, 15, background},
		{80, 18, blue}, {90, 15, blue}, {80, 20, background}, {85, 15, background},
		{11, 30, red}, {30, 30.6, red}, {30, 32, background}, {50, 30, red}, {50.5, 30.5, red}, {50, 49, red}, {50, 51, background}, {8, 30, background},
		{61, 30, blue}, {65, 30, blue}, {68, 30, background}, {72, 30, blue}, {78, 30, background}, {82, 30, blue}, {88, 30, background},
	} {
		if got := at(img, 60, c.x, c.y); got != c.want {
			t.Errorf("(%g, %g) is %v, want %v", c.x, c.y, got, c.want)
		}
	}
}

// ink returns where an image is not white, in points from the lower left.
func inked(img image.Image, height float64) (r Rect) {
	r = Rect{Point{math.Inf(1), math.Inf(1)}, Point{math.Inf(-1), math.Inf(-1)}}
	for y := range img.Bounds().Dy() {
		for x := range img.Bounds().Dx() {
			if red, _, _, _ := img.At(x, y).RGBA(); red < 0x8000 {
				px, py := float64(x)/pixels, height-float64(y)/pixels
				r = Rect{Point{min(r.Min.X, px), min(r.Min.Y, py)}, Point{max(r.Max.X, px), max(r.Max.Y, py)}}
			}
		}
	}
	return r
}

// Texts lie in the box that is told of them, whatever their anchor, and stand on the
// right side of their point.
func TestTextsOfPNG(t *testing.T) {
	for _, upright := range []bool{false, true} {
		for _, anchor := range []Anchor{Start, Middle, End} {
			for _, rise := range []Rise{Baseline, Center, Top} {
				c := New(200, 200)
				text := Text{At: Point{100, 100}, Anchor: anchor, Rise: rise, Size: 20, Ink: 0x000001, Upright: upright,
					Pieces: []Piece{{S: "Hxg"}, {S: "12", Index: true}, {S: "H"}}}
				c.Write(text)
				box, got := text.Box(Go), inked(drawn(t, c), 200)
				if got.Min.X < box.Min.X-1 || got.Min.Y < box.Min.Y-1 || got.Max.X > box.Max.X+1 || got.Max.Y > box.Max.Y+1 {
					t.Errorf("anchor %d, rise %d, upright %t: ink in %.1f, box %.1f", anchor, rise, upright, got, box)
				}
				long, _ := got.Size()
				if upright {
					_, long = got.Size()
				}
				if want := text.WidthIn(Go); math.Abs(long-want) > 4 {
					t.Errorf("anchor %d, upright %t: %.1f long, want %.1f", anchor, upright, long, want)
				}
			}
		}
	}
}

// The SVG is well-formed and says where things are; names cannot break out of it.
func TestSVG(t *testing.T) {
	c := sketch()
	c.Write(Text{At: Point{50, 40}, Anchor: Middle, Rise: Baseline, Size: 10, Ink: red, Bold: true, Pieces: []Piece{{S: "<a> & \"b\"\x00"}, {S: "i", Index: true}, {S: "c", Ink: blue}}})
	c.Write(Text{At: Point{5, 30}, Anchor: End, Size: 8, Upright: true, Pieces: []Piece{{S: "up"}}})
	svg := string(encoded(t, c, SVG))
	for d := xml.NewDecoder(strings.NewReader(svg)); ; {
		if _, err := d.Token(); err == io.EOF {
			break
		} else if err != nil {
			t.Fatalf("%v in\n%s", err, svg)
		}
	}
	for _, want := range []string{
		`width="100pt" height="60pt" viewBox="0 0 100 60"`, `'DejaVu Sans', Verdana, sans-serif"`,
		`<path fill="#ff0000" d="M10,50H30V40H10z"/>`,
		`<path fill="#ff0000" stroke="#0000ff" stroke-width="2" d="M40,50H60V40H40z"/>`,
		`<g fill="#0000ff"><circle cx="80" cy="45" r="4"/><circle cx="90" cy="45" r="4"/></g>`,
		`<path fill="none" stroke="#ff0000" stroke-width="2" d="M10,30H50V10"/>`,
		`stroke-dasharray="6 4" d="M60,30H90"/>`,
		`<text x="50" y="20" font-size="10" fill="#ff0000" text-anchor="middle" font-weight="bold" xml:space="preserve">&lt;a&gt; &amp; &#34;b&#34;` + "\uFFFD" +
			`<tspan font-size="7.2" dy="2.6">i</tspan><tspan dy="-2.6" fill="#0000ff">c</tspan></text>`,
		`text-anchor="end" transform="rotate(-90 5 30)">up</text>`,
	} {
		if !strings.Contains(svg, want) {
			t.Errorf("no %s in\n%s", want, svg)
		}
	}
}

func TestFormatOf(t *testing.T) {
	for path, want := range map[string]Format{"a.svg": SVG, "dir.png/b.SVG": SVG, "c.png": PNG} {
		if got, err := FormatOf(path); got != want || err != nil {
			t.Errorf("%s: %s, %v", path, got, err)
		}
	}
	for _, path := range []string{"a.pdf", "a", "-", "", "svg", "a.svg.gz", "dir.svg/a"} {
		if got, err := FormatOf(path); err == nil || !strings.Contains(err.Error(), ".svg or .png") {
			t.Errorf("%q is taken for %q: %v", path, got, err)
		}
	}
}

func TestClipLine(t *testing.T) {
	r := Rect{Point{0, 0}, Point{10, 10}}
	for _, c := range []struct {
		name string
		line []Point
		want [][]Point
	}{
		{"inside", []Point{{1, 1}, {2, 5}, {9, 9}}, [][]Point{{{1, 1}, {2, 5}, {9, 9}}}},
		{"across", []Point{{-5, 5}, {15, 5}}, [][]Point{{{0, 5}, {10, 5}}}},
		{"out and in", []Point{{5, 5}, {5, 15}, {7, 15}, {7, 5}}, [][]Point{{{5, 5}, {5, 10}}, {{7, 10}, {7, 5}}}},
		{"over a corner", []Point{{-1, 8}, {3, 12}}, [][]Point{{{0, 9}, {1, 10}}}},
		{"past", []Point{{-1, 11}, {11, 11}, {11, 12}}, nil},
		{"along the edge", []Point{{0, -5}, {0, 5}}, [][]Point{{{0, 0}, {0, 5}}}},
	} {
		got := r.ClipLine(c.line)
		same := len(got) == len(c.want)
		for i := 0; same && i < len(got); i++ {
			same = len(got[i]) == len(c.want[i])
			for k := 0; same && k < len(got[i]); k++ {
				same = math.Hypot(got[i][k].X-c.want[i][k].X, got[i][k].Y-c.want[i][k].Y) < 1e-12
			}
		}
		if !same {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

// What is left of a polygon has the area that is inside, by counting points of a grid.
func TestClipArea(t *testing.T) {
	r := Rect{Point{0, 0}, Point{10, 10}}
	for name, outline := range map[string][]Point{
		"inside": {{1, 1}, {9, 2}, {5, 8}}, "around": {{-5, -5}, {20, -5}, {20, 20}, {-5, 20}}, "triangle": {{5, 5}, {25, 5}, {5, 25}},
		"hollow": {{-5, 3}, {5, 6}, {15, 3}, {15, 8}, {5, 7}, {-5, 8}}, "outside": {{11, 1}, {12, 1}, {12, 3}},
	} {
		within, n := 0, 400
		for i := range n {
			for k := range n {
				p, odd := Point{10 * (float64(i) + 0.5) / float64(n), 10 * (float64(k) + 0.5) / float64(n)}, false
				for j, b := range outline {
					a := outline[(j+len(outline)-1)%len(outline)]
					if (a.Y > p.Y) != (b.Y > p.Y) && p.X < a.X+(p.Y-a.Y)/(b.Y-a.Y)*(b.X-a.X) {
						odd = !odd
					}
				}
				if odd {
					within++
				}
			}
		}
		area := 0.0
		left := r.ClipArea(outline)
		for j, b := range left {
			a := left[(j+len(left)-1)%len(left)]
			area += (a.X*b.Y - b.X*a.Y) / 2
		}
		if want := 100 * float64(within) / float64(n*n); math.Abs(math.Abs(area)-want) > 0.1 {
			t.Errorf("%s: an area of %g, want %g", name, math.Abs(area), want)
		}
	}
}
