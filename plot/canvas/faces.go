package canvas

import (
	_ "embed"
	"fmt"
	"strings"
	"sync"
)

// Face is a font that texts may be shown in.
type Face int

// The fonts whose widths are known. Arial and Helvetica have those of Liberation Sans.
// DejaVu Sans, and Verdana, which is like it, are the widest that programs fall back on.
// In a PNG texts are in Go.
const (
	Liberation Face = iota
	DejaVu
	Go
)

// Faces are all of them.
var Faces = [...]Face{Liberation, DejaVu, Go}

func (f Face) String() string { return [...]string{"Liberation Sans", "DejaVu Sans", "Go"}[f] }

// unknownAdvance is that of characters that are not in the table: of most scripts beyond
// it, as of Chinese, no character is wider.
const unknownAdvance = 1.0

//go:embed widths.txt
var widthsText string

// advances are widths in thousandths of the size, regular and bold for every Face.
var advances = sync.OnceValue(func() map[rune][2 * len(Faces)]int {
	all := map[rune][2 * len(Faces)]int{}
	for line := range strings.Lines(widthsText) {
		var r rune
		var w [2 * len(Faces)]int
		if _, err := fmt.Sscanf(line, "%x %d %d %d %d %d %d", &r, &w[0], &w[1], &w[2], &w[3], &w[4], &w[5]); err == nil {
			all[r] = w
		}
	}
	return all
})

// advance returns the width of a character as a share of the size of the font.
func (f Face) advance(r rune, bold bool) float64 {
	w, known := advances()[r]
	if !known {
		return unknownAdvance
	}
	if bold {
		return float64(w[2*f+1]) / 1000
	}
	return float64(w[2*f]) / 1000
}
