package testkit

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"
)

// Seal returns a safetensors file whose digest, if it has one, is right again after the
// file was changed.
func Seal(file []byte) []byte {
	const before, digits = `"sha256":"`, 64
	at := bytes.Index(file, []byte(before)) + len(before)
	if at < len(before) || len(file) < at+digits {
		return file
	}
	sealed := slices.Clone(file)
	copy(sealed[at:], bytes.Repeat([]byte("0"), digits))
	sum := sha256.Sum256(sealed)
	hex.Encode(sealed[at:at+digits], sum[:])
	return sealed
}

// EditHeader returns a safetensors file in whose header a text is replaced, once, and
// whose length and digest fit.
func EditHeader(file []byte, old, new string) []byte {
	n := binary.LittleEndian.Uint64(file)
	header := bytes.Replace(file[8:8+n], []byte(old), []byte(new), 1)
	return Seal(slices.Concat(binary.LittleEndian.AppendUint64(nil, uint64(len(header))), header, file[8+n:]))
}

// NoDamagePasses fails the test unless read refuses a file in which one bit was flipped,
// be it any of 2000 drawn ones or one of every byte of a small file, or which was cut or
// prolonged. It may change the file that it is given.
func NoDamagePasses(t *testing.T, file []byte, read func(file []byte) error) {
	t.Helper()
	if err := read(slices.Clone(file)); err != nil {
		t.Fatalf("the whole file is refused: %v", err)
	}
	rng := rand.New(rand.NewPCG(17, 17))
	flips := make([]int, 0, 4000)
	for range 2000 {
		flips = append(flips, rng.IntN(8*len(file)))
	}
	if len(file) <= 4000 {
		for at := range file {
			flips = append(flips, 8*at+rng.IntN(8))
		}
	}
	passed := 0
	for _, bit := range flips {
		damaged := slices.Clone(file)
		damaged[bit/8] ^= 1 << (bit % 8)
		if read(damaged) == nil {
			if passed++; passed < 4 {
				t.Errorf("bit %d of byte %d of %d flipped: nobody notices", bit%8, bit/8, len(file))
			}
		}
	}
	if passed > 0 {
		t.Errorf("%d of %d flipped bits pass", passed, len(flips))
	}
	for range 50 {
		if n := rng.IntN(len(file)); read(slices.Clone(file[:n])) == nil {
			t.Errorf("%d of %d bytes: nobody notices", n, len(file))
		}
	}
	for _, more := range [][]byte{{0}, []byte(" "), []byte("\n"), file[:min(len(file), 100)]} {
		if read(slices.Concat(file, more)) == nil {
			t.Errorf("%d bytes behind the file: nobody notices", len(more))
		}
	}
}

// Allocated returns how many bytes f allocates in all, given back ones included, with
// what else goes on in the process.
func Allocated(f func()) int64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return int64(after.TotalAlloc - before.TotalAlloc)
}
