//go:build unix

package report_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
)

// browser drives Chromium through two pipes, by a JSON object a message (Chrome DevTools
// Protocol). A library for it would be a hundred packages to compile for one test.
type browser struct {
	t       *testing.T
	in      *os.File
	out     *bufio.Reader
	session string
	last    int
	events  []message // that came while an answer was waited for
}

type message struct {
	ID     int                       `json:"id,omitempty"`
	Method string                    `json:"method,omitempty"`
	Params any                       `json:"params,omitempty"`
	On     string                    `json:"sessionId,omitempty"`
	Result json.RawMessage           `json:"result,omitempty"`
	Error  *struct{ Message string } `json:"error,omitempty"`
}

// open starts a browser with a page; without one the test is skipped.
func open(t *testing.T) *browser {
	t.Helper()
	var program string
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			program = path
			break
		}
	}
	if program == "" {
		if os.Getenv("CI") == "true" {
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
	c := exec.Command(program, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run", "--user-data-dir="+t.TempDir(), "--remote-debugging-pipe")
	c.ExtraFiles = []*os.File{fromUs, toUs} // 3 and 4 in the browser
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	fromUs.Close()
	toUs.Close()
	b := &browser{t: t, in: in, out: bufio.NewReader(out)}
	stuck := time.AfterFunc(5*time.Minute, func() { _ = c.Process.Kill() })
	t.Cleanup(func() {
		stuck.Stop()
		_ = in.Close()
		_ = c.Process.Kill()
		_ = c.Wait()
		_ = out.Close()
	})
	var made struct{ TargetID, SessionID string }
	b.call("Target.createTarget", map[string]any{"url": "about:blank"}, &made)
	b.call("Target.attachToTarget", map[string]any{"targetId": made.TargetID, "flatten": true}, &made)
	b.session = made.SessionID
	return b
}

func (b *browser) read() message {
	b.t.Helper()
	text, err := b.out.ReadBytes(0)
	if err != nil {
		b.t.Fatal("the browser ended: ", err)
	}
	var m message
	if err := json.Unmarshal(text[:len(text)-1], &m); err != nil {
		b.t.Fatal(err)
	}
	return m
}

// call asks for something and waits for the answer.
func (b *browser) call(method string, params, result any) {
	b.t.Helper()
	b.last++
	text, err := json.Marshal(message{ID: b.last, Method: method, Params: params, On: b.session})
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
			b.events = append(b.events, m)
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

// wait returns when an event has come.
func (b *browser) wait(method string) {
	b.t.Helper()
	for _, m := range b.events {
		if m.Method == method {
			return
		}
	}
	for {
		m := b.read()
		b.events = append(b.events, m)
		if m.Method == method {
			return
		}
	}
}

// value returns what an expression is in the page, as text.
func (b *browser) value(expression string) string {
	b.t.Helper()
	var r struct {
		Result           struct{ Value any }
		ExceptionDetails *struct{ Text string }
	}
	b.call("Runtime.evaluate", map[string]any{"expression": "Promise.resolve(" + expression + ").then(String)", "awaitPromise": true}, &r)
	if r.ExceptionDetails != nil {
		b.t.Fatalf("%s: %s", expression, r.ExceptionDetails.Text)
	}
	return fmt.Sprint(r.Result.Value)
}

// wants fails unless an expression is true.
func (b *browser) wants(what, expression string) {
	b.t.Helper()
	if got := b.value(expression); got != "true" {
		b.t.Errorf("%s: %s is %s", what, expression, got)
	}
}

// shows loads a page from its file at a width, with the network off.
func (b *browser) shows(page string, width int) {
	b.t.Helper()
	file := filepath.Join(b.t.TempDir(), "report.html")
	if err := os.WriteFile(file, []byte(page), 0o600); err != nil {
		b.t.Fatal(err)
	}
	b.events = nil
	for _, domain := range []string{"Page", "Network", "Runtime", "Log"} {
		b.call(domain+".enable", nil, nil)
	}
	b.call("Network.emulateNetworkConditions", map[string]any{"offline": true, "latency": 0, "downloadThroughput": 0, "uploadThroughput": 0}, nil)
	b.call("Emulation.setDeviceMetricsOverride", map[string]any{"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width < 500}, nil)
	b.call("Page.navigate", map[string]any{"url": "file://" + file}, nil)
	b.wait("Page.loadEventFired")
}

// silent fails where the page has said something on the console, has been refused something, has
// opened a dialog, or has asked for anything but itself.
func (b *browser) silent() {
	b.t.Helper()
	b.value("new Promise(done => setTimeout(done, 50))")
	requests := 0
	for _, m := range b.events {
		text, _ := json.Marshal(m.Params)
		switch m.Method {
		case "Network.requestWillBeSent":
			if requests++; !bytes.Contains(text, []byte("report.html")) {
				b.t.Errorf("the page asks for %s", text)
			}
		case "Runtime.consoleAPICalled", "Runtime.exceptionThrown", "Log.entryAdded", "Page.javascriptDialogOpening":
			b.t.Errorf("%s: %.500s", m.Method, text)
		}
	}
	if requests != 1 {
		b.t.Errorf("%d requests", requests)
	}
}
