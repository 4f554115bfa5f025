package rest

import (
	"encoding/json"
	"errors"
	"net/http"
	"strconv"
	"strings"
	"time"

	"beziergp/server/oip"
)

// answer is what a request is answered with, and what is told of it afterwards.
type answer struct {
	http.ResponseWriter
	id, route, model string
	status           int
	began            time.Time
	wrote, panicked  bool
}

var errInternal = oip.Errorf(oip.Internal, "the server failed; its log says why, under the request's id")

// statuses are those of HTTP by the codes of errors.
var statuses = map[oip.Code]int{
	oip.Internal: http.StatusInternalServerError, oip.Invalid: http.StatusBadRequest, oip.Unauthenticated: http.StatusUnauthorized,
	oip.Forbidden: http.StatusForbidden, oip.NotFound: http.StatusNotFound, oip.TooLarge: http.StatusRequestEntityTooLarge,
	oip.Unsupported: http.StatusUnsupportedMediaType, oip.Busy: http.StatusTooManyRequests, oip.Unavailable: http.StatusServiceUnavailable,
	oip.Late: http.StatusGatewayTimeout,
}

// WriteHeader notes the status.
func (a *answer) WriteHeader(status int) {
	a.status, a.wrote = status, true
	a.ResponseWriter.WriteHeader(status)
}

func (a *answer) Write(p []byte) (int, error) {
	a.wrote = true
	return a.ResponseWriter.Write(p)
}

// Unwrap lets net/http set deadlines.
func (a *answer) Unwrap() http.ResponseWriter { return a.ResponseWriter }

// fail answers with an error, as the protocol has it.
func (a *answer) fail(err error) {
	var own *oip.Error
	if !errors.As(err, &own) {
		errors.As(errInternal, &own)
	}
	if a.wrote {
		return // it is too late; the connection ends
	}
	switch own.Code {
	case oip.Busy:
		after := max(own.RetryAfter, time.Second)
		a.Header().Set("Retry-After", strconv.Itoa(int(after.Round(time.Second)/time.Second)))
	case oip.Unauthenticated:
		a.Header().Set("WWW-Authenticate", "Bearer")
	}
	a.json(statuses[own.Code], map[string]string{"error": own.Message})
}

// json answers with a value.
func (a *answer) json(status int, v any) {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	a.body(status, "application/json", append(text, '\n'))
}

// body answers with bytes.
func (a *answer) body(status int, kind string, body []byte) {
	a.Header().Set("Content-Type", kind)
	a.Header().Set("Content-Length", strconv.Itoa(len(body)))
	a.WriteHeader(status)
	_, _ = a.Write(body) // who has gone need not be told
}

// requestID returns the name that a request brings, or a new one.
func requestID(r *http.Request, fresh func() string) string {
	id := r.Header.Get("X-Request-Id")
	if id == "" || len(id) > 128 || strings.IndexFunc(id, func(r rune) bool { return r <= ' ' || r > '~' || r == '"' || r == '\\' }) >= 0 {
		if fresh == nil {
			return ""
		}
		return fresh()
	}
	return id
}
