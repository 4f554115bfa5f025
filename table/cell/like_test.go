package cell

import "testing"

func TestTextsLikeNumbersAndTimes(t *testing.T) {
	for text, want := range map[string]string{
		"$1,200": "number", "12%": "number", "12 %": "number", "5 kg": "number", "1'000.50": "number", "€3": "number", "-$4": "number",
		"3/4/2024": "time", "31.12.2024": "time", "2024/02/29": "time", "5/13/2024 12:00": "time", "03-Jan-2024": "time",
		"12": "", "red": "", "A12": "", "": "", "12 o'clock sharp": "", "1.2.3": "", "<=50K": "", "10-20": "", "2024-02-29": "", "%": "",
	} {
		got := ""
		if LikeNumber(text) {
			got = "number"
		}
		if LikeTime(text) {
			got += "time"
		}
		if got != want {
			t.Errorf("%q is like a %q, want %q", text, got, want)
		}
	}
}
