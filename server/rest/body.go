package rest

import (
	"errors"
	"io"
	"net/http"
	"strings"
	"sync/atomic"
	"time"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zlib"

	"beziergp/server/oip"
)

// budget is how many bytes of bodies may still be in memory.
type budget struct{ left atomic.Int64 }

func (b *budget) take(n int64) bool {
	if b.left.Add(-n) >= 0 {
		return true
	}
	b.left.Add(n)
	return false
}

// smallest is what a body is given at first. It grows by doubling, as its bytes come: a length
// that is announced gives none.
const smallest = 4 << 10

// read reads the body of a request, unpacked. done gives its memory back, and is to be called
// in any case.
func (h *Handler) read(r *http.Request) (body []byte, done func(), err error) {
	held := int64(0)
	done = func() { h.bodies.left.Add(held) }
	in, err := unpacked(r)
	if err != nil {
		return nil, done, err
	}
	for {
		if len(body) == cap(body) {
			grown := min(max(2*int64(cap(body)), smallest), h.options.Body+1)
			if !h.bodies.take(grown) {
				return nil, done, &oip.Error{Code: oip.Busy, Message: "too many requests are being read", RetryAfter: time.Second}
			}
			held += grown
			next := make([]byte, len(body), grown)
			copy(next, body)
			freed := int64(cap(body))
			body = next
			h.bodies.left.Add(freed)
			held -= freed
		}
		n, err := in.Read(body[len(body):cap(body)])
		body = body[:len(body)+n]
		switch {
		case int64(len(body)) > h.options.Body:
			return nil, done, oip.Errorf(oip.TooLarge, "the body has more than %d bytes, unpacked; send fewer rows at a time", h.options.Body)
		case err == io.EOF:
			return body, done, nil
		case err != nil:
			return nil, done, oip.Errorf(oip.Invalid, "the body cannot be read: %s", problem(err))
		}
	}
}

func problem(err error) string {
	var large *http.MaxBytesError
	switch {
	case errors.As(err, &large):
		return "it is too long"
	case errors.Is(err, gzip.ErrHeader), errors.Is(err, gzip.ErrChecksum), errors.Is(err, zlib.ErrHeader), errors.Is(err, zlib.ErrChecksum):
		return "it is not packed as Content-Encoding says"
	}
	return "it ends too soon, or is damaged"
}

// unpacked returns the reader of a body as it was before it was packed.
func unpacked(r *http.Request) (io.Reader, error) {
	switch encoding := strings.ToLower(r.Header.Get("Content-Encoding")); encoding {
	case "", "identity":
		return r.Body, nil
	case "gzip":
		in, err := gzip.NewReader(r.Body)
		if err != nil {
			return nil, oip.Errorf(oip.Invalid, "the body cannot be read: %s", problem(err))
		}
		return in, nil
	case "deflate":
		in, err := zlib.NewReader(r.Body)
		if err != nil {
			return nil, oip.Errorf(oip.Invalid, "the body cannot be read: %s", problem(err))
		}
		return in, nil
	}
	return nil, oip.Errorf(oip.Unsupported, "the Content-Encoding is unknown; take gzip or deflate, or none")
}

// pack is the size from which answers are packed for those who take it.
const pack = 1400

// send answers with bytes, packed where the client asks for that.
func (a *answer) send(r *http.Request, kind string, body []byte) {
	a.Header().Set("Vary", "Accept-Encoding")
	encoding := accepted(r.Header.Get("Accept-Encoding"))
	if encoding == "" || len(body) < pack {
		a.body(http.StatusOK, kind, body)
		return
	}
	a.Header().Set("Content-Type", kind)
	a.Header().Set("Content-Encoding", encoding)
	a.WriteHeader(http.StatusOK)
	var to io.WriteCloser
	if encoding == "gzip" {
		to, _ = gzip.NewWriterLevel(a, gzip.BestSpeed)
	} else {
		to, _ = zlib.NewWriterLevel(a, zlib.BestSpeed)
	}
	_, _ = to.Write(body) // who has gone need not be told
	_ = to.Close()
}

// accepted returns the first of gzip and deflate that a client takes, or neither.
func accepted(header string) string {
	for part := range strings.SplitSeq(header, ",") {
		name, q, _ := strings.Cut(strings.TrimSpace(part), ";")
		if q = strings.ReplaceAll(q, " ", ""); q == "q=0" || q == "q=0.0" || q == "q=0.00" || q == "q=0.000" {
			continue
		}
		if name = strings.ToLower(strings.TrimSpace(name)); name == "gzip" || name == "deflate" {
			return name
		}
	}
	return ""
}
