package safetensors

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"hash"
)

// digestKey is the metadata entry that holds the SHA-256 of the whole file, length of
// the header included, taken with zeros in the place of the digest's own 64 digits.
// A processor with instructions for SHA-256 reads 1 to 2 GB a second so.
const digestKey = "sha256"

const digits = 2 * sha256.Size

var noDigest = string(bytes.Repeat([]byte{'0'}, digits))

// digestAt returns where in a header the digits of the digest are: the text before them
// can be nothing else, for a quote within a name or a value is escaped.
func digestAt(header []byte) (at int, ok bool) {
	before := []byte(`"` + digestKey + `":"`)
	at = bytes.Index(header, before) + len(before)
	return at, at >= len(before) && len(header)-at >= digits
}

// newDigest returns the hash of a file up to the end of its header.
func newDigest(header []byte, at int) hash.Hash {
	h := sha256.New()
	h.Write(binary.LittleEndian.AppendUint64(nil, uint64(len(header))))
	h.Write(header[:at])
	h.Write([]byte(noDigest))
	h.Write(header[at+digits:])
	return h
}

// check returns an error unless the digest is that of h.
func checkDigest(h hash.Hash, digest string) error {
	if got := hex.EncodeToString(h.Sum(nil)); got != digest {
		return fmt.Errorf("%w: its SHA-256 is %s, and it says %.*q: it was changed since it was written", ErrFormat, got, digits, digest)
	}
	return nil
}
