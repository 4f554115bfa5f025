package cli_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"
	"time"
)

// Any number of fits may make one new cache.
func TestFitsOfOneNewCache(t *testing.T) {
	p := newPlace(t)
	p.write("c.part", "mine")
	var runs []*exec.Cmd
	for _, name := range []string{"1.bgp", "2.bgp", "3.bgp", "4.bgp"} {
		cmd := exec.Command("beziergp", quickFit("--out", name, "--cache", "c")...)
		cmd.Dir = p.dir
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		runs = append(runs, cmd)
	}
	for _, cmd := range runs {
		if err := cmd.Wait(); err != nil {
			t.Error(err)
		}
	}
	if p.read("c.part") != "mine" || p.read("1.bgp") != p.read("4.bgp") {
		t.Error("a file of the user's changed, or the models differ")
	}
	if left, _ := filepath.Glob(p.path("c.*")); len(left) != 1 {
		t.Errorf("they leave %v", left)
	}
}

// A cache is of what a table holds: neither size nor time tell.
func TestCacheOfAChangedTable(t *testing.T) {
	p := newPlace(t)
	fit := func(name string) string {
		if code, _, said := p.run(quickFit("--out", name, "--cache", "c")...); code != 0 {
			t.Fatalf("code %d: %s", code, said)
		}
		return p.read(name)
	}
	first := fit("1.bgp")
	cache, err := os.Stat(p.path("c"))
	if err != nil {
		t.Fatal(err)
	}
	if again := fit("1.bgp"); again != first {
		t.Error("the same table gives another model")
	}
	if now, _ := os.Stat(p.path("c")); !os.SameFile(now, cache) {
		t.Error("the cache of the same table was made anew")
	}
	info, err := os.Stat(p.path("t.csv"))
	if err != nil {
		t.Fatal(err)
	}
	changed := strings.Replace(p.read("t.csv"), ",10.", ",13.", 7)
	p.write("t.csv", changed)
	if err := os.Chtimes(p.path("t.csv"), info.ModTime(), info.ModTime()); err != nil {
		t.Fatal(err)
	}
	if now, _ := os.Stat(p.path("t.csv")); now.Size() != info.Size() || !now.ModTime().Equal(info.ModTime()) {
		t.Fatal("the test changes size or time")
	}
	second := fit("2.bgp")
	if code, _, said := p.run(quickFit("--out", "3.bgp", "--cache", "other")...); code != 0 {
		t.Fatalf("code %d: %s", code, said)
	}
	if second == first || second != p.read("3.bgp") {
		t.Error("the changed table is taken as unchanged")
	}
}

// Rows that memory holds need no folder for temporary files; of others, the error says
// what to do.
func TestFolderForTemporaryFiles(t *testing.T) {
	p := newPlace(t)
	none := append(os.Environ(), "TMPDIR="+p.path("none"), "TMP="+p.path("none"))
	small := exec.Command("beziergp", quickFit("--out", "m.bgp")...)
	small.Env = none
	if code, _, said := p.ends(small); code != 0 {
		t.Errorf("code %d: %s", code, said)
	}
	large := exec.Command("beziergp", quickFit("--out", "l.bgp", "--memory", "1kB")...)
	large.Env = none
	if code, _, said := p.ends(large); code != 1 || !strings.Contains(said, p.path("none")) || !strings.Contains(said, "--cache") || p.exists("l.bgp") {
		t.Errorf("code %d: %s", code, said)
	}
}

// What a killed run leaves is taken away by the next one, which says so; a run that
// lives keeps what is its own.
func TestSweepAfterAKill(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("young files stay")
	}
	p := newPlace(t)
	spill := func(model string) *exec.Cmd {
		cmd, _ := p.fit(model, "--memory", "1kB", "--steps", endless)
		p.startAndAwait(cmd, model+".ckpt")
		return cmd
	}
	folders := func() []string {
		found, _ := filepath.Glob(p.path("tmp/beziergp-*"))
		return found
	}
	killed := spill("killed.bgp")
	_ = killed.Process.Kill()
	_ = killed.Wait()
	left := folders()
	if len(left) != 1 {
		t.Fatalf("a killed run leaves %v", left)
	}
	p.write("m.bgp.00c0ffee.beziergp-tmp", "half")
	living := spill("living.bgp")
	now := folders()
	if len(now) != 1 || now[0] == left[0] {
		t.Fatalf("beside a living run there are %v", now)
	}
	cmd := exec.Command("beziergp", append(quickFit("--out", "m.bgp"), "--quiet=false")...)
	if code, _, said := p.ends(cmd); code != 0 || strings.Contains(said, "removed") {
		t.Errorf("code %d: %s", code, said)
	}
	if p.exists("m.bgp.00c0ffee.beziergp-tmp") {
		t.Error("half a model stays")
	}
	if len(folders()) != 1 {
		t.Error("a living run loses its rows")
	}
	_ = living.Process.Signal(os.Interrupt)
	_ = living.Wait()
	if code := living.ProcessState.ExitCode(); code != 130 || len(folders()) != 0 {
		t.Errorf("code %d; it leaves %v", code, folders())
	}
}

