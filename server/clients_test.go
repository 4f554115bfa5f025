package server_test

import (
	"os"
	"os/exec"
	"strings"
	"testing"

	"beziergp/server"
	"beziergp/server/guard"
)

// The clients of Triton and KServe are understood.
func TestClients(t *testing.T) {
	python := os.Getenv("BEZIERGP_PYTHON")
	if python == "" {
		python = "python3"
	}
	if err := exec.Command(python, "-c", "import tritonclient.http, tritonclient.grpc").Run(); err != nil {
		t.Skip("Python has no tritonclient (pip install 'tritonclient[all]' kserve; BEZIERGP_PYTHON names another Python)")
	}
	tokens, err := guard.NewTokens("", "administrator-123")
	if err != nil {
		t.Fatal(err)
	}
	p := start(t, server.Options{Tokens: tokens, Reload: server.ReloadExplicit})
	for _, args := range [][]string{
		{"testdata/clients.py", p.own.Address("rest"), p.own.Address("grpc"), "administrator-123", "format4"},
		{"testdata/kserve_client.py", p.own.Address("rest"), "administrator-123", "format4"},
	} {
		if strings.Contains(args[0], "kserve") && exec.Command(python, "-c", "import kserve").Run() != nil {
			t.Log("KServe's client SKIPPED: Python has no kserve")
			continue
		}
		if said, err := exec.Command(python, args...).CombinedOutput(); err != nil || !strings.Contains(string(said), "done") {
			t.Errorf("%s: %v\n%s", args[0], err, said)
		}
	}
}
