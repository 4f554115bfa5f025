package record

import (
	"math"
	"slices"
	"testing"
)

func TestChanges(t *testing.T) {
	of := func(v float64) *float64 { return &v }
	before := Record{RMSE: of(2), NLPD: of(-0.5), Coverage95: of(0.75), FitSeconds: 3}
	for _, c := range []struct {
		name  string
		after Record
		want  []Change
	}{
		{"the same", Record{RMSE: of(2), NLPD: of(-0.5), Coverage95: of(0.75), FitSeconds: 4}, nil},
		{"a score that was not known", Record{RMSE: of(2), NLPD: of(-0.5), Coverage95: of(0.75), CRPS: of(1)}, nil},
		{"an error, relative", Record{RMSE: of(3), NLPD: of(-0.5), Coverage95: of(0.75)}, []Change{{"RMSE", 2, 3, 0.5}}},
		{"nats and shares, not", Record{RMSE: of(2), NLPD: of(-0.75), Coverage95: of(0.5)}, []Change{{"NLPD", -0.5, -0.75, 0.25}, {"coverage", 0.75, 0.5, 0.25}}},
		{"by the last bit", Record{RMSE: of(math.Nextafter(2, 3)), NLPD: of(-0.5), Coverage95: of(0.75)}, []Change{{"RMSE", 2, math.Nextafter(2, 3), 0x1p-52}}},
	} {
		if got := before.Changes(c.after); !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
	for want, c := range map[string]Change{
		"RMSE 3 where it was 2":           {"RMSE", 2, 3, 0.5},
		"RMSE another by 2e-16":           {"RMSE", 2, math.Nextafter(2, 3), 0x1p-52},
		"log loss NaN where it was 0.125": {"log loss", 0.125, math.NaN(), math.Inf(1)},
	} {
		if got := c.String(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	lost := before.Changes(Record{NLPD: of(-0.5), Coverage95: of(0.75)})
	if len(lost) != 1 || lost[0].Score != "RMSE" || !math.IsNaN(lost[0].To) || !math.IsInf(lost[0].Magnitude, 1) {
		t.Errorf("a score that is lost: %v", lost)
	}
}
