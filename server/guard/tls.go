package guard

import (
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"os"
	"sync"
	"time"
)

// TLS are the files of a server's certificate.
type TLS struct {
	Certificate, Key string // in PEM
	// ClientCA, if not empty, are the authorities one of which must have signed the certificate
	// that every client shows.
	ClientCA string
}

// certificates are a TLS's files as they were read last.
type certificates struct {
	files TLS
	now   func() time.Time

	mu      sync.Mutex
	checked time.Time
	stamp   string
	config  *tls.Config
}

// recheck is how often files are looked at.
const recheck = 5 * time.Second

// Config returns a configuration of TLS 1.2 or later, with these protocols of the application.
// Files are read again where they have changed; what cannot be read leaves what was.
func (t TLS) Config(now func() time.Time, protocols ...string) (*tls.Config, error) {
	c := &certificates{files: t, now: now}
	first, err := c.read()
	if err != nil {
		return nil, err
	}
	c.config, c.checked, c.stamp = first, now(), c.stamps()
	return &tls.Config{
		MinVersion: tls.VersionTLS12, NextProtos: protocols,
		GetConfigForClient: func(*tls.ClientHelloInfo) (*tls.Config, error) {
			own := c.current().Clone()
			own.NextProtos = protocols
			return own, nil
		},
		GetCertificate: func(*tls.ClientHelloInfo) (*tls.Certificate, error) { return &c.current().Certificates[0], nil },
	}, nil
}

// stamps tell whether a file has changed.
func (c *certificates) stamps() (all string) {
	for _, name := range []string{c.files.Certificate, c.files.Key, c.files.ClientCA} {
		if info, err := os.Stat(name); err == nil {
			all += fmt.Sprint(info.Size(), info.ModTime().UnixNano(), " ")
		}
	}
	return all
}

func (c *certificates) current() *tls.Config {
	c.mu.Lock()
	defer c.mu.Unlock()
	if now := c.now(); now.Sub(c.checked) >= recheck {
		c.checked = now
		if stamp := c.stamps(); stamp != c.stamp {
			if next, err := c.read(); err == nil {
				c.config, c.stamp = next, stamp
			}
		}
	}
	return c.config
}

func (c *certificates) read() (*tls.Config, error) {
	pair, err := tls.LoadX509KeyPair(c.files.Certificate, c.files.Key)
	if err != nil {
		return nil, fmt.Errorf("the certificate %s with the key %s: %w", c.files.Certificate, c.files.Key, err)
	}
	config := &tls.Config{MinVersion: tls.VersionTLS12, Certificates: []tls.Certificate{pair}}
	if c.files.ClientCA == "" {
		return config, nil
	}
	text, err := os.ReadFile(c.files.ClientCA)
	if err != nil {
		return nil, err
	}
	config.ClientCAs = x509.NewCertPool()
	if !config.ClientCAs.AppendCertsFromPEM(text) {
		return nil, fmt.Errorf("%s holds no certificate in PEM", c.files.ClientCA)
	}
	config.ClientAuth = tls.RequireAndVerifyClientCert
	return config, nil
}
