package guard_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"beziergp/server/guard"
)

// What is wrong with a file of tokens names the file and the line, and not the token.
func TestFilesOfTokens(t *testing.T) {
	good, short := filepath.Join(t.TempDir(), "good"), filepath.Join(t.TempDir(), "short")
	for name, text := range map[string]string{good: "0123456789abcdef\n", short: "0123456789abcdef\n\nsecret\n"} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	_, err := guard.ReadTokens(good, short)
	if err == nil || !strings.HasPrefix(err.Error(), short+": line 3: ") || strings.Contains(err.Error(), "secret") {
		t.Errorf("error %v", err)
	}
}
