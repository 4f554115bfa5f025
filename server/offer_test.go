//go:build unix

package server_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// Clients in a process of their own are this test's program, with this variable.
const offerVariable = "BEZIERGP_TEST_OFFER"

// offer is requests that are sent at a rate a second, whether or not others are answered.
type offer struct {
	URL, Body string
	Rate      float64
	Span      time.Duration
}

// connections is how many clients an offer comes from.
const connections = 500

// came is what came of them: how many by status, of which 0 is no answer, and what should not be.
type came struct {
	By     map[int]int
	Unwell []string
}

// offerApart makes an offer from a process of its own, of a lower priority: clients are on other
// machines, and here they would take from the server, and from who measures it, what belongs
// to these.
func offerApart(t *testing.T, o offer) (c came) {
	t.Helper()
	text, err := json.Marshal(o)
	if err != nil {
		t.Fatal(err)
	}
	command := exec.Command("nice", "-n", "10", os.Args[0])
	command.Env = append(os.Environ(), offerVariable+"=1")
	command.Stdin, command.Stderr = bytes.NewReader(text), os.Stderr
	said, err := command.Output()
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(said, &c); err != nil {
		t.Fatalf("%v: %s", err, said)
	}
	return c
}

// offerAlone makes the offer of standard input, and tells standard output what came of it.
func offerAlone() error {
	var o offer
	if err := json.NewDecoder(os.Stdin).Decode(&o); err != nil {
		return err
	}
	return json.NewEncoder(os.Stdout).Encode(o.make())
}

func (o offer) make() came {
	// More are not needed while answers come in a few tenths of a second. A connection on which
	// nothing was asked yet is closed by the server after ten seconds.
	transport := &http.Transport{MaxConnsPerHost: connections, MaxIdleConnsPerHost: connections, IdleConnTimeout: 5 * time.Second}
	defer transport.CloseIdleConnections()
	client := &http.Client{Transport: transport, Timeout: time.Minute}
	c := came{By: map[int]int{}}
	var mu sync.Mutex
	var wait sync.WaitGroup
	var under atomic.Int64
	began := time.Now()
	for n := 0; time.Since(began) < o.Span; n++ {
		if ahead := time.Duration(float64(n)/o.Rate*float64(time.Second)) - time.Since(began); ahead > 0 {
			time.Sleep(ahead)
		}
		if under.Load() > 4000 { // of this process's own memory
			continue
		}
		under.Add(1)
		wait.Go(func() {
			defer under.Add(-1)
			code, err := post(client, o.URL, o.Body)
			mu.Lock()
			defer mu.Unlock()
			if c.By[code]++; err != nil && len(c.Unwell) < 5 {
				c.Unwell = append(c.Unwell, err.Error())
			}
		})
	}
	wait.Wait()
	return c
}

// post sends a request, which is answered, or turned away with the time to come again.
func post(client *http.Client, url, body string) (code int, err error) {
	response, err := client.Post(url, "application/json", strings.NewReader(body))
	if err != nil {
		return 0, err
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if code = response.StatusCode; code != 200 && code != 429 || code == 429 && response.Header.Get("Retry-After") == "" {
		err = fmt.Errorf("%d %s", code, text)
	}
	return code, err
}
