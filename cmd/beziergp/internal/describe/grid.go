package describe

import (
	"strings"
	"unicode/utf8"
)

// grid is aligned text: the first column and those from left on to the left, the others to
// the right.
type grid struct {
	head     []string
	rows     [][]string
	left     int   // 0 for none but the first
	optional []int // columns that are left out, in this order, where a line has no room
}

const gap = 2

// write writes it within so many characters, 0 for any, as far as can be.
func (g grid) write(b *strings.Builder, width int) {
	lines := append([][]string{g.head}, g.rows...)
	widths := make([]int, len(g.head))
	for i, line := range lines {
		for j, cell := range line {
			if i > 0 || g.hasHeads() || j > 0 { // a title alone may run over what is beside it
				widths[j] = max(widths[j], utf8.RuneCountInString(cell))
			}
		}
	}
	out := make([]bool, len(widths))
	for _, j := range g.optional {
		if total(widths, out) > width && width > 0 {
			out[j] = true
		}
	}
	for _, line := range lines {
		text := ""
		for j, cell := range line {
			if out[j] {
				continue
			}
			pad := strings.Repeat(" ", max(0, widths[j]-utf8.RuneCountInString(cell)))
			switch {
			case j == 0:
				text += cell + pad
			case g.left > 0 && j >= g.left:
				text += strings.Repeat(" ", gap) + cell + pad
			default:
				text += strings.Repeat(" ", gap) + pad + cell
			}
		}
		b.WriteString(strings.TrimRight(text, " ") + "\n")
	}
}

// hasHeads tells whether columns have heads of their own.
func (g grid) hasHeads() bool { return len(g.head) < 2 || g.head[1] != "" }

// total is the length of a line.
func total(widths []int, out []bool) int {
	sum := -gap
	for j, w := range widths {
		if !out[j] {
			sum += gap + w
		}
	}
	return sum
}
