//go:build linux

package main_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"beziergp/internal/testkit"
)

// twoHosts returns what runs two programs as the ranks of one run, each in a network namespace
// and with a host name of its own, joined by a virtual cable; a script stands for ssh. It skips
// the test where this process may not make namespaces.
func twoHosts(t *testing.T) func(first, second []string) *exec.Cmd {
	t.Helper()
	name := func(end string) string { return fmt.Sprintf("bgp%d%s", os.Getpid()%10000, end) }
	inside := func(end string) []string { return []string{"ip", "netns", "exec", name(end), "unshare", "--uts"} }
	t.Cleanup(func() {
		for _, end := range []string{"a", "b"} {
			_ = exec.Command("ip", "netns", "del", name(end)).Run() // which may not be there
		}
	})
	commands := []string{"ip netns add " + name("a"), "ip netns add " + name("b"), "ip link add " + name("a") + " netns " + name("a") + " type veth peer name " + name("b") + " netns " + name("b")}
	for i, end := range []string{"a", "b"} {
		in := "ip -n " + name(end) + " "
		commands = append(commands, fmt.Sprintf("%saddr add 10.213.77.%d/24 dev %s", in, i+1, name(end)), in+"link set "+name(end)+" up", in+"link set lo up", strings.Join(inside(end), " ")+" true")
	}
	for _, c := range commands {
		words := strings.Fields(c)
		if out, err := exec.Command(words[0], words[1:]...).CombinedOutput(); err != nil {
			t.Skipf("NAMESPACES SKIPPED: %s: %v %s", c, err, out)
		}
	}
	agent := filepath.Join(t.TempDir(), "agent")
	script := "#!/bin/sh\nshift\nexec " + strings.Join(inside("b"), " ") + " sh -c \"hostname nodeb; $*\"\n"
	if err := os.WriteFile(agent, []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	return func(first, second []string) *exec.Cmd {
		network := []string{"--host", "10.213.77.1:1,10.213.77.2:1", "--mca", "plm_rsh_agent", agent, "--mca", "btl", "self,tcp",
			"--mca", "btl_tcp_if_include", "10.213.77.0/24", "--mca", "oob_tcp_if_include", "10.213.77.0/24", "-n", "1"}
		c := testkit.Mpirun(t, 1, append(append(first, ":", "-n", "1"), second...)...)
		at := 1
		for c.Args[at] != "-n" {
			at++
		}
		args := append([]string{"sh", "-c", `hostname nodea; exec "$0" "$@"`, "mpirun"}, append(network, c.Args[at+2:]...)...)
		whole := append(inside("a"), args...)
		own := exec.CommandContext(t.Context(), whole[0], whole[1:]...)
		own.Env, own.WaitDelay = c.Env, c.WaitDelay
		return own
	}
}
