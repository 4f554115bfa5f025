package testkit

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// Authority signs certificates, for tests of TLS.
type Authority struct {
	File string // its own certificate, in PEM
	Pool *x509.CertPool

	t       testing.TB
	dir     string
	own     *x509.Certificate
	key     *ecdsa.PrivateKey
	serials int64
}

// NewAuthority returns an authority whose files lie in a temporary folder.
func NewAuthority(t testing.TB) *Authority {
	t.Helper()
	a := &Authority{t: t, dir: t.TempDir(), Pool: x509.NewCertPool()}
	a.own, a.key, a.File = a.sign("authority", nil, nil)
	a.Pool.AddCert(a.own)
	return a
}

// sign makes a certificate, signed by another or, without one, by itself.
func (a *Authority) sign(name string, by *x509.Certificate, with *ecdsa.PrivateKey) (*x509.Certificate, *ecdsa.PrivateKey, string) {
	a.t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		a.t.Fatal(err)
	}
	a.serials++
	c := &x509.Certificate{
		SerialNumber: big.NewInt(a.serials), Subject: pkix.Name{CommonName: name}, NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		KeyUsage: x509.KeyUsageDigitalSignature, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth},
		DNSNames: []string{"localhost"}, IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, BasicConstraintsValid: true,
	}
	if by == nil {
		c.IsCA, c.KeyUsage, by, with = true, x509.KeyUsageCertSign, c, key
	}
	der, err := x509.CreateCertificate(rand.Reader, c, by, &key.PublicKey, with)
	if err != nil {
		a.t.Fatal(err)
	}
	if c, err = x509.ParseCertificate(der); err != nil {
		a.t.Fatal(err)
	}
	file := filepath.Join(a.dir, name+".pem")
	a.write(file, "CERTIFICATE", der)
	return c, key, file
}

func (a *Authority) write(file, kind string, der []byte) {
	if err := os.WriteFile(file, pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der}), 0o600); err != nil {
		a.t.Fatal(err)
	}
}

// Issue writes a certificate for localhost and 127.0.0.1 and its key into files, over those
// that had the name before.
func (a *Authority) Issue(name string) (certificate, key string) {
	a.t.Helper()
	_, private, certificate := a.sign(name, a.own, a.key)
	der, err := x509.MarshalECPrivateKey(private)
	if err != nil {
		a.t.Fatal(err)
	}
	key = filepath.Join(a.dir, name+".key")
	a.write(key, "EC PRIVATE KEY", der)
	return certificate, key
}

// Client returns what a client is to know: the authority, and a certificate of its own where
// it has a name.
func (a *Authority) Client(name string) *tls.Config {
	a.t.Helper()
	config := &tls.Config{RootCAs: a.Pool, ServerName: "localhost"}
	if name != "" {
		pair, err := tls.LoadX509KeyPair(a.Issue(name))
		if err != nil {
			a.t.Fatal(err)
		}
		config.Certificates = []tls.Certificate{pair}
	}
	return config
}
