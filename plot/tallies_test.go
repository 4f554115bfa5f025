package plot

import (
	"strings"
	"testing"
)

func talliesOf(rows int) Tallies {
	o := Tallies{Kinds: [4]string{"better", "no difference", "worse", "not tested"}, Columns: []string{"RMSE", "CRPS"}}
	for k := range rows {
		o.Rows = append(o.Rows, TallyRow{Name: "rival " + strings.Repeat("x", k), Counts: [][4]int{{7, 11, 13, 17}, {0, 48, 0, 0}}})
	}
	return o
}

// Every count that is not 0 stands in its bar, and every rival and kind is named.
func TestTalliesTellTheirCounts(t *testing.T) {
	picture := svg(t)(talliesOf(2).Draw())
	for text, want := range map[string]int{
		">7<": 2, ">11<": 2, ">13<": 2, ">17<": 2, ">48<": 2, ">0<": 0, ">rival <": 1, ">rival x<": 1, ">no difference<": 1, ">RMSE<": 1, ">CRPS<": 1,
	} {
		if got := strings.Count(picture, text); got != want {
			t.Errorf("%q stands %d times, want %d", text, got, want)
		}
	}
}

func TestWhatNoTalliesShow(t *testing.T) {
	short, below := talliesOf(1), talliesOf(1)
	short.Rows[0].Counts = short.Rows[0].Counts[:1]
	below.Rows[0].Counts[0][1] = -1
	for want, o := range map[string]Tallies{"no row to draw": {}, "1 bars in 2 columns": short, "a count of -1": below} {
		if _, err := o.Draw(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one about %s", err, want)
		}
	}
}
