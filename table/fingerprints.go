package table

import (
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
)

// Fingerprints are levels of a category that are known without their names: of each
// there is a keyed hash,
//
//	the first 53 bits of SHA-256(Key ‖ level),
//
// the key having one length. Whoever has them can test a guess, and can find out which
// of a list of guesses are among them; nobody can read a name off. One unknown level
// in 10¹² is taken for one of ten thousand known ones.
type Fingerprints struct {
	Key   [16]byte
	Sums  []uint64 // ascending
	Apart bool     // whether every level has a number of its own, in the order of the sums; else all have one together
}

// FingerprintBits is the length of a sum: a float64 holds it exactly.
const FingerprintBits = 53

// NewFingerprints returns those of levels. The key is a function of the column's name
// and of all its levels: equal columns have equal fingerprints, others have others.
func NewFingerprints(column string, known, levels []string) *Fingerprints {
	h := sha256.New()
	for _, texts := range [][]string{{column}, known, levels} {
		h.Write(binary.LittleEndian.AppendUint64(nil, uint64(len(texts))))
		for _, text := range texts {
			h.Write(binary.LittleEndian.AppendUint64(nil, uint64(len(text))))
			h.Write([]byte(text))
		}
	}
	f := &Fingerprints{}
	copy(f.Key[:], h.Sum(nil))
	for _, level := range levels {
		f.Sums = append(f.Sums, f.sum(level))
	}
	slices.Sort(f.Sums) // the order of names is theirs, too
	f.Sums = slices.Compact(f.Sums)
	return f
}

func (f *Fingerprints) sum(level string) uint64 {
	text := make([]byte, 0, 64)
	sum := sha256.Sum256(append(append(text, f.Key[:]...), level...))
	return binary.BigEndian.Uint64(sum[:]) >> (64 - FingerprintBits)
}

// Has tells whether a level is one of them. A nil f has none.
func (f *Fingerprints) Has(level string) bool {
	_, found := f.Number(level)
	return found
}

// Number returns which of the numbers that they have a level has, from 0 on, and whether it is one of them. A nil f has none.
func (f *Fingerprints) Number(level string) (int, bool) {
	if f == nil {
		return 0, false
	}
	at, found := slices.BinarySearch(f.Sums, f.sum(level))
	if !f.Apart {
		at = 0
	}
	return at, found
}

// Numbers returns how many numbers they have. A nil f has none.
func (f *Fingerprints) Numbers() int {
	if f != nil && f.Apart {
		return len(f.Sums)
	}
	return min(f.Len(), 1)
}

// Len returns the number of levels. A nil f has none.
func (f *Fingerprints) Len() int {
	if f == nil {
		return 0
	}
	return len(f.Sums)
}

// Check returns an error unless there are sums, in order and within their bits.
func (f *Fingerprints) Check() error {
	if len(f.Sums) == 0 {
		return errors.New("no fingerprints of levels")
	}
	for i, sum := range f.Sums {
		if sum >= 1<<FingerprintBits || i > 0 && sum <= f.Sums[i-1] {
			return fmt.Errorf("fingerprint %d of a level is out of order", i+1)
		}
	}
	return nil
}

func (f *Fingerprints) equal(other *Fingerprints) bool {
	return f == other || f != nil && other != nil && f.Key == other.Key && f.Apart == other.Apart && slices.Equal(f.Sums, other.Sums)
}
