//go:build unix

package testkit

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"
)

// Browser drives Chromium through two pipes, by a JSON object a message (Chrome DevTools
// Protocol). A library for it would be a hundred packages to compile for one test.
type Browser struct {
	t       *testing.T
	in      *os.File
	out     *bufio.Reader
	session string
	last    int
	// Events are what the browser has told of since a page was shown.
	Events []Message
}

// Message is one that goes either way.
type Message struct {
	ID     int                       `json:"id,omitempty"`
	Method string                    `json:"method,omitempty"`
	Params any                       `json:"params,omitempty"`
	On     string                    `json:"sessionId,omitempty"`
	Result json.RawMessage           `json:"result,omitempty"`
	Error  *struct{ Message string } `json:"error,omitempty"`
}

// OpenBrowser starts a browser with a page; without one the test is skipped.
func OpenBrowser(t *testing.T) *Browser {
	t.Helper()
	var program string
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			program = path
			break
		}
	}
	if program == "" {
		if CI() {
			t.Fatal("Chromium is not installed")
		}
		t.Skip("Chromium is not installed (Debian: apt-get install chromium)")
	}
	if testing.Short() {
		t.Skip("starts a browser")
	}
	fromUs, in, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	out, toUs, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	c := exec.Command(program, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run", "--user-data-dir="+profile(t), "--remote-debugging-pipe")
	c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	c.ExtraFiles = []*os.File{fromUs, toUs} // 3 and 4 in the browser
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	fromUs.Close()
	toUs.Close()
	b := &Browser{t: t, in: in, out: bufio.NewReader(out)}
	// Its helpers outlive the browser itself, and write on: the whole group is killed.
	kill := func() { _ = syscall.Kill(-c.Process.Pid, syscall.SIGKILL) }
	stuck := time.AfterFunc(5*time.Minute, kill)
	t.Cleanup(func() {
		stuck.Stop()
		_ = in.Close()
		kill()
		_ = c.Wait()
		_ = out.Close()
	})
	var made struct{ TargetID, SessionID string }
	b.Call("Target.createTarget", map[string]any{"url": "about:blank"}, &made)
	b.Call("Target.attachToTarget", map[string]any{"targetId": made.TargetID, "flatten": true}, &made)
	b.session = made.SessionID
	return b
}

// profile is a directory that is removed at the end. What the browser has started may not
// be dead when the browser is, and makes files while they are removed: it is tried again.
func profile(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "browser")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		for deadline := time.Now().Add(20 * time.Second); ; time.Sleep(50 * time.Millisecond) {
			err := os.RemoveAll(dir)
			if err == nil {
				return
			}
			if time.Now().After(deadline) {
				t.Errorf("the browser's files are still in use: %v", err)
				return
			}
		}
	})
	return dir
}

func (b *Browser) read() Message {
	b.t.Helper()
	text, err := b.out.ReadBytes(0)
	if err != nil {
		b.t.Fatal("the browser ended: ", err)
	}
	var m Message
	if err := json.Unmarshal(text[:len(text)-1], &m); err != nil {
		b.t.Fatal(err)
	}
	return m
}

// Call asks for something and waits for the answer.
func (b *Browser) Call(method string, params, result any) {
	b.t.Helper()
	b.last++
	text, err := json.Marshal(Message{ID: b.last, Method: method, Params: params, On: b.session})
	if err == nil {
		_, err = b.in.Write(append(text, 0))
	}
	if err != nil {
		b.t.Fatal(err)
	}
	for {
		m := b.read()
		switch {
		case m.ID != b.last:
			b.Events = append(b.Events, m)
		case m.Error != nil:
			b.t.Fatalf("%s: %s", method, m.Error.Message)
		default:
			if result != nil {
				err = json.Unmarshal(m.Result, result)
			}
			if err != nil {
				b.t.Fatal(err)
			}
			return
		}
	}
}

// Wait returns when an event has come.
func (b *Browser) Wait(method string) {
	b.t.Helper()
	for _, m := range b.Events {
		if m.Method == method {
			return
		}
	}
	for {
		m := b.read()
		b.Events = append(b.Events, m)
		if m.Method == method {
			return
		}
	}
}

// Value returns what an expression is in the page, as text.
func (b *Browser) Value(expression string) string {
	b.t.Helper()
	var r struct {
		Result           struct{ Value any }
		ExceptionDetails *struct{ Text string }
	}
	b.Call("Runtime.evaluate", map[string]any{"expression": "Promise.resolve(" + expression + ").then(String)", "awaitPromise": true}, &r)
	if r.ExceptionDetails != nil {
		b.t.Fatalf("%s: %s", expression, r.ExceptionDetails.Text)
	}
	return fmt.Sprint(r.Result.Value)
}

// Wants fails unless an expression is true.
func (b *Browser) Wants(what, expression string) {
	b.t.Helper()
	if got := b.Value(expression); got != "true" {
		b.t.Errorf("%s: %s is %s", what, expression, got)
	}
}

// Show loads a page at a width, with the network on or off.
func (b *Browser) Show(url string, width int, online bool) {
	b.t.Helper()
	b.Events = nil
	for _, domain := range []string{"Page", "Network", "Runtime", "Log"} {
		b.Call(domain+".enable", nil, nil)
	}
	rate := 0
	if online {
		rate = -1
	}
	b.Call("Network.emulateNetworkConditions", map[string]any{"offline": !online, "latency": 0, "downloadThroughput": rate, "uploadThroughput": rate}, nil)
	b.Call("Emulation.setDeviceMetricsOverride", map[string]any{"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width < 500}, nil)
	b.Call("Page.navigate", map[string]any{"url": url}, nil)
	b.Wait("Page.loadEventFired")
}

// Silent fails where the page has said something on the console, has been refused something, has
// opened a dialog, or has asked for anything whose address does not begin as its own. It returns
// how often it has asked.
func (b *Browser) Silent(own string) (requests int) {
	b.t.Helper()
	b.Value("new Promise(done => setTimeout(done, 50))")
	for _, m := range b.Events {
		text, _ := json.Marshal(m.Params)
		switch m.Method {
		case "Network.requestWillBeSent":
			var asked struct{ Request struct{ URL string } }
			if requests++; json.Unmarshal(text, &asked) != nil || !strings.HasPrefix(asked.Request.URL, own) {
				b.t.Errorf("the page asks for %s", text)
			}
		case "Runtime.consoleAPICalled", "Runtime.exceptionThrown", "Log.entryAdded", "Page.javascriptDialogOpening":
			b.t.Errorf("%s: %.500s", m.Method, text)
		}
	}
	return requests
}
