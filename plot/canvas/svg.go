package canvas

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// families are the fonts that SVG is shown in, the first that there is.
const families = "'Liberation Sans', Arial, Helvetica, 'Noto Sans', 'DejaVu Sans', Verdana, sans-serif"

// writeSVG writes the picture as SVG.
func (c *Canvas) writeSVG(w io.Writer) error {
	s := &svg{bottom: c.Max.Y}
	width, height := number(c.Max.X), number(c.Max.Y)
	s.printf(`<svg xmlns="http://www.w3.org/2000/svg" width="%spt" height="%spt" viewBox="0 0 %s %s" font-family="%s" stroke-linejoin="round">`+"\n",
		width, height, width, height, families)
	s.printf(`<rect width="%s" height="%s" fill="%s"/>`+"\n", width, height, background)
	for _, m := range c.marks {
		s.mark(m)
	}
	for _, t := range c.texts {
		s.text(t)
	}
	s.printf("</svg>\n")
	_, err := s.WriteTo(w)
	return err
}

// svg is a document being written.
type svg struct {
	bytes.Buffer
	bottom float64 // the height of the picture: in SVG, heights are from the top
}

func (s *svg) printf(format string, values ...any) { fmt.Fprintf(s, format, values...) }

// String returns the ink as SVG has it.
func (i Ink) String() string { return fmt.Sprintf("#%06x", uint32(i)) }

// number writes a length to a hundredth.
func number(v float64) string {
	text := strings.TrimRight(strings.TrimRight(strconv.FormatFloat(v, 'f', 2, 64), "0"), ".")
	if text == "-0" {
		return "0"
	}
	return text
}

func (s *svg) mark(m mark) {
	if m.radius > 0 {
		s.printf(`<g fill="%s">`, m.fill)
		for _, p := range m.paths[0] {
			s.printf(`<circle cx="%s" cy="%s" r="%s"/>`, number(p.X), number(s.bottom-p.Y), number(m.radius))
		}
		s.printf("</g>\n")
		return
	}
	fill, end := "none", ""
	if m.fill != 0 {
		fill, end = m.fill.String(), "z"
	}
	s.printf(`<path fill="%s"`, fill)
	if m.pen.Width > 0 {
		s.printf(` stroke="%s" stroke-width="%s"`, m.pen.Ink, number(m.pen.Width))
	}
	if m.pen.Dashes != nil {
		var lengths []string
		for _, length := range m.pen.Dashes {
			lengths = append(lengths, number(length))
		}
		s.printf(` stroke-dasharray="%s"`, strings.Join(lengths, " "))
	}
	s.outline(m.paths, end)
}

// outline writes paths, each with an end: moves along one axis are shorter by a number.
func (s *svg) outline(paths [][]Point, end string) {
	s.printf(` d="`)
	for _, path := range paths {
		var x, y string
		for i, p := range path {
			fromX, fromY := x, y
			x, y = number(p.X), number(s.bottom-p.Y)
			switch {
			case i == 0:
				s.printf("M%s,%s", x, y)
			case y == fromY:
				s.printf("H%s", x)
			case x == fromX:
				s.printf("V%s", y)
			default:
				s.printf("L%s,%s", x, y)
			}
		}
		s.printf("%s", end)
	}
	s.printf("\"/>\n")
}

func (s *svg) text(t Text) {
	p := t.baseline()
	x, y := number(p.X), number(s.bottom-p.Y)
	s.printf(`<text x="%s" y="%s" font-size="%s" fill="%s"`, x, y, number(t.Size), t.Ink)
	if t.Anchor != Start {
		s.printf(` text-anchor="%s"`, [...]string{Middle: "middle", End: "end"}[t.Anchor])
	}
	if t.Bold {
		s.printf(` font-weight="bold"`)
	}
	if t.Upright {
		s.printf(` transform="rotate(-90 %s %s)"`, x, y)
	}
	if len(t.Pieces) > 1 {
		s.printf(` xml:space="preserve"`) // else some programs drop spaces between pieces
	}
	s.printf(">")
	shift := 0.0 // that the pieces before have left
	for _, piece := range t.Pieces {
		s.piece(t, piece, &shift)
	}
	s.printf("</text>\n")
}

func (s *svg) piece(t Text, p Piece, shift *float64) {
	attributes, wanted := "", 0.0
	if p.Index {
		attributes, wanted = fmt.Sprintf(` font-size="%s"`, number(index*t.Size)), lowered*t.Size
	}
	if wanted != *shift {
		attributes += fmt.Sprintf(` dy="%s"`, number(wanted-*shift))
		*shift = wanted
	}
	if p.Ink != 0 {
		attributes += fmt.Sprintf(` fill="%s"`, p.Ink)
	}
	if attributes == "" {
		xml.EscapeText(s, []byte(p.S))
		return
	}
	s.printf("<tspan%s>", attributes)
	xml.EscapeText(s, []byte(p.S))
	s.printf("</tspan>")
}
