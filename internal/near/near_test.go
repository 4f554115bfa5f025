package near

import (
	"strings"
	"testing"
)

// What is a slip of the finger is near, and what is another name is not.
func TestNames(t *testing.T) {
	for _, c := range []struct{ name, have, want string }{
		{"prcie", "price rooms", "price"}, {"Price", "price", "price"}, {"efort", "effort from", "effort"},
		{"neighborhood", "Neighbourhood Neighbours", "Neighbourhood"}, {"temprture", "temperature pressure", "temperature"},
		{"fti", "fit eval", "fit"}, {"fitt", "fit", "fit"}, {"yy", "y x", "y"}, {"id", "di ip", "di"}, {"x1", "x x2 x10", "x x10"},
		{"room", "rooms broom zoom", "rooms broom zoom"},
		// Other names.
		{"x", "y z", ""}, {"co", "no so2", ""}, {"pm2", "pm5", ""}, {"target", "market", ""}, {"age", "sex wag ace", ""},
		{"rate", "dates", ""}, {"foo", "fit", ""}, {"depth", "width", ""}, {"", "y", ""}, {strings.Repeat("a", 300), strings.Repeat("a", 300), ""},
	} {
		if got := strings.Join(Names(c.name, strings.Fields(c.have)), " "); got != c.want {
			t.Errorf("%q of %q: %q, want %q", c.name, c.have, got, c.want)
		}
	}
}

// Edits are a distance, and that of the fewest steps for short words.
func TestEdits(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want int
	}{{"", "", 0}, {"", "abc", 3}, {"ab", "ba", 1}, {"abcd", "acbd", 1}, {"abc", "abd", 1}, {"kitten", "sitting", 3}, {"ca", "abc", 3}} {
		for _, p := range [][2]string{{c.a, c.b}, {c.b, c.a}} {
			if got := edits([]rune(p[0]), []rune(p[1])); got != c.want {
				t.Errorf("%q and %q are %d edits apart, want %d", p[0], p[1], got, c.want)
			}
		}
	}
}
