package simd

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// beyond names registers that only AVX-512 has.
var beyond = regexp.MustCompile(`\b(Z[0-9]+|K[0-7]|[XY](1[6-9]|2[0-9]|3[01]))\b`)

// A machine that has AVX-512 runs what is named for AVX2 with any register, so that no other test fails there.
func TestAVX2HasSixteenRegisters(t *testing.T) {
	files, err := filepath.Glob("*_amd64.s")
	if err != nil || len(files) == 0 {
		t.Fatalf("%v, %d files of assembly", err, len(files))
	}
	wider := 0
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		function := ""
		for i, line := range strings.Split(string(text), "\n") {
			code, _, _ := strings.Cut(line, "//")
			if strings.HasPrefix(code, "TEXT") {
				function, _, _ = strings.Cut(strings.TrimPrefix(code, "TEXT ·"), "(")
			}
			register := beyond.FindString(code)
			switch {
			case register == "":
			case strings.HasSuffix(function, "AVX512"):
				wider++
			default:
				t.Errorf("%s:%d: %s has register %s: %s", name, i+1, function, register, strings.TrimSpace(code))
			}
		}
	}
	if wider == 0 {
		t.Error("no register of AVX-512 found anywhere")
	}
}
