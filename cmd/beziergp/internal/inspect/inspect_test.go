package inspect

import "testing"

// Levels are named most frequent first, rare ones never; a file of a former version tells
// of no shares.
func TestLevels(t *testing.T) {
	for want, in := range map[string]input{
		"2 levels: b 75 %, a 25 %": {Levels: []string{"a", "b"}, Shares: []float64{0.25, 0.75}},
		"9 levels: f 30 %, a 20 %, b 10 %, c 10 %, d 10 %, 1 more, 3 rare ones 10 %": {Levels: []string{"a", "b", "c", "d", "e", "f"}, Pooled: 3,
			Shares: []float64{0.2, 0.1, 0.1, 0.1, 0.1, 0.3, 0.1}},
		"3 levels: a, b, 1 rare ones": {Levels: []string{"a", "b"}, Pooled: 1},
		"always a 100 %":              {Levels: []string{"a"}, Shares: []float64{1}},
		`2 levels: \x1b[2J, b`:        {Levels: []string{"\x1b[2J", "b"}},
	} {
		if got := in.levels(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// What a column held is told by its inputs, by what a file of any version knows of them.
func TestValues(t *testing.T) {
	two, five, share := 2.0, 5.0, 0.125
	for want, parts := range map[string][]input{
		"2 to 5":                  {{Lo: 2, Hi: 5}},
		"always 2":                {{Lo: 2, Hi: 2, Constant: true}},
		"declared 0 to 9":         {{Lo: 0, Hi: 9, Declared: true}},
		"2 to 5, declared 0 to 9": {{Lo: 0, Hi: 9, Declared: true, Lowest: &two, Highest: &five}},
		"true in 12.5 %":          {{Kind: "boolean", Hi: 1, truth: &share}},
		"0 to 1":                  {{Kind: "boolean", Hi: 1}},
		"hour, weekday":           {{Name: "at.hour", Column: "at", Kind: "datetime"}, {Name: "at.weekday", Column: "at", Kind: "datetime"}},
		"1970-01-02 12:00:00 to 1970-01-03 00:00:00, by time, hour": {
			{Name: "at.time", Column: "at", Kind: "datetime", Lo: 1.5, Hi: 2}, {Name: "at.hour", Column: "at", Kind: "datetime"}},
		"x": {{Name: "x", Column: "longer than x", Kind: "datetime"}},
	} {
		if got := values(parts); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
