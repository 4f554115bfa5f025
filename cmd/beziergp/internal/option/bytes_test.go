package option

import "testing"

func TestBytes(t *testing.T) {
	for text, want := range map[string]int64{"1": 1, "512MiB": 512 << 20, "2GB": 2e9, "1.5g": 3 << 29, "100 kb": 1e5} {
		var got int64
		if err := Bytes(&got).Set(text); err != nil || got != want {
			t.Errorf("%s: %d, %v; want %d", text, got, err, want)
		}
	}
	for _, text := range []string{"", "GB", "-1", "0", "1XB", "NaN", "1e40", "1 2"} {
		var got int64
		if err := Bytes(&got).Set(text); err == nil {
			t.Errorf("%q is accepted as %d", text, got)
		}
	}
}
