package plot

import (
	"bytes"
	"fmt"
	"io"

	"codeberg.org/go-fonts/liberation/liberationsansbold"
	"codeberg.org/go-fonts/liberation/liberationsansregular"
	stdfont "golang.org/x/image/font"
	"golang.org/x/image/font/opentype"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgsvg"
)

// figure is a picture being drawn. Its origin is at the lower left.
type figure struct {
	draw.Canvas
	svg   *vgsvg.Canvas
	fonts text.Handler
}

// newFigure returns a white picture.
func newFigure(width, height vg.Length) (*figure, error) {
	fonts, err := fonts()
	if err != nil {
		return nil, err
	}
	svg := vgsvg.New(width, height)
	f := &figure{draw.New(svg), svg, text.Plain{Fonts: fonts}}
	f.FillPolygon(white, corners(f.Rectangle))
	return f, nil
}

const typeface = "Liberation"

// fonts returns the fonts that measure texts. They have the widths of Arial and
// Helvetica, which stand in for them where they are not installed.
func fonts() (*font.Cache, error) {
	var all font.Collection
	for _, f := range []struct {
		file []byte
		font font.Font
	}{
		{liberationsansregular.TTF, font.Font{}},
		{liberationsansbold.TTF, font.Font{Weight: stdfont.WeightBold}},
	} {
		face, err := opentype.Parse(f.file)
		if err != nil {
			return nil, fmt.Errorf("font of the pictures: %w", err)
		}
		f.font.Typeface, f.font.Variant = typeface, "Sans"
		all = append(all, font.Face{Font: f.font, Face: face})
	}
	return font.NewCache(all), nil
}

// writeTo writes the picture.
func (f *figure) writeTo(w io.Writer) error {
	var b bytes.Buffer
	if _, err := f.svg.WriteTo(&b); err != nil {
		return err
	}
	_, err := w.Write(bytes.ReplaceAll(b.Bytes(),
		[]byte("font-family:Liberation Sans;font-variant:normal;"),
		[]byte("font-family:'Liberation Sans',Arial,Helvetica,sans-serif;")))
	return err
}

// styleOf returns the style of a text whose point (x, y), as shares of its width
// and height from the lower left, is where it is put.
func (f *figure) styleOf(l lettering, x, y float64) draw.TextStyle {
	return draw.TextStyle{
		Color: l.color,
		Font: font.Font{
			Typeface: typeface, Variant: "Sans", Weight: l.weight, Size: l.size,
		},
		XAlign: draw.XAlignment(-x), YAlign: draw.YAlignment(-y),
		Handler: f.fonts,
	}
}

// write puts a text, the point (x, y) of its box at p.
func (f *figure) write(l lettering, p vg.Point, x, y float64, s string) {
	f.FillText(f.styleOf(l, x, y), p, s)
}

// width returns the width of a text.
func (f *figure) width(l lettering, s string) vg.Length { return f.styleOf(l, 0, 0).Width(s) }

// columns cuts a rectangle into n equal ones side by side.
func columns(r vg.Rectangle, n int, gap vg.Length) []vg.Rectangle {
	width := (r.Max.X - r.Min.X - gap*vg.Length(n-1)) / vg.Length(n)
	var parts []vg.Rectangle
	for i := range n {
		left := r.Min.X + vg.Length(i)*(width+gap)
		parts = append(parts, vg.Rectangle{
			Min: vg.Point{X: left, Y: r.Min.Y}, Max: vg.Point{X: left + width, Y: r.Max.Y},
		})
	}
	return parts
}

// inset returns r without margins.
func inset(r vg.Rectangle, left, right, bottom, top vg.Length) vg.Rectangle {
	r.Min.X, r.Max.X, r.Min.Y, r.Max.Y = r.Min.X+left, r.Max.X-right, r.Min.Y+bottom, r.Max.Y-top
	return r
}

func corners(r vg.Rectangle) []vg.Point {
	return []vg.Point{r.Min, {X: r.Max.X, Y: r.Min.Y}, r.Max, {X: r.Min.X, Y: r.Max.Y}}
}
