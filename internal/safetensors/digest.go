package safetensors

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"hash"
	"io"
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

// checkDigest returns an error unless the digest is that sum.
func checkDigest(sum []byte, digest string) error {
	if got := hex.EncodeToString(sum); got != digest {
		return fmt.Errorf("%w: its SHA-256 is %s, and it says %.*q: it was changed since it was written", ErrFormat, got, digits, digest)
	}
	return nil
}

// hashed reads from a reader, and has a goroutine digest what was read, at once: what
// Read filled must not be changed before sum has returned.
type hashed struct {
	io.Reader
	parts chan []byte
	done  chan []byte
}

func besides(r io.Reader, h hash.Hash) *hashed {
	// Few parts wait: who reads the same memory soon finds it in a cache.
	own := &hashed{r, make(chan []byte, 4), make(chan []byte, 1)}
	go func() {
		for part := range own.parts {
			h.Write(part)
		}
		own.done <- h.Sum(nil)
	}()
	return own
}

func (h *hashed) Read(b []byte) (int, error) {
	n, err := h.Reader.Read(b)
	if n > 0 {
		h.parts <- b[:n]
	}
	return n, err
}

// sum ends the goroutine, and returns the digest of all that was read.
func (h *hashed) sum() []byte {
	close(h.parts)
	return <-h.done
}
