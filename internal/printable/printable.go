// Package printable makes texts that come from files fit to be read by people: names
// of columns, cells, paths, words of libraries. They may hold escape sequences that
// take a terminal over, marks that turn the direction of writing round, line ends that
// forge a line of ours, and a megabyte. What programs read is left alone.
package printable

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// The most characters that are shown.
const (
	mostName    = 80
	mostWords   = 300
	mostLine    = 2000
	mostMessage = 4000
)

// Name returns a name, or a cell, on one line and not too long.
func Name(text string) string { return escape(cut(text, mostName), false) }

// Quoted is Name in quotation marks, as Go quotes.
func Quoted(text string) string { return strconv.Quote(cut(text, mostName)) }

// Words returns what a library has to say, on one line.
func Words(text string) string {
	return escape(cut(strings.Join(strings.Fields(text), " "), mostWords), false)
}

// Line returns a text on one line, as a path or a sentence is.
func Line(text string) string { return escape(cut(text, mostLine), false) }

// Message returns a text whose line ends are meant.
func Message(text string) string { return escape(cut(text, mostMessage), true) }

// cut takes the middle out of a text of too many characters and says how many it had.
func cut(text string, most int) string {
	if len(text) <= most {
		return text
	}
	n := utf8.RuneCountInString(text)
	if n <= most {
		return text
	}
	head, tail := 0, len(text)
	for range most / 2 {
		_, size := utf8.DecodeRuneInString(text[head:])
		head += size
		_, size = utf8.DecodeLastRuneInString(text[:tail])
		tail -= size
	}
	return fmt.Sprintf("%s…(%d characters)…%s", text[:head], n, text[tail:])
}

// escape writes what is not printable as Go does in a string.
func escape(text string, lines bool) string {
	shown := func(r rune) bool { return unicode.IsPrint(r) || lines && r == '\n' }
	if utf8.ValidString(text) && strings.IndexFunc(text, func(r rune) bool { return !shown(r) }) < 0 {
		return text
	}
	var b strings.Builder
	for len(text) > 0 {
		r, size := utf8.DecodeRuneInString(text)
		if shown(r) && !(r == utf8.RuneError && size == 1) {
			b.WriteString(text[:size])
		} else {
			quoted := strconv.Quote(text[:size])
			b.WriteString(quoted[1 : len(quoted)-1])
		}
		text = text[size:]
	}
	return b.String()
}

// JSON returns JSON whose strings say the same by characters that all are printable.
func JSON(text []byte) []byte {
	var b []byte
	for i, r := range string(text) {
		if r < utf8.RuneSelf && r != 0x7f || unicode.IsPrint(r) {
			if b != nil {
				b = utf8.AppendRune(b, r)
			}
			continue
		}
		if b == nil {
			b = append(b, text[:i]...)
		}
		if high, low := utf16.EncodeRune(r); high != unicode.ReplacementChar {
			b = fmt.Appendf(b, `\u%04x\u%04x`, high, low)
		} else {
			b = fmt.Appendf(b, `\u%04x`, r)
		}
	}
	if b == nil {
		return text
	}
	return b
}
