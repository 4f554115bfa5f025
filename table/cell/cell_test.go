package cell

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"beziergp/table"
)

// A text is a number where strconv says so, leaving out words, hexadecimal and
// underscores, and it is the same to the bit.
func checkNumber(t *testing.T, text string) {
	t.Helper()
	want, err := strconv.ParseFloat(text, 64)
	ok := err == nil && strings.Trim(text, "0123456789+-.eE") == ""
	if !ok {
		want = 0
	}
	if got, is := Number([]byte(text)); is != ok || is && math.Float64bits(got) != math.Float64bits(want) {
		t.Errorf("%q is %v, %v; want %v, %v", text, got, is, want, ok)
	}
}

func FuzzNumber(f *testing.F) {
	for _, seed := range []string{"", "-", ".", "-.5", "5.", "+1", "1e5", "0x1", "1_0", "inf", "NaN", "9007199254740993",
		"18446744073709551617", "0.00000000000000000000001", "123456789012345678901234567890", "1e400", "-0", "--1", "1.2.3", "1e"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) { checkNumber(t, text) })
}

func TestNumbersOfAllLengths(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 12))
	for range 200_000 {
		v := rng.Uint64() >> rng.IntN(64)
		text := strconv.FormatUint(v, 10)
		if cut := rng.IntN(len(text) + 1); rng.IntN(4) > 0 {
			text = text[:cut] + "." + strings.Repeat("0", rng.IntN(5)) + text[cut:]
		}
		checkNumber(t, text)
		checkNumber(t, "-"+text)
	}
}

func TestTime(t *testing.T) {
	for text, want := range map[string]float64{
		"1970-01-01": 0, "1970-01-02T00:00": 86400, "1970-01-01 00:00:01.5": 1.5, "1969-12-31T23:59:59Z": -1,
		"2024-02-29": 1709164800, "2024-02-29t13:45:30.25z": 1709214330.25, "2024-02-29T13:45:30+02:00": 1709207130,
		"2024-02-29T13:45:30-0130": 1709219730, "2024-02-29T13:45+02": 1709207100, "0000-01-01": -62167219200,
		"2024-02-29T13:45:30.1234567891": 1709214330 + 0.123456789,
		"2024-02-29 13:45:30 +02:00":     1709207130, "2024-02-29 13:45:30.25 UTC": 1709214330.25, "2024-02-29T13:45 gmt": 1709214300, "2024-02-29 13:45:30 Z": 1709214330, "2024-02-29T13:45:30utc": 1709214330,
	} {
		if got, ok := Time([]byte(text)); !ok || got != want {
			t.Errorf("%s is %v, %v; want %v", text, got, ok, want)
		}
	}
	for _, text := range []string{"", "2024", "2024-02", "2023-02-29", "2024-13-01", "2024-00-10", "2024-01-00", "2024-01-32", "24-01-01",
		"2024/01/01", "2024-01-01T", "2024-01-01T10", "2024-01-01T24:00", "2024-01-01T10:60", "2024-01-01T10:00:60",
		"2024-01-01T10:00:00.", "2024-01-01T10:00.5", "2024-01-01T10:00:00+25:00", "2024-01-01T10:00:00+", "2024-01-01X10:00", "-024-01-01",
		"2024-01-01T10:00:00 CET", "2024-01-01T10:00:00 UTC+1", "2024-01-01T10:00:00  UTC", "2024-01-01T10:00:00 ", "2024-01-01 UTC", "2024-01-01T10:00:00 +",
		"2024-01-01Z", "2024-01-01T-1:00"} {
		if got, ok := Time([]byte(text)); ok {
			t.Errorf("%q is %v", text, got)
		}
	}
}

func TestLevels(t *testing.T) {
	for text, want := range map[string]string{
		"red": "red", "1": "1", "1.0": "1", "1e0": "1", "-1.50": "-1.5", "007": "007", "00501": "00501", "+1": "+1", "True": "true",
		"FALSE": "false", "12345678901234567890": "12345678901234567890", "0.5": "0.5", "0": "0", "1e-7": "1e-07", "2024-01-01": "2024-01-01",
	} {
		if got := Level(text); got != want {
			t.Errorf("%q is the level %q, want %q", text, got, want)
		}
	}
}

// Words come back from JSON as they are, an empty list too, which is not the default.
func TestWordsInJSON(t *testing.T) {
	for _, list := range [][]string{{}, {"None"}, {"-999", "1900-01-01", "größe"}} {
		text, err := json.Marshal(map[string]*Words{"w": NewWords(list)})
		if err != nil {
			t.Fatal(err)
		}
		var back map[string]*Words
		if err := json.Unmarshal(text, &back); err != nil || !reflect.DeepEqual(back["w"], NewWords(list)) {
			t.Errorf("%s: %v, error %v", text, back["w"], err)
		}
	}
	var none *Words
	if err := json.Unmarshal([]byte(`{"w": 5}`), &struct{ W *Words }{none}); err == nil {
		t.Error("a number is a list of words")
	}
	for text, want := range map[string]bool{"": true, "-999": true, "-999.0": true, "-9.99e2": true, "999": false, "x": true, "X": false, "NA": false, "1900-01-01T00:00:00Z": true} {
		if got := NewWords([]string{" x ", "", "-999", "1900-01-01"}).Missing(table.Category, []byte(text)); got != want {
			t.Errorf("%q is missing: %v", text, got)
		}
	}
}
