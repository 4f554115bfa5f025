//go:build unix

package server_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"net"
	"strings"
	"sync"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/status"

	"beziergp/server"
	"beziergp/server/rpc/inference"
)

// A request that says its length in two ways, or twice, is not answered as two.
func TestSmuggling(t *testing.T) {
	p := start(t, server.Options{})
	for _, head := range []string{
		"Content-Length: 4\r\nContent-Length: 40\r\n", "Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n", "Content-Length: +4\r\n",
		"Transfer-Encoding: xchunked\r\n", " Content-Length: 4\r\n", "Content-Length : 4\r\n",
	} {
		c, err := net.Dial("tcp", p.own.Address("rest"))
		if err != nil {
			t.Fatal(err)
		}
		_ = c.SetDeadline(time.Now().Add(10 * time.Second))
		fmt.Fprintf(c, "POST /v2/repository/index HTTP/1.1\r\nHost: localhost\r\n%s\r\nGET /v2 HTTP/1.1\r\nHost: localhost\r\n\r\n", head)
		text, _ := io.ReadAll(c)
		c.Close()
		if bytes.Contains(text, []byte("200 OK")) || !bytes.Contains(text, []byte("HTTP/1.1 ")) {
			t.Errorf("%q is answered by %s", head, text)
		}
	}
}

// Lengths that are not true, heads that do not end and addresses that lead elsewhere are errors,
// at once and without the memory that they ask for.
func TestLyingLengths(t *testing.T) {
	a := launch(t, settings{Body: 1 << 20})
	before, _ := a.memory()
	const post = "POST /v2/models/format4/infer HTTP/1.1\r\nHost: localhost\r\n"
	for _, c := range []struct{ sent, want string }{
		{post + "Content-Length: 9223372036854775807\r\n\r\n{", "400"}, {post + "Content-Length: 99999999999999999999\r\n\r\n{", "400"},
		{post + "Content-Length: 1000000000\r\n\r\n{}", "400"}, {post + "Content-Length: -1\r\n\r\n{}", "400"},
		{post + "Transfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\n{}", "400"}, {post + "Transfer-Encoding: chunked\r\n\r\nfffffff\r\n{}", "400"},
		{post + "Transfer-Encoding: chunked\r\n\r\n" + strings.Repeat("40000\r\n"+strings.Repeat(" ", 1<<18)+"\r\n", 8), "413"},
		{post + "Content-Length: 2\r\nInference-Header-Content-Length: 9223372036854775807\r\n\r\n{}", "400"},
		{post + "X-Long: " + strings.Repeat("x", 1<<20), "431"}, {post + strings.Repeat("X-Many: x\r\n", 1<<16), "431"},
		{"GET /../../etc/passwd HTTP/1.1\r\nHost: localhost\r\n\r\n", "30"}, {"GET /v2/models/../../../etc/passwd HTTP/1.1\r\nHost: localhost\r\n\r\n", "30"},
		{"GET /v2/models/%2e%2e%2f%2e%2e%2fetc HTTP/1.1\r\nHost: localhost\r\n\r\n", "404"}, {"GET http://elsewhere/v2 HTTP/1.1\r\nHost: localhost\r\n\r\n", "403"},
		{"GET /v2/models/a\x00b HTTP/1.1\r\nHost: localhost\r\n\r\n", "400"}, {"\x16\x03\x01\x00\x05hello", "400"}, {"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", ""},
	} {
		c := c
		conn, err := net.Dial("tcp", strings.TrimPrefix(a.url, "http://"))
		if err != nil {
			t.Fatal(err)
		}
		_ = conn.SetDeadline(time.Now().Add(20 * time.Second))
		go func() { // the server may answer before it has read all
			_, _ = io.WriteString(conn, c.sent)
			_ = conn.(*net.TCPConn).CloseWrite()
		}()
		text, _ := io.ReadAll(conn)
		conn.Close()
		if !strings.HasPrefix(string(text), "HTTP/1.1 "+c.want) && c.want != "" || strings.Contains(string(text), "root:") {
			t.Errorf("%.100q is answered by %.300q, want %s", c.sent, text, c.want)
		}
	}
	if _, most := a.memory(); most > before+32<<20 {
		t.Errorf("%d MiB of memory, and %d before", most>>20, before>>20)
	}
	if code, _, text := a.ask("POST", "/v2/models/format4/infer", tensors+"}"); code != 200 {
		t.Errorf("afterwards: %d %s", code, text)
	}
}

// zeros is a packed body that unpacks to so many megabytes.
func zeros(t *testing.T, megabytes int) []byte {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	for range megabytes {
		if _, err := z.Write(make([]byte, 1<<20)); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// bomb sends a packed message as it is.
type bomb struct{}

func (bomb) Marshal(v any) ([]byte, error) { return v.([]byte), nil }

func (bomb) Unmarshal([]byte, any) error { return nil }

func (bomb) Name() string { return "proto" }

// What unpacks to more than a body may have is refused when that much is unpacked, over HTTP
// and over gRPC, and takes no more memory than that.
func TestBombs(t *testing.T) {
	const most = 4 << 20
	a := launch(t, settings{Body: most})
	before, _ := a.memory()
	packed := string(zeros(t, 300))
	g, err := grpc.NewClient(a.grpc, grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		t.Fatal(err)
	}
	defer g.Close()
	var all sync.WaitGroup
	const clients = 4
	for range clients {
		all.Go(func() {
			for _, path := range []string{"/v2/models/format4/infer", "/predict/format4", "/v2/repository/index"} {
				if code, _, text := a.ask("POST", path, packed, "Content-Encoding", "gzip", "Content-Type", "text/csv"); code != 413 {
					t.Errorf("%s: %d %s", path, code, text)
				}
			}
			err := g.Invoke(context.Background(), "/inference.GRPCInferenceService/ModelInfer", make([]byte, 16<<20), &struct{}{}, grpc.ForceCodec(bomb{}), grpc.UseCompressor("gzip"))
			if status.Code(err) != codes.ResourceExhausted {
				t.Errorf("gRPC: %v", err)
			}
		})
	}
	all.Wait()
	// A body grows by doubling, and the collector of garbage lets as much again lie.
	if _, peak := a.memory(); peak > before+clients*6*most {
		t.Errorf("%d MiB of memory, and %d before", peak>>20, before>>20)
	}
	if _, err := inference.NewGRPCInferenceServiceClient(g).ModelInfer(context.Background(), call(true)); err != nil {
		t.Error(err)
	}
}
