package main

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// line is a connection that is kept, over which one request at a time is sent and answered. It
// knows as much of HTTP as the answers that are measured need: on the servers' own processors a
// client that does more takes from them what it does.
type line struct {
	net.Conn
	in *bufio.Reader
}

// longest is how long an answer may take.
const longest = 30 * time.Second

func dial(address string) (*line, error) {
	c, err := net.Dial("tcp", address)
	if err != nil {
		return nil, err
	}
	return &line{c, bufio.NewReader(c)}, nil
}

// ask sends a request, and reads the answer.
func (l *line) ask(request []byte) (status int, body []byte, err error) {
	if err := l.SetDeadline(time.Now().Add(longest)); err != nil {
		return 0, nil, err
	}
	if _, err := l.Write(request); err != nil {
		return 0, nil, err
	}
	head, err := l.in.ReadSlice('\n')
	if err != nil {
		return 0, nil, err
	}
	if len(head) < 12 {
		return 0, nil, fmt.Errorf("the answer begins with %q", head)
	}
	if status, err = strconv.Atoi(string(head[9:12])); err != nil {
		return 0, nil, err
	}
	length := -1
	for {
		text, err := l.in.ReadSlice('\n')
		if err != nil {
			return 0, nil, err
		}
		if text = bytes.TrimSpace(text); len(text) == 0 {
			break
		}
		name, value, _ := bytes.Cut(text, []byte(":"))
		if strings.EqualFold(string(name), "Content-Length") {
			if length, err = strconv.Atoi(string(bytes.TrimSpace(value))); err != nil {
				return 0, nil, err
			}
		}
	}
	if length < 0 {
		return 0, nil, fmt.Errorf("the answer, %d, has no Content-Length", status)
	}
	body = make([]byte, length)
	_, err = io.ReadFull(l.in, body)
	return status, body, err
}

// post returns the bytes of a request.
func post(address, path string, body []byte) []byte {
	head := fmt.Sprintf("POST %s HTTP/1.1\r\nHost: %s\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n", path, address, len(body))
	return append([]byte(head), body...)
}

// refused tells whether a status says that too much is asked.
func refused(status int) bool {
	return status == http.StatusTooManyRequests || status == http.StatusServiceUnavailable
}
