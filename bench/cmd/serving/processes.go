package main

import (
	"bytes"
	"context"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"time"
)

// running is a server that runs.
type running struct {
	name, url string
	command   *exec.Cmd
	said      *bytes.Buffer
}

// start starts a server and waits until it says at a path that it is ready.
func start(ctx context.Context, name, url, ready string, command *exec.Cmd) (*running, error) {
	r := &running{name, url, command, &bytes.Buffer{}}
	command.Stdout, command.Stderr = r.said, r.said
	if err := command.Start(); err != nil {
		return nil, err
	}
	ended := make(chan error, 1)
	go func() { ended <- command.Wait() }()
	client := &http.Client{Timeout: time.Second}
	for range 600 {
		if answer, err := client.Get(url + ready); err == nil {
			answer.Body.Close()
			if answer.StatusCode == http.StatusOK {
				return r, nil
			}
		}
		select {
		case err := <-ended:
			return nil, fmt.Errorf("%s ends: %v: %s", name, err, r.said)
		case <-ctx.Done():
			r.stop()
			return nil, ctx.Err()
		case <-time.After(200 * time.Millisecond):
		}
	}
	r.stop()
	return nil, fmt.Errorf("%s does not become ready: %s", name, r.said)
}

func (r *running) stop() { _ = r.command.Process.Signal(syscall.SIGTERM) }

// ports returns ports that nothing listens at.
func ports(n int) (all []int, err error) {
	for range n {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			return nil, err
		}
		defer l.Close()
		all = append(all, l.Addr().(*net.TCPAddr).Port)
	}
	return all, nil
}

// startOwn starts the program with a model.
func startOwn(ctx context.Context, program, model string) (*running, error) {
	p, err := ports(1)
	if err != nil {
		return nil, err
	}
	address := fmt.Sprintf("127.0.0.1:%d", p[0])
	return start(ctx, "beziergp serve", "http://"+address, "/v2/health/ready",
		exec.CommandContext(ctx, program, "serve", model, "--listen", address, "--grpc", "off", "--metrics", "off"))
}

// startPeer has Python fit a Gaussian process to the table, and MLServer serve it.
func startPeer(ctx context.Context, python, table, dir string, workers int) (*running, error) {
	dir = filepath.Join(dir, "mlserver")
	if err := os.Mkdir(dir, 0o755); err != nil {
		return nil, err
	}
	p, err := ports(3)
	if err != nil {
		return nil, err
	}
	fit := exec.CommandContext(ctx, python, "bench/peers/serving.py", table, dir, fmt.Sprint(p[0]), fmt.Sprint(p[1]), fmt.Sprint(p[2]), fmt.Sprint(workers))
	if text, err := fit.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("%w: %s", err, text)
	}
	command := exec.CommandContext(ctx, filepath.Join(filepath.Dir(python), "mlserver"), "start", ".")
	command.Dir = dir
	return start(ctx, "MLServer", fmt.Sprintf("http://127.0.0.1:%d", p[0]), "/v2/models/friedman/ready", command)
}
