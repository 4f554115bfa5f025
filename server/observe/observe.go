// Package observe counts what a server does, for Prometheus.
package observe

import (
	"math"
	"net/http"
	"strconv"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"beziergp/box"
	"beziergp/model"
	"beziergp/serve"
	"beziergp/server/engine"
)

// Metrics are the numbers of a server. It is safe for concurrent use.
type Metrics struct {
	registry *prometheus.Registry

	requests  *prometheus.CounterVec   // route, model, code
	seconds   *prometheus.HistogramVec // route
	panics    prometheus.Counter
	rows      *prometheus.CounterVec   // model
	batches   *prometheus.CounterVec   // model
	size      *prometheus.HistogramVec // model
	queue     *prometheus.HistogramVec // model
	compute   *prometheus.HistogramVec // model
	outside   *prometheus.CounterVec   // model, reason
	missing   *prometheus.CounterVec   // model
	deviation *prometheus.HistogramVec // model
	loads     *prometheus.CounterVec   // model, result
}

// reasons are the names of why rows lie outside, as reports have them.
var reasons = map[box.Reason]string{box.Beyond: "outside_box", box.NewLevel: "new_level", box.NewGap: "new_missing"}

// New returns metrics without a request. waiting tells how many requests and rows wait, and
// models how many models answer.
func New(waiting func() (tasks, rows int), models func() int) *Metrics {
	m := &Metrics{registry: prometheus.NewRegistry()}
	counter := func(name, help string, labels ...string) *prometheus.CounterVec {
		c := prometheus.NewCounterVec(prometheus.CounterOpts{Namespace: "beziergp", Name: name, Help: help}, labels)
		m.registry.MustRegister(c)
		return c
	}
	histogram := func(name, help string, buckets []float64, labels ...string) *prometheus.HistogramVec {
		h := prometheus.NewHistogramVec(prometheus.HistogramOpts{Namespace: "beziergp", Name: name, Help: help, Buckets: buckets}, labels)
		m.registry.MustRegister(h)
		return h
	}
	gauge := func(name, help string, value func() float64) {
		m.registry.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{Namespace: "beziergp", Name: name, Help: help}, value))
	}
	times := prometheus.ExponentialBuckets(0.0001, 3.1622776601683795, 12) // 0.1 ms to 30 s
	m.requests = counter("requests_total", "Requests by route, model and status.", "route", "model", "code")
	m.seconds = histogram("request_seconds", "Time from a request to its answer.", times, "route")
	panics := counter("panics_total", "Requests on which the code panicked.")
	m.panics = panics.WithLabelValues()
	m.rows = counter("rows_total", "Rows that were predicted.", "model")
	m.batches = counter("batches_total", "Tiles of rows that were predicted together.", "model")
	m.size = histogram("batch_requests", "Requests whose rows were predicted together.", prometheus.ExponentialBuckets(1, 2, 10), "model")
	m.queue = histogram("queue_seconds", "Time that a request waited for its first row.", times, "model")
	m.compute = histogram("compute_seconds", "Time that a tile of rows took.", times, "model")
	m.outside = counter("rows_outside_total", "Rows unlike all training rows: beyond a bound, with a new level, without a value that none lacked.", "model", "reason")
	m.missing = counter("missing_values_total", "Values that were missing.", "model")
	m.deviation = histogram("predicted_deviation", "Predicted deviation, in deviations of the target in training.", []float64{0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1, 1.25, 1.5, 2}, "model")
	m.loads = counter("model_loads_total", "Versions of models that were read, by result.", "model", "result")
	gauge("pending_requests", "Requests with rows that wait.", func() float64 { n, _ := waiting(); return float64(n) })
	gauge("pending_rows", "Rows that wait.", func() float64 { _, n := waiting(); return float64(n) })
	gauge("models", "Models that answer.", func() float64 { return float64(models()) })
	m.registry.MustRegister(collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return m
}

// Handler answers what Prometheus asks, at any address.
func (m *Metrics) Handler() http.Handler {
	return promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{MaxRequestsInFlight: 4})
}

// Served counts a request. model is one that there is, or empty.
func (m *Metrics) Served(route, model, code string, took time.Duration, panicked bool) {
	if route == "" {
		route = "none"
	}
	m.requests.WithLabelValues(route, model, code).Inc()
	m.seconds.WithLabelValues(route).Observe(took.Seconds())
	if panicked {
		m.panics.Inc()
	}
}

// Panicked counts a panic that a request did not show.
func (m *Metrics) Panicked() { m.panics.Inc() }

// Loaded counts a version that was read, or could not be.
func (m *Metrics) Loaded(model string, ready bool) {
	result := "refused"
	if ready {
		result = "ready"
	}
	m.loads.WithLabelValues(model, result).Inc()
}

// Status is a status of HTTP as a label.
func Status(code int) string { return strconv.Itoa(code) }

// Observer returns what counts the work of a model.
func (m *Metrics) Observer(name string, of serve.Model) engine.Observer {
	o := &observer{box: box.New(of.Inputs()), scale: of.Target().SD,
		rows: m.rows.WithLabelValues(name), batches: m.batches.WithLabelValues(name), missing: m.missing.WithLabelValues(name),
		size: m.size.WithLabelValues(name), queue: m.queue.WithLabelValues(name), compute: m.compute.WithLabelValues(name),
		deviation: m.deviation.WithLabelValues(name), outside: map[box.Reason]prometheus.Counter{}}
	for reason, label := range reasons {
		o.outside[reason] = m.outside.WithLabelValues(name, label)
	}
	if of.Target().Transform != "" || of.Classes() != nil { // whose SD is that of the transformed target, or none
		o.scale = 0
	}
	return o
}

// observer counts the work of a model.
type observer struct {
	box                             box.Box
	scale                           float64 // 0 where it is not known
	rows, batches, missing          prometheus.Counter
	size, queue, compute, deviation prometheus.Observer
	outside                         map[box.Reason]prometheus.Counter
}

func (o *observer) Batch(tasks, rows int, took time.Duration) {
	o.rows.Add(float64(rows))
	o.batches.Inc()
	o.size.Observe(float64(tasks))
	o.compute.Observe(took.Seconds())
}

func (o *observer) Waited(d time.Duration) { o.queue.Observe(d.Seconds()) }

func (o *observer) Rows(columns [][]float64, p *model.Predictions) {
	missing := 0
	for _, column := range columns {
		for _, v := range column {
			if math.IsNaN(v) {
				missing++
			}
		}
	}
	o.missing.Add(float64(missing))
	for row, inside := range p.InBox {
		if o.scale > 0 && !math.IsNaN(p.Std[row]) {
			o.deviation.Observe(p.Std[row] / o.scale)
		}
		if !inside {
			o.unlike(columns, row)
		}
	}
}

// unlike counts why a row lies outside.
func (o *observer) unlike(columns [][]float64, row int) {
	met := map[box.Reason]bool{}
	for i, in := range o.box.Inputs {
		if reason := in.Reason(columns[o.box.Column(i)][row]); reason != box.Inside {
			met[reason] = true
		}
	}
	for reason := range met {
		o.outside[reason].Inc()
	}
}
