// Package serve is the verb that puts models on the network.
package serve

import (
	"time"

	"github.com/spf13/cobra"

	"beziergp/cmd/beziergp/internal/exit"
	"beziergp/cmd/beziergp/internal/option"
	"beziergp/cmd/beziergp/internal/streams"
	"beziergp/server"
)

// Options are the flags of serve.
type Options struct {
	Listen, GRPC, Metrics string
	Insecure              bool
	Certificate, Key, CA  string
	Token, AdminToken     string // files
	Reload                server.Reload
	Poll                  time.Duration
	Lanes                 int
	QueueRows             int
	QueueTime             time.Duration
	Body                  int64
	Elements              int
	Connections           int
	Timeout, Drain        time.Duration
	AccessLog             bool
	Collector             string
}

// off is the address of what is not to listen.
const off = "off"

// Command returns the verb.
func Command(s *streams.Streams) *cobra.Command {
	o := &Options{Listen: "127.0.0.1:8080", GRPC: "127.0.0.1:8081", Metrics: "127.0.0.1:8082", Reload: server.ReloadNone,
		Poll: 10 * time.Second, QueueRows: 1 << 18, QueueTime: 500 * time.Millisecond, Body: 64 << 20, Elements: 1 << 24, Connections: 16384, Timeout: 30 * time.Second, Drain: 30 * time.Second}
	cmd := &cobra.Command{
		Use:   "serve PATH…",
		Short: "Answer requests for predictions over HTTP and gRPC",
		Long: `Answer requests for predictions over the network, by the Open Inference Protocol
V2, which the clients of KServe, Triton and MLServer speak, and by simpler requests:

  POST /predict/NAME            rows as JSON objects, CSV or an Arrow file; answers in
                                kind, with the columns of predict
  POST /v2/models/NAME/infer    tensors in and out, in JSON or binary
  GET  /                        a page with a form for every model
  GET  /openapi.json            the description of all the rest

A PATH is a model file, named without its ending, or a folder DIR with models
DIR/NAME/VERSION/model.bgp, of which the highest version that can be used answers.
A model of several targets is not served: fit one for each.

Parameters, in the query of /predict/NAME or among those of a tensor request, are
options of predict: level, interval, point, out_of_box, quantiles (0.1,0.9), sets of
classes, probabilities of counts (0,1,2), and explain, which adds what every column
adds to a prediction.

Only this machine is answered, unless --listen says otherwise: other addresses take
--tls-cert and --tls-key, and --token-file or --client-ca, or --insecure. A token may
be in the environment, BEZIERGP_TOKEN and BEZIERGP_ADMIN_TOKEN, in the place of a file.

SIGTERM and ctrl-C end the server when requests under way are answered, a second one at once.
SIGHUP reads models that have changed. Measurements for Prometheus are at
http://127.0.0.1:8082/metrics.`,
		Example: `
  beziergp serve houses.bgp
  curl -s localhost:8080/predict/houses -H 'Content-Type: text/csv' --data-binary @new.csv
  beziergp serve models --listen :8443 --tls-cert cert.pem --tls-key key.pem --token-file token --reload poll`,
		Args: cobra.MinimumNArgs(1),
		RunE: exit.Run(func(cmd *cobra.Command, args []string) error {
			return Run(cmd.Context(), *s, args, o)
		}),
	}
	listening, safety, models, limits, watching := option.NewSection("Listening"), option.NewSection("Safety"), option.NewSection("Models"), option.NewSection("Limits"), option.NewSection("Watching")
	listening.Flags.StringVar(&o.Listen, "listen", o.Listen, "`HOST:PORT` of HTTP; off for none; port 0 for any that is free")
	listening.Flags.StringVar(&o.GRPC, "grpc", o.GRPC, "`HOST:PORT` of gRPC; off for none")
	listening.Flags.StringVar(&o.Metrics, "metrics", o.Metrics, "`HOST:PORT` of measurements for Prometheus; off for none")
	safety.Flags.StringVar(&o.Certificate, "tls-cert", "", "`FILE` with the server's certificate in PEM, read again when it changes")
	safety.Flags.StringVar(&o.Key, "tls-key", "", "`FILE` with its key")
	safety.Flags.StringVar(&o.CA, "client-ca", "", "`FILE` with authorities, one of which must have signed the certificate of every client")
	safety.Flags.StringVar(&o.Token, "token-file", "", "`FILE` with tokens, one a line, that callers show: Authorization: Bearer TOKEN")
	safety.Flags.StringVar(&o.AdminToken, "admin-token-file", "", "`FILE` with tokens of those who may load and unload models, too")
	safety.Flags.BoolVar(&o.Insecure, "insecure", false, "let others than this machine in without certificate and token")
	models.Flags.Var(option.Choice(&o.Reload, server.ReloadNone, server.ReloadExplicit, server.ReloadPoll), "reload", "read models again: none, at SIGHUP alone; explicit, when a client asks; poll, when files change")
	models.Flags.Var(option.Duration(&o.Poll), "poll-every", "how often to look at files with --reload poll")
	limits.Flags.Var(option.Workers(&o.Lanes), "workers", "processors to use (default all)")
	limits.Flags.Var(option.Rows(&o.QueueRows), "queue-rows", "rows that may wait; requests beyond are told to come again")
	limits.Flags.Var(option.Duration(&o.QueueTime), "queue-time", "time that a request may wait for its first row; those that would wait longer are told to come again")
	limits.Flags.Var(option.Bytes(&o.Body), "max-body", "size of a request, unpacked")
	limits.Flags.Var(option.Rows(&o.Elements), "max-values", "rows times columns of a request")
	limits.Flags.Var(option.Count(&o.Connections), "max-connections", "connections at a time, of HTTP and of gRPC")
	limits.Flags.Var(option.Duration(&o.Timeout), "timeout", "time that a request may take once it is read")
	limits.Flags.Var(option.Duration(&o.Drain), "drain", "time that requests under way may take at the end")
	watching.Flags.StringVar(&o.Collector, "otlp-endpoint", "", "`URL` of a collector of OpenTelemetry, http://HOST:4318, that traces are sent to (default that of OTEL_EXPORTER_OTLP_ENDPOINT, or none)")
	watching.Flags.BoolVar(&o.AccessLog, "access-log", false, "log every request, not only those that failed here")
	option.Attach(cmd, listening, safety, models, limits, watching)
	return cmd
}
