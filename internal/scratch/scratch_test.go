package scratch_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"beziergp/internal/scratch"
)

// left makes a folder as a killed process leaves it: its lock is nobody's.
func left(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(os.TempDir(), "beziergp-1-2")
	if err := os.MkdirAll(filepath.Join(dir, "deep"), 0o700); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"beziergp.lock", "rows", "deep/rows"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("1234"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return !errors.Is(err, fs.ErrNotExist)
}

func TestSweepTakesWhatNobodyHolds(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("young files stay")
	}
	t.Setenv("TMPDIR", t.TempDir())
	alive, err := scratch.Create()
	if err != nil {
		t.Fatal(err)
	}
	defer alive.Remove()
	dead := left(t)
	other := filepath.Join(os.TempDir(), "beziergp-bench") // without a lock: not ours to judge
	if err := os.Mkdir(other, 0o700); err != nil {
		t.Fatal(err)
	}
	elsewhere := filepath.Join(t.TempDir(), "dead")
	if err := os.Rename(left(t), elsewhere); err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(os.TempDir(), "beziergp-3-4")
	if err := os.Symlink(elsewhere, link); err != nil {
		t.Skip("no symbolic links here: ", err)
	}
	dead = left(t)
	swept := scratch.Sweep()
	if len(swept) != 1 || swept[0].Path != dead || swept[0].Bytes != 12 || exists(dead) {
		t.Errorf("swept %v, want %s alone", swept, dead)
	}
	for _, path := range []string{alive.Path, other, elsewhere, filepath.Join(elsewhere, "rows")} {
		if !exists(path) {
			t.Errorf("%s is gone", path)
		}
	}
	if err := alive.Remove(); err != nil || exists(alive.Path) {
		t.Errorf("Remove: %v", err)
	}
}

func TestCreateSaysWhere(t *testing.T) {
	none := filepath.Join(t.TempDir(), "none")
	t.Setenv("TMPDIR", none)
	t.Setenv("TMP", none)
	if _, err := scratch.Create(); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("error %v", err)
	}
	if swept := scratch.Sweep(); swept != nil {
		t.Errorf("swept %v", swept)
	}
}
