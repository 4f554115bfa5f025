package rpc

import (
	"io"

	"github.com/klauspost/compress/zlib"
	"google.golang.org/grpc/encoding"
)

func init() { encoding.RegisterCompressor(deflate{}) }

// deflate is how Triton's client packs by that name. What is unpacked is bounded by gRPC.
type deflate struct{}

// Name is that of grpc-encoding.
func (deflate) Name() string { return "deflate" }

// Compress returns a writer that packs.
func (deflate) Compress(w io.Writer) (io.WriteCloser, error) {
	return zlib.NewWriterLevel(w, zlib.BestSpeed)
}

// Decompress returns a reader of what was packed.
func (deflate) Decompress(r io.Reader) (io.Reader, error) { return zlib.NewReader(r) }
