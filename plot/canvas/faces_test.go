package canvas

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"testing"

	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
)

var update = flag.Bool("update", false, "write widths.txt from the fonts that are installed")

// installed returns the fonts of Faces, regular and bold; nil where one is not there.
func installed(t *testing.T) (fonts [2 * len(Faces)]*sfnt.Font) {
	t.Helper()
	const dir = "/usr/share/fonts/truetype/"
	for i, path := range []string{
		dir + "liberation/LiberationSans-Regular.ttf", dir + "liberation/LiberationSans-Bold.ttf",
		dir + "dejavu/DejaVuSans.ttf", dir + "dejavu/DejaVuSans-Bold.ttf", "", "",
	} {
		file := [...][]byte{2 * Go: goregular.TTF, 2*Go + 1: gobold.TTF}[i]
		if path != "" {
			var err error
			if file, err = os.ReadFile(path); err != nil {
				continue
			}
		}
		parsed, err := sfnt.Parse(file)
		if err != nil {
			t.Fatal(err)
		}
		fonts[i] = parsed
	}
	return fonts
}

// thousandths returns the width of a character in a font, rounded up; 0 where the font
// lacks it.
func thousandths(t *testing.T, f *sfnt.Font, r rune) int {
	t.Helper()
	var b sfnt.Buffer
	glyph, err := f.GlyphIndex(&b, r)
	if err != nil {
		t.Fatal(err)
	}
	if glyph == 0 {
		return 0
	}
	units := int(f.UnitsPerEm())
	advance, err := f.GlyphAdvance(&b, glyph, fixed.I(units), font.HintingNone)
	if err != nil {
		t.Fatal(err)
	}
	return (1000*int(advance)/64 + units - 1) / units
}

// The table has the widths of the fonts themselves. A character that a font lacks is
// shown in another: it counts as wide as the widest of them.
func TestWidthsAreThoseOfTheFonts(t *testing.T) {
	fonts := installed(t)
	if *update {
		writeWidths(t, fonts)
		return
	}
	compared := 0
	for r, widths := range advances() {
		widest := 0
		for _, w := range widths {
			widest = max(widest, w)
		}
		for i, f := range fonts {
			if f == nil {
				continue
			}
			if want := thousandths(t, f, r); want > 0 && widths[i] != want || want == 0 && widths[i] > widest {
				t.Errorf("%q in font %d: %d, want %d", r, i, widths[i], want)
			}
			compared++
		}
	}
	if compared < 2*400 {
		t.Errorf("%d widths compared", compared)
	}
}

func writeWidths(t *testing.T, fonts [2 * len(Faces)]*sfnt.Font) {
	var out bytes.Buffer
	out.WriteString("Widths of characters in thousandths of the size of the font, written by go test -run Widths -update:\n" +
		"code point, then Liberation Sans, DejaVu Sans and Go, each regular and bold\n")
	for _, span := range [][2]rune{
		{' ', '~'}, {0xa0, 0x17f}, {'Α', 'ώ'}, {'ϑ', 'ϑ'}, {'Ё', 'ё'}, {'‐', '…'}, {'‰', '‰'}, {'⁰', '₉'}, {'€', '€'},
		{'←', '↓'}, {'∂', '∂'}, {'∆', '∆'}, {'∏', '√'}, {'∞', '∞'}, {'∫', '∫'}, {'≈', '≈'}, {'≠', '≥'},
	} {
		for r := span[0]; r <= span[1]; r++ {
			var widths [2 * len(Faces)]int
			widest := 0
			for i, f := range fonts {
				if f == nil {
					t.Fatalf("font %d is not installed", i)
				}
				widths[i] = thousandths(t, f, r)
				widest = max(widest, widths[i])
			}
			if widest == 0 {
				continue
			}
			fmt.Fprintf(&out, "%04x", r)
			for _, w := range widths {
				if w == 0 {
					w = widest
				}
				fmt.Fprintf(&out, " %d", w)
			}
			out.WriteString("\n")
		}
	}
	if err := os.WriteFile("widths.txt", out.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
}
