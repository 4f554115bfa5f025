package server_test

import (
	"bytes"
	"compress/gzip"
	"compress/zlib"
	"io"
	"strings"
	"testing"
)

// pack packs a body as Content-Encoding has it.
func pack(t testing.TB, encoding, body string) string {
	t.Helper()
	var b bytes.Buffer
	var to io.WriteCloser
	switch encoding {
	case "gzip":
		to = gzip.NewWriter(&b)
	case "deflate":
		to = zlib.NewWriter(&b)
	default:
		return body
	}
	_, err := io.WriteString(to, body)
	if err == nil {
		err = to.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func unpack(t testing.TB, encoding, body string) string {
	t.Helper()
	var from io.Reader = strings.NewReader(body)
	var err error
	switch encoding {
	case "gzip":
		from, err = gzip.NewReader(from)
	case "deflate":
		from, err = zlib.NewReader(from)
	}
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(from)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
