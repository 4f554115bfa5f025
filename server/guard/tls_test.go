package guard_test

import (
	"crypto/tls"
	"net"
	"os"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"beziergp/internal/testkit"
	"beziergp/server/guard"
)

// clock is a clock that tests set.
type clock struct{ seconds atomic.Int64 }

func (c *clock) now() time.Time { return time.Unix(c.seconds.Load(), 0) }

// shake has a client and a server speak, and returns the serial number of the server's
// certificate.
func shake(t *testing.T, server, client *tls.Config) (serial int64, err error) {
	t.Helper()
	listener, err := tls.Listen("tcp", "127.0.0.1:0", server)
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	go func() {
		c, err := listener.Accept()
		if err == nil {
			_, _ = c.Write([]byte("x"))
			c.Close()
		}
	}()
	c, err := net.Dial("tcp", listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	own := tls.Client(c, client)
	if n, err := own.Read(make([]byte, 1)); n == 0 { // the end of a handshake of TLS 1.3 that the server refuses
		return 0, err
	}
	return own.ConnectionState().PeerCertificates[0].SerialNumber.Int64(), nil
}

// Certificates are read again when their files change, after some seconds at most; files that
// are damaged leave those that were.
func TestCertificatesAreReadAgain(t *testing.T) {
	a := testkit.NewAuthority(t)
	certificate, key := a.Issue("server")
	c := &clock{}
	c.seconds.Store(1e9)
	config, err := guard.TLS{Certificate: certificate, Key: key}.Config(c.now, "h2")
	if err != nil {
		t.Fatal(err)
	}
	wants := func(when string, want int64) {
		t.Helper()
		if got, err := shake(t, config, a.Client("")); got != want || err != nil {
			t.Errorf("%s the serial number is %d, want %d: %v", when, got, want, err)
		}
	}
	wants("at first", 2)
	a.Issue("server")
	wants("before the time", 2)
	c.seconds.Add(5)
	wants("after the time", 3)
	if err := os.WriteFile(key, []byte("no key"), 0o600); err != nil {
		t.Fatal(err)
	}
	c.seconds.Add(5)
	wants("with a damaged key", 3)
	a.Issue("server")
	c.seconds.Add(5)
	wants("with a good one", 4)
}

// Old versions of TLS are refused, whatever a client would like.
func TestOldVersionsAreRefused(t *testing.T) {
	a := testkit.NewAuthority(t)
	certificate, key := a.Issue("server")
	config, err := guard.TLS{Certificate: certificate, Key: key}.Config(time.Now)
	if err != nil {
		t.Fatal(err)
	}
	for version, good := range map[uint16]bool{tls.VersionTLS10: false, tls.VersionTLS11: false, tls.VersionTLS12: true, tls.VersionTLS13: true} {
		client := a.Client("")
		client.MinVersion, client.MaxVersion = tls.VersionTLS10, version
		if _, err := shake(t, config, client); (err == nil) != good || !good && !strings.Contains(err.Error(), "protocol version") {
			t.Errorf("%s: %v", tls.VersionName(version), err)
		}
	}
}

// Clients must have a certificate of the authority; one that is changed holds for others.
func TestClientsShowCertificates(t *testing.T) {
	a, other := testkit.NewAuthority(t), testkit.NewAuthority(t)
	certificate, key := a.Issue("server")
	c := &clock{}
	config, err := guard.TLS{Certificate: certificate, Key: key, ClientCA: a.File}.Config(c.now)
	if err != nil {
		t.Fatal(err)
	}
	stranger := other.Client("client")
	stranger.RootCAs = a.Pool
	for name, client := range map[string]*tls.Config{"without a certificate": a.Client(""), "with one of another authority": stranger} {
		if _, err := shake(t, config, client); err == nil {
			t.Errorf("a client %s is let in", name)
		}
	}
	if _, err := shake(t, config, a.Client("client")); err != nil {
		t.Error(err)
	}
	text, err := os.ReadFile(other.File)
	if err == nil {
		err = os.WriteFile(a.File, text, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	c.seconds.Add(5)
	if _, err := shake(t, config, stranger); err != nil {
		t.Errorf("a client of the new authority: %v", err)
	}
	if _, err := shake(t, config, a.Client("client")); err == nil {
		t.Error("a client of the old authority is let in")
	}
}

// Files that are of no use are told of by their names.
func TestFilesThatAreOfNoUse(t *testing.T) {
	a := testkit.NewAuthority(t)
	certificate, key := a.Issue("server")
	_, otherKey := a.Issue("other")
	for _, files := range []guard.TLS{
		{Certificate: "none.pem", Key: key}, {Certificate: certificate, Key: otherKey}, {Certificate: key, Key: key},
		{Certificate: certificate, Key: key, ClientCA: "none.pem"}, {Certificate: certificate, Key: key, ClientCA: key},
	} {
		if _, err := files.Config(time.Now); err == nil || !strings.Contains(err.Error(), "none.pem") && !strings.Contains(err.Error(), key) && !strings.Contains(err.Error(), otherKey) {
			t.Errorf("%+v: %v", files, err)
		}
	}
}
