package atomicfile_test

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"beziergp/internal/atomicfile"
)

func put(t *testing.T, path, content string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
}

// holds checks the content of a file and that its directory holds names alone.
func holds(t *testing.T, path, want string, names ...string) {
	t.Helper()
	got, err := os.ReadFile(path)
	if err != nil || string(got) != want {
		t.Errorf("%s holds %q, %v; want %q", filepath.Base(path), got, err, want)
	}
	entries, err := os.ReadDir(filepath.Dir(path))
	if err != nil {
		t.Fatal(err)
	}
	var have []string
	for _, e := range entries {
		have = append(have, e.Name())
	}
	if strings.Join(have, " ") != strings.Join(names, " ") {
		t.Errorf("the directory holds %q, want %q", have, names)
	}
}

func say(text string) func(io.Writer) error {
	return func(w io.Writer) error {
		_, err := io.WriteString(w, text)
		return err
	}
}

func TestWriteFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "out.csv")
	if err := atomicfile.WriteFile(path, say("new")); err != nil {
		t.Fatal(err)
	}
	holds(t, path, "new", "out.csv")
	if err := atomicfile.WriteFile(path, say("newer")); err != nil {
		t.Fatal(err)
	}
	holds(t, path, "newer", "out.csv")
}

func TestFormerContentStaysUntilCommit(t *testing.T) {
	path := filepath.Join(t.TempDir(), "out.csv")
	put(t, path, "former")
	f, err := atomicfile.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Abort()
	fmt.Fprint(f, strings.Repeat("x", 1<<18)) // more than any buffer
	if got, _ := os.ReadFile(path); string(got) != "former" {
		t.Errorf("before Commit the file holds %d other bytes", len(got))
	}
	others, _ := filepath.Glob(path + ".*")
	if len(others) != 1 {
		t.Errorf("files beside the target: %q", others)
	}
	f.Abort()
	f.Abort()
	holds(t, path, "former", "out.csv")
	if _, err := f.Write([]byte("late")); !errors.Is(err, fs.ErrClosed) {
		t.Errorf("Write after Abort: %v", err)
	}
	if err := f.Commit(); !errors.Is(err, fs.ErrClosed) {
		t.Errorf("Commit after Abort: %v", err)
	}
}

func TestFailureLeavesFormerContent(t *testing.T) {
	failure := errors.New("out of ideas")
	for name, write := range map[string]func(io.Writer) error{
		"error": func(w io.Writer) error { io.WriteString(w, "half"); return failure },
		"panic": func(w io.Writer) error { io.WriteString(w, "half"); panic(failure) },
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "out.csv")
			put(t, path, "former")
			defer holds(t, path, "former", "out.csv")
			defer func() {
				if p := recover(); p != nil && p != any(failure) {
					t.Errorf("panic %v", p)
				}
			}()
			if err := atomicfile.WriteFile(path, write); err != failure {
				t.Errorf("error %v", err)
			}
		})
	}
}

func TestAbortAfterCommitKeepsTheFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "out.csv")
	f, err := atomicfile.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	fmt.Fprint(f, "whole")
	if err := f.Commit(); err != nil {
		t.Fatal(err)
	}
	f.Abort()
	holds(t, path, "whole", "out.csv")
}

// A directory that takes the target's place makes the rename fail.
func TestFailingCommitCleansUp(t *testing.T) {
	path := filepath.Join(t.TempDir(), "out.csv")
	f, err := atomicfile.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Join(path, "full"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := f.Commit(); err == nil {
		t.Error("Commit onto a directory succeeds")
	}
	entries, _ := os.ReadDir(filepath.Dir(path))
	if len(entries) != 1 {
		t.Errorf("left behind: %v", entries)
	}
}

func TestCreateRefuses(t *testing.T) {
	dir := t.TempDir()
	if _, err := atomicfile.Create(dir); err == nil || !strings.Contains(err.Error(), "directory") {
		t.Errorf("Create of a directory: %v", err)
	}
	if _, err := atomicfile.Create(filepath.Join(dir, "none", "out.csv")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("Create in no directory: %v", err)
	}
}

func TestPermissions(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows has no such permissions")
	}
	path := filepath.Join(t.TempDir(), "out.csv")
	plain := filepath.Join(t.TempDir(), "plain")
	file, err := os.OpenFile(plain, os.O_CREATE|os.O_WRONLY, 0o644) // what the umask leaves
	if err != nil {
		t.Fatal(err)
	}
	file.Close()
	want, _ := os.Stat(plain)
	for _, mode := range []fs.FileMode{want.Mode(), 0o600, 0o666} {
		if err := atomicfile.WriteFile(path, say("x")); err != nil {
			t.Fatal(err)
		}
		if mode == want.Mode() { // the first time round the file is new
			if info, _ := os.Stat(path); info.Mode() != mode {
				t.Errorf("a new file has mode %v, want %v", info.Mode(), mode)
			}
		}
		if err := os.Chmod(path, mode); err != nil {
			t.Fatal(err)
		}
		if err := atomicfile.WriteFile(path, say("y")); err != nil {
			t.Fatal(err)
		}
		if info, _ := os.Stat(path); info.Mode() != mode {
			t.Errorf("a replaced file has mode %v, want %v", info.Mode(), mode)
		}
	}
	if err := os.Chmod(path, 0o444); err != nil {
		t.Fatal(err)
	}
	if os.Geteuid() != 0 { // root may write anything
		if err := atomicfile.WriteFile(path, say("z")); !errors.Is(err, fs.ErrPermission) {
			t.Errorf("writing over a write-protected file: %v", err)
		}
	}
}

