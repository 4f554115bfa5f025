//go:build unix

package server_test

import (
	"bufio"
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"beziergp/server"
	"beziergp/server/engine"
)

// A server in a process of its own is this test's program, with this variable.
const serverVariable = "BEZIERGP_TEST_SERVER"

// settings are what a server in a process of its own is given.
type settings struct {
	Paths                        []string
	Lanes, QueueRows, QueueTasks int
	Body                         int64
}

func TestMain(m *testing.M) {
	var err error
	switch text := os.Getenv(serverVariable); {
	case os.Getenv(offerVariable) != "":
		err = offerAlone()
	case text != "":
		err = serveAlone(text)
	default:
		os.Exit(m.Run())
	}
	if err != nil {
		println(err.Error())
		os.Exit(1)
	}
}

func serveAlone(text string) error {
	var s settings
	if err := json.Unmarshal([]byte(text), &s); err != nil {
		return err
	}
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	s.Lanes = server.Spare(s.Lanes)
	own, err := server.New(server.Options{Paths: s.Paths, REST: "127.0.0.1:0", GRPC: "127.0.0.1:0", Body: s.Body,
		Engine: engine.Options{Lanes: s.Lanes, QueueRows: s.QueueRows, QueueTasks: s.QueueTasks}})
	if err != nil {
		return err
	}
	println(own.Address("rest"), own.Address("grpc"))
	return own.Serve(ctx)
}

// process is a server in a process of its own.
type alone struct {
	*place
	command *exec.Cmd
	ended   chan error
	grpc    string
}

func launch(t *testing.T, s settings) *alone {
	t.Helper()
	if s.Paths == nil {
		s.Paths = []string{process}
	}
	text, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	a := &alone{place: &place{t: t}, command: exec.Command(os.Args[0]), ended: make(chan error, 1)}
	a.command.Env = append(os.Environ(), serverVariable+"="+string(text))
	says, err := a.command.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := a.command.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(says)
	if !lines.Scan() {
		t.Fatal("the server says nothing")
	}
	addresses := strings.Fields(lines.Text())
	if len(addresses) != 2 {
		t.Fatal(lines.Text())
	}
	a.url, a.grpc = "http://"+addresses[0], addresses[1]
	go func() {
		for lines.Scan() {
			t.Log("server: ", lines.Text())
		}
		a.ended <- a.command.Wait()
	}()
	t.Cleanup(func() { _ = a.command.Process.Kill() })
	return a
}

// terminate sends SIGTERM, and returns what the process ended with and after how long.
func (a *alone) terminate() (error, time.Duration) {
	began := time.Now()
	if err := a.command.Process.Signal(syscall.SIGTERM); err != nil {
		return err, 0
	}
	select {
	case err := <-a.ended:
		return err, time.Since(began)
	case <-time.After(time.Minute):
		return context.DeadlineExceeded, time.Minute
	}
}

// memory returns how many bytes the process has in memory, and had at most; 0 where the
// system does not tell.
func (a *alone) memory() (now, most int64) {
	text, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(a.command.Process.Pid), "status"))
	if err != nil {
		return 0, 0
	}
	for line := range strings.Lines(string(text)) {
		fields := strings.Fields(line)
		if len(fields) == 3 {
			n, _ := strconv.ParseInt(fields[1], 10, 64)
			switch fields[0] {
			case "VmRSS:":
				now = n << 10
			case "VmHWM:":
				most = n << 10
			}
		}
	}
	return now, most
}

// long tells whether tests of load take their full time, as BEZIERGP_LONG=1 has them do: a
// minute each. Times are held to their limits then alone, for on a machine that does other
// things beside they tell of these.
func long() bool { return os.Getenv("BEZIERGP_LONG") != "" }
