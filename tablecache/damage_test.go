package tablecache

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"math"
	"os"
	"strings"
	"testing"

	"beziergp/internal/testkit"
)

// inMemory is the file of a cache.
type inMemory struct{ *bytes.Reader }

func (inMemory) Close() error { return nil }

// use opens a cache and reads all of it.
func use(content []byte) error {
	c, err := read("the cache", inMemory{bytes.NewReader(content)}, int64(len(content)))
	if err != nil {
		return err
	}
	for j := range c.Fields() {
		c.Summary(j)
	}
	var b Buffer
	for i := range c.Blocks() {
		if _, err := c.Read(i, &b); err != nil {
			return err
		}
	}
	return nil
}

// small is the file of a cache of a few rows.
func small(t testing.TB, rows int) []byte {
	t.Helper()
	file, err := os.ReadFile(write(t, rows, 10).path)
	if err != nil {
		t.Fatal(err)
	}
	return file
}

func TestNoDamagePasses(t *testing.T) {
	testkit.NoDamagePasses(t, small(t, 30), use)
}

// respelled returns a cache whose footer is changed, and whose digest fits.
func respelled(t testing.TB, file []byte, change func(f *footer)) []byte {
	t.Helper()
	text, blocks := split(file)
	var f footer
	if err := json.Unmarshal(text, &f); err != nil {
		t.Fatal(err)
	}
	change(&f)
	text, err := f.bytes()
	if err != nil {
		t.Fatal(err)
	}
	return append(bytes.Clone(blocks), text...)
}

// split returns the footer's text and the blocks of a cache.
func split(file []byte) (text, blocks []byte) {
	end := len(file) - endBytes
	length := int(binary.LittleEndian.Uint64(file[end:]))
	end -= 32
	return file[end-length : end], file[:end-length]
}

// A footer that says what cannot be is damage, whoever made its digest fit: nothing
// that it says is looked up, or made, before that is seen.
func TestBadFooters(t *testing.T) {
	whole := small(t, 30)
	if err := use(respelled(t, whole, func(*footer) {})); err != nil {
		t.Fatal(err)
	}
	nan := math.Float64bits(math.NaN())
	for name, change := range map[string]func(f *footer){
		"no fields":            func(f *footer) { f.Fields = nil },
		"rows below 0":         func(f *footer) { f.Rows = -30 },
		"rows that overflow":   func(f *footer) { f.Rows += math.MaxInt / 24 * 8 },
		"more rows":            func(f *footer) { f.Rows++ },
		"blocks of no rows":    func(f *footer) { f.BlockRows = 0 },
		"blocks below 0":       func(f *footer) { f.BlockRows = -1 },
		"huge blocks":          func(f *footer) { f.BlockRows = math.MaxInt },
		"no checksums":         func(f *footer) { f.Checksums = nil },
		"more checksums":       func(f *footer) { f.Checksums = append(f.Checksums, 1) },
		"another checksum":     func(f *footer) { f.Checksums[0]++ },
		"fewer meanings":       func(f *footer) { f.Meaning = f.Meaning[:2] },
		"a shorter meaning":    func(f *footer) { f.Meaning[1] = f.Meaning[1][:2] },
		"no meaning at all":    func(f *footer) { f.Meaning[1] = []uint64{} },
		"meaning of no level":  func(f *footer) { f.Meaning[1][0] = math.Float64bits(3) },
		"meaning of level −1":  func(f *footer) { f.Meaning[1][0] = math.Float64bits(-1) },
		"meaning of half one":  func(f *footer) { f.Meaning[1][0] = math.Float64bits(0.5) },
		"meaning of values":    func(f *footer) { f.Meaning[0] = []uint64{1} },
		"fewer levels":         func(f *footer) { f.Fields[1].Levels = f.Fields[1].Levels[:2] },
		"another kind":         func(f *footer) { f.Fields[0].Kind = "complex" },
		"a boolean":            func(f *footer) { f.Fields[2].Kind = "boolean" },
		"one name":             func(f *footer) { f.Fields[1].Name = "x" },
		"no name":              func(f *footer) { f.Fields[1].Name = "" },
		"fewer summaries":      func(f *footer) { f.Summaries = f.Summaries[:1] },
		"more counts":          func(f *footer) { f.Summaries[1].Counts = append(f.Summaries[1].Counts, 0) },
		"a count below 0":      func(f *footer) { f.Summaries[1].Counts[0] = -1 },
		"counts of more rows":  func(f *footer) { f.Summaries[1].Counts[0]++ },
		"missing below 0":      func(f *footer) { f.Summaries[0].Missing = -1 },
		"missing in more rows": func(f *footer) { f.Summaries[0].Missing = 31 },
		"an extreme of NaN":    func(f *footer) { f.Summaries[0].Lo = nan },
		"extremes crossed":     func(f *footer) { f.Summaries[0].Lo, f.Summaries[0].Hi = f.Summaries[0].Hi, f.Summaries[0].Lo },
		"a longer sample":      func(f *footer) { f.Sample[0] = append(f.Sample[0], 0) },
		"a shorter sample":     func(f *footer) { f.Sample[0] = f.Sample[0][1:] },
		"a sample of code 7":   func(f *footer) { f.Sample[1][0] = math.Float64bits(7) },
		"a sample of code −1":  func(f *footer) { f.Sample[1][0] = math.Float64bits(-1) },
		"dropped below 0":      func(f *footer) { f.Dropped = -1 },
	} {
		if err := use(respelled(t, whole, change)); !errors.Is(err, ErrDamaged) || !strings.Contains(err.Error(), "the cache") {
			t.Errorf("%s: error %v", name, err)
		}
	}
	allocated := testkit.Allocated(func() { _ = use(respelled(t, whole, func(f *footer) { f.BlockRows = 1 << 40 })) })
	if allocated > 1<<20 {
		t.Errorf("%d bytes allocated for a cache of %d", allocated, len(whole))
	}
}

// Caches of before have no digest and are read.
func TestOlderCache(t *testing.T) {
	text, blocks := split(small(t, 30))
	file := append(append(bytes.Clone(blocks), text...), binary.LittleEndian.AppendUint64(nil, uint64(len(text)))...)
	file = append(file, "beziergp cache 1"...)
	if err := use(file); err != nil {
		t.Fatal(err)
	}
	c, err := read("the cache", inMemory{bytes.NewReader(file)}, int64(len(file)))
	if err != nil {
		t.Fatal(err)
	}
	if c.Sealed() || c.Rows() != 30 || c.Source() != "here" {
		t.Errorf("a digest: %v; %d rows of %q", c.Sealed(), c.Rows(), c.Source())
	}
}

// FuzzOpen mutates footers, with digests that fit, and blocks, and reads what opens.
func FuzzOpen(f *testing.F) {
	text, blocks := split(small(f, 30))
	f.Add(text, blocks, true)
	f.Add(text, blocks[8:], false)
	f.Add(bytes.Replace(text, []byte(`"rows":30`), []byte(`"rows":768614336404564651`), 1), blocks, true)
	f.Add(bytes.Replace(text, []byte(`"block_rows":`), []byte(`"block_rows":9`), 1), blocks, true)
	f.Fuzz(func(t *testing.T, text, blocks []byte, digest bool) {
		end := sealed(bytes.Clone(text))
		if !digest {
			end = append(binary.LittleEndian.AppendUint64(bytes.Clone(text), uint64(len(text))), unsealed...)
		}
		_ = use(append(bytes.Clone(blocks), end...))
	})
}