func TestLinksStayLinks(t *testing.T) {
	dir := t.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, "a", "b"), 0o755); err != nil {
		t.Fatal(err)
	}
	link := func(to, name string) string {
		name = filepath.Join(dir, name)
		if err := os.Symlink(to, name); err != nil {
			t.Skip("no symbolic links here: ", err)
		}
		return name
	}
	link(filepath.Join("a", "b"), "deep")
	// deep/../real is a/real: the link deep must be followed before the dots.
	for _, path := range []string{
		link(filepath.Join(dir, "a", "real"), "absolute"),
		link("deep"+string(filepath.Separator)+".."+string(filepath.Separator)+"real", "dots"),
		link("dots", "chain"),
	} {
		os.Remove(filepath.Join(dir, "a", "real"))
		for _, text := range []string{"through a dangling link", "through a link"} {
			if err := atomicfile.WriteFile(path, say(text)); err != nil {
				t.Fatal(err)
			}
			holds(t, filepath.Join(dir, "a", "real"), text, "b", "real")
		}
		if info, err := os.Lstat(path); err != nil || info.Mode()&fs.ModeSymlink == 0 {
			t.Errorf("%s is no link any more: %v, %v", path, info.Mode(), err)
		}
	}
	link("loop", "loop")
	if _, err := atomicfile.Create(filepath.Join(dir, "loop")); err == nil {
		t.Error("Create of a loop of links succeeds")
	}
}

// Nobody knows the file beside the target by its name.
func TestErrorsNameTheFileOfTheCaller(t *testing.T) {
	path := filepath.Join(t.TempDir(), "none", "out.csv")
	_, err := atomicfile.Create(path)
	var named *fs.PathError
	if !errors.As(err, &named) || named.Path != path || strings.Contains(err.Error(), "tmp") && !strings.Contains(path, "tmp") {
		t.Errorf("Create: %v", err)
	}
	path = filepath.Join(t.TempDir(), "out.csv")
	f, err := atomicfile.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Join(path, "full"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := f.Commit(); !errors.As(err, &named) || named.Path != path || strings.Contains(err.Error(), "beziergp-tmp") {
		t.Errorf("Commit: %v", err)
	}
}

// What Keep returns is what was written, even where another process has put a file
// of its own in place.
func TestKeep(t *testing.T) {
	path := filepath.Join(t.TempDir(), "rows")
	f, err := atomicfile.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	fmt.Fprint(f, "mine")
	kept, err := f.Keep()
	if err != nil {
		t.Fatal(err)
	}
	defer kept.Close()
	holds(t, path, "mine", "rows")
	if runtime.GOOS != "windows" {
		if err := atomicfile.WriteFile(path, say("another's")); err != nil {
			t.Fatal(err)
		}
	}
	got := make([]byte, 4)
	if _, err := kept.ReadAt(got, 0); err != nil || string(got) != "mine" {
		t.Errorf("it holds %q, %v", got, err)
	}
	if _, err := f.Keep(); !errors.Is(err, fs.ErrClosed) {
		t.Errorf("Keep again: %v", err)
	}
}

// A sweep takes what a killed process has left, and nothing else.
func TestSweep(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("young files stay")
	}
	dir := t.TempDir()
	path := filepath.Join(dir, "out.csv")
	alive, err := atomicfile.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer alive.Abort()
	fmt.Fprint(alive, "whole")
	users := []string{"out.csv.12345678.tmp", "out.csv.part", "out.csv.1234567.beziergp-tmp", "out.csv.1234567g.beziergp-tmp", "in.csv.12345678.beziergp-tmp"}
	for _, name := range append(users, "out.csv.12345678.beziergp-tmp") {
		put(t, filepath.Join(dir, name), "left")
	}
	if err := os.Symlink(filepath.Join(dir, users[0]), path+".00000000.beziergp-tmp"); err != nil {
		t.Skip("no symbolic links here: ", err)
	}
	atomicfile.Sweep(path)
	for _, name := range users {
		if _, err := os.Stat(filepath.Join(dir, name)); err != nil {
			t.Error(err)
		}
	}
	if _, err := os.Stat(path + ".12345678.beziergp-tmp"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the left file: %v", err)
	}
	if err := alive.Commit(); err != nil {
		t.Errorf("a living process lost its file: %v", err)
	}
}
