//go:build !lean && !wasm

package cli

import (
	"github.com/spf13/cobra"

	"beziergp/cmd/beziergp/internal/bench"
	"beziergp/cmd/beziergp/internal/cv"
	"beziergp/cmd/beziergp/internal/demo"
	"beziergp/cmd/beziergp/internal/describe"
	"beziergp/cmd/beziergp/internal/draw"
	"beziergp/cmd/beziergp/internal/drift"
	"beziergp/cmd/beziergp/internal/effects"
	"beziergp/cmd/beziergp/internal/eval"
	"beziergp/cmd/beziergp/internal/explain"
	"beziergp/cmd/beziergp/internal/export"
	"beziergp/cmd/beziergp/internal/fit"
	"beziergp/cmd/beziergp/internal/inspect"
	"beziergp/cmd/beziergp/internal/integrate"
	"beziergp/cmd/beziergp/internal/predict"
	"beziergp/cmd/beziergp/internal/report"
	"beziergp/cmd/beziergp/internal/sensitivity"
	"beziergp/cmd/beziergp/internal/serve"
	"beziergp/cmd/beziergp/internal/streams"
	"beziergp/cmd/beziergp/internal/version"
	"beziergp/cmd/beziergp/internal/worker"
)

// verbs returns the commands of the program, with the topics of its help.
func verbs(s *streams.Streams) []*cobra.Command {
	return append(fit.Topics(), fit.Command(s), predict.Command(s), eval.Command(s), explain.Command(s), report.Command(s), cv.Command(s), drift.Command(s), effects.Command(s), sensitivity.Command(s), integrate.Command(s), draw.Command(s), export.Command(s), inspect.Command(s), describe.Command(s), demo.Command(s),
		serve.Command(s), bench.Command(s), version.Command(s), worker.Command(s))
}
