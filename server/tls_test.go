package server_test

import (
	"context"
	"crypto/tls"
	"io"
	"net/http"
	"strings"
	"testing"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials"

	"beziergp/internal/testkit"
	"beziergp/server"
	"beziergp/server/guard"
	"beziergp/server/rpc/inference"
)

// Over HTTP, of either version, and over gRPC a client without a certificate is turned away,
// one with it is answered, and nobody is without encryption.
func TestMutualTLS(t *testing.T) {
	a := testkit.NewAuthority(t)
	certificate, key := a.Issue("server")
	p := start(t, server.Options{TLS: guard.TLS{Certificate: certificate, Key: key, ClientCA: a.File}})
	p.url = "https://" + p.own.Address("rest")
	get := func(config *tls.Config, version2 bool) (*http.Response, error) {
		transport := &http.Transport{TLSClientConfig: config, ForceAttemptHTTP2: version2}
		defer transport.CloseIdleConnections()
		response, err := (&http.Client{Transport: transport}).Get(p.url + "/v2/models/format4")
		if err == nil {
			_, err = io.Copy(io.Discard, response.Body)
			response.Body.Close()
		}
		return response, err
	}
	for _, version2 := range []bool{false, true} {
		response, err := get(a.Client("client"), version2)
		if err != nil || response.StatusCode != 200 || (response.ProtoMajor == 2) != version2 {
			t.Errorf("%v %v", response, err)
		}
		if _, err := get(a.Client(""), version2); err == nil { // of many words: TLS 1.3 tells a client when it thinks that it is connected
			t.Error("without a certificate, a client is answered")
		}
	}
	old := a.Client("client")
	old.MinVersion, old.MaxVersion = tls.VersionTLS10, tls.VersionTLS11
	if _, err := get(old, false); err == nil || !strings.Contains(err.Error(), "protocol version") {
		t.Errorf("TLS 1.1: %v", err)
	}
	if response, err := http.Get("http://" + p.own.Address("rest") + "/v2/models/format4"); err == nil && response.StatusCode == 200 {
		t.Error("without TLS, a client is answered")
	}
	for name, good := range map[string]bool{"client": true, "": false} {
		c, err := grpc.NewClient(p.own.Address("grpc"), grpc.WithTransportCredentials(credentials.NewTLS(a.Client(name))))
		if err != nil {
			t.Fatal(err)
		}
		_, err = inference.NewGRPCInferenceServiceClient(c).ModelInfer(context.Background(), call(true))
		if (err == nil) != good {
			t.Errorf("gRPC by the client %q: %v", name, err)
		}
		c.Close()
	}
}
