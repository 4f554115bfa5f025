// Package rest is a service over HTTP: the Open Inference Protocol, version 2, with binary
// tensors, and for people rows as JSON, CSV or Arrow, a description in OpenAPI, and a page.
package rest

import (
	"log/slog"
	"net/http"
	"runtime/debug"
	"time"

	"beziergp/server/guard"
	"beziergp/server/infer"
	"beziergp/server/oip"
)

// Options are how requests are answered.
type Options struct {
	Tokens *guard.Tokens
	// Local says that the server is for this machine alone: requests by another name than its
	// own come from a page in a browser that was led astray, and are refused.
	Local bool
	// Body is how many bytes a body may have, unpacked, and Bodies how many all that are read
	// at a time may have together; by default 64 MiB and 512 MiB.
	Body, Bodies int64
	// Served, if not nil, is told of every request that was answered.
	Served func(Served)
	// Log, if not nil, is told what fails.
	Log *slog.Logger
	// NewID returns what names a request that brings no name.
	NewID func() string
	Now   func() time.Time
}

// Served is a request that was answered.
type Served struct {
	ID, Method, Route, Model string // Model of those that there are, else empty
	Status                   int
	Took                     time.Duration
	Panicked                 bool
}

// Handler answers requests.
type Handler struct {
	*infer.Service
	options Options
	bodies  budget
	mux     *http.ServeMux
	outside http.Handler
}

// route is a pattern of the mux, and what answers it.
type route struct {
	pattern string
	access  guard.Access
	answer  func(h *Handler, w *answer, r *http.Request) error
}

// routes are all that the server answers; openapi.json has the same.
var routes = []route{
	{"GET /v2/health/live", guard.None, (*Handler).live},
	{"GET /v2/health/ready", guard.None, (*Handler).ready},
	{"GET /v2", guard.Predict, (*Handler).server},
	{"GET /v2/{$}", guard.Predict, (*Handler).server},
	{"GET /v2/models/{model}", guard.Predict, (*Handler).model},
	{"GET /v2/models/{model}/versions/{version}", guard.Predict, (*Handler).model},
	{"GET /v2/models/{model}/ready", guard.Predict, (*Handler).modelReady},
	{"GET /v2/models/{model}/versions/{version}/ready", guard.Predict, (*Handler).modelReady},
	{"POST /v2/models/{model}/infer", guard.Predict, (*Handler).infer},
	{"POST /v2/models/{model}/versions/{version}/infer", guard.Predict, (*Handler).infer},
	{"POST /v2/repository/index", guard.Predict, (*Handler).index},
	{"POST /v2/repository/models/{model}/load", guard.Admin, (*Handler).load},
	{"POST /v2/repository/models/{model}/unload", guard.Admin, (*Handler).unload},
	{"GET /predict/{model}", guard.Predict, (*Handler).describe},
	{"POST /predict/{model}", guard.Predict, (*Handler).rows},
	{"GET /openapi.json", guard.None, (*Handler).openAPI},
	{"GET /{$}", guard.None, (*Handler).page},
}

// New returns a handler of a service.
func New(s *infer.Service, o Options) *Handler {
	if o.Body == 0 {
		o.Body = 64 << 20
	}
	if o.Bodies == 0 {
		o.Bodies = 512 << 20
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	h := &Handler{Service: s, options: o, mux: http.NewServeMux()}
	h.bodies.left.Store(o.Bodies)
	for _, r := range routes {
		h.mux.HandleFunc(r.pattern, func(w http.ResponseWriter, req *http.Request) { h.serve(w.(*answer), req, r) })
	}
	h.mux.HandleFunc("/", func(w http.ResponseWriter, req *http.Request) { h.elsewhere(w.(*answer), req) })
	// Refuses what pages of other sites send from a browser.
	origin := http.NewCrossOriginProtection()
	origin.SetDenyHandler(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.(*answer).fail(oip.Errorf(oip.Forbidden, "the request comes from a page of another site, as Sec-Fetch-Site or Origin says; send it from a program, or from this server's own page"))
	}))
	h.outside = origin.Handler(h.mux)
	return h
}

// ServeHTTP answers a request.
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	a := &answer{ResponseWriter: w, id: requestID(r, h.options.NewID), began: h.options.Now(), status: http.StatusOK}
	a.Header().Set("X-Request-Id", a.id)
	a.Header().Set("X-Content-Type-Options", "nosniff")
	a.Header().Set("Cache-Control", "no-store")
	if h.Draining() {
		a.Header().Set("Connection", "close")
	}
	defer func() {
		if v := recover(); v != nil {
			if v == http.ErrAbortHandler {
				panic(v)
			}
			a.panicked = true
			h.log("panic", slog.String("id", a.id), slog.Any("value", v), slog.String("stack", string(debug.Stack())))
			a.fail(errInternal)
		}
		h.served(a, r)
	}()
	h.outside.ServeHTTP(a, r)
}

func (h *Handler) serve(a *answer, r *http.Request, to route) {
	a.route = to.pattern
	if name := r.PathValue("model"); name != "" {
		if _, err := h.Repository.Model(name, ""); err == nil {
			a.model = name
		}
	}
	if err := h.admit(a, r, to.access); err != nil {
		a.fail(err)
		return
	}
	if err := to.answer(h, a, r); err != nil {
		a.fail(err)
	}
}

func (h *Handler) served(a *answer, r *http.Request) {
	if h.options.Served != nil {
		h.options.Served(Served{ID: a.id, Method: r.Method, Route: a.route, Model: a.model, Status: a.status, Took: h.options.Now().Sub(a.began), Panicked: a.panicked})
	}
}

func (h *Handler) log(message string, fields ...any) {
	if h.options.Log != nil {
		h.options.Log.Error(message, fields...)
	}
}