// --fresh replaces a checkpoint, when there is something to replace it by, and nothing
// else.
func TestFreshKeepsWhatIsNoCheckpoint(t *testing.T) {
	p := newPlace(t)
	cmd, _ := p.fit("m.bgp", "--steps", endless)
	p.startAndAwait(cmd, "m.bgp.ckpt")
	_ = cmd.Process.Kill()
	_ = cmd.Wait()
	checkpoint := p.read("m.bgp.ckpt")
	for _, args := range [][]string{ // tables that nothing can be learned from
		{"fit", "none.csv", "--target", "y"}, {"fit", "t.csv", "--target", "z"}, {"fit", "one.csv", "--target", "y"}, {"fit", "same.csv", "--target", "y"},
	} {
		p.write("one.csv", "a,y\n1,2\n")
		p.write("same.csv", "a,y\n1,2\n2,2\n3,2\n")
		if code, _, said := p.run(append(args, "--recipe", "paper", "--steps", "5", "--out", "m.bgp", "--fresh")...); code != 3 {
			t.Errorf("%q: code %d: %s", args, code, said)
		}
		if p.read("m.bgp.ckpt") != checkpoint {
			t.Fatalf("%q: the checkpoint is lost", args)
		}
	}
	p.write("thesis.txt", "years of work")
	if code, _, said := p.run(quickFit("--checkpoint", "thesis.txt", "--fresh", "--out", "n.bgp")...); code != 3 || !strings.Contains(said, "is not a checkpoint") {
		t.Errorf("code %d: %s", code, said)
	}
	if p.read("thesis.txt") != "years of work" || p.exists("n.bgp") {
		t.Error("a file that is no checkpoint is lost")
	}
	if code, _, said := p.run(quickFit("--fresh", "--out", "m.bgp")...); code != 0 || p.exists("m.bgp.ckpt") {
		t.Errorf("code %d, checkpoint %v: %s", code, p.exists("m.bgp.ckpt"), said)
	}
}

// A model that cannot be written where it should is put elsewhere: hours may have gone
// into it.
func TestModelIsPutElsewhere(t *testing.T) {
	if _, err := os.Stat("/dev/full"); err != nil {
		t.Skip("there is no /dev/full here")
	}
	p := newPlace(t)
	if code, _, said := p.run(quickFit("--out", "m.bgp")...); code != 0 {
		t.Fatalf("code %d: %s", code, said)
	}
	code, _, said := p.run(quickFit("--out", "/dev/full")...)
	_, where, _ := strings.Cut(strings.TrimSpace(said), "the model is in ")
	if text, err := os.ReadFile(where); code != 1 || err != nil || string(text) != p.read("m.bgp") {
		t.Errorf("code %d, %v: %s", code, err, said)
	}
	// A folder that goes away while a run goes on.
	if err := os.Mkdir(p.path("out"), 0o755); err != nil {
		t.Fatal(err)
	}
	cmd, stderr := p.fit("out/m.bgp", "--checkpoint", p.path("c"))
	p.startAndAwait(cmd, "c")
	if err := os.RemoveAll(p.path("out")); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait()
	if !strings.Contains(stderr.String(), "cannot write "+p.path("out/m.bgp")) || !strings.Contains(stderr.String(), "the model is in "+p.path("tmp")) {
		t.Errorf("%v: %s", cmd.ProcessState, stderr)
	}
}

// Names in messages are those that the user gave.
func TestMessagesNameTheUsersFiles(t *testing.T) {
	p := newPlace(t)
	if code, _, said := p.run(quickFit("--out", "m.bgp")...); code != 0 {
		t.Fatalf("code %d: %s", code, said)
	}
	beside := regexp.MustCompile(`\.[0-9a-f]{8}\.`) // the name of an unfinished file
	for _, args := range [][]string{
		quickFit("--out", "none/m.bgp"), quickFit("--checkpoint", "none/c"), quickFit("--cache", "none/c"),
		{"predict", "m.bgp", "t.csv", "--out", "none/p"}, {"eval", "m.bgp", "t.csv", "--calibration", "none/p.svg"},
		{"demo", "--dir", "t.csv"},
	} {
		if code, _, said := p.run(args...); code != 1 || beside.MatchString(said) || !strings.Contains(said, "none/") && args[0] != "demo" {
			t.Errorf("%q: code %d: %s", args, code, said)
		}
	}
	// A checkpoint whose folder goes away.
	if err := os.Mkdir(p.path("kept"), 0o755); err != nil {
		t.Fatal(err)
	}
	cmd, stderr := p.fit("n.bgp", "--checkpoint", p.path("kept/c"), "--steps", endless)
	p.startAndAwait(cmd, "kept/c")
	for range 100 { // it may write just now
		if os.RemoveAll(p.path("kept")) == nil {
			break
		}
		time.Sleep(time.Millisecond)
	}
	_ = cmd.Wait()
	if cmd.ProcessState.ExitCode() != 1 || beside.MatchString(stderr.String()) || !strings.Contains(stderr.String(), "kept/c") {
		t.Errorf("%v: %s", cmd.ProcessState, stderr)
	}
}
