package cli

import (
	"github.com/spf13/cobra"

	"beziergp/cmd/beziergp/internal/draw"
	"beziergp/cmd/beziergp/internal/drift"
	"beziergp/cmd/beziergp/internal/effects"
	"beziergp/cmd/beziergp/internal/eval"
	"beziergp/cmd/beziergp/internal/explain"
	"beziergp/cmd/beziergp/internal/inspect"
	"beziergp/cmd/beziergp/internal/integrate"
	"beziergp/cmd/beziergp/internal/predict"
	"beziergp/cmd/beziergp/internal/report"
	"beziergp/cmd/beziergp/internal/sensitivity"
	"beziergp/cmd/beziergp/internal/streams"
	"beziergp/cmd/beziergp/internal/version"
)

// verbs leaves out what trains: one thread in a browser or a sandbox takes long over it.
func verbs(s *streams.Streams) []*cobra.Command {
	return []*cobra.Command{predict.Command(s), eval.Command(s), explain.Command(s), report.Command(s), drift.Command(s), effects.Command(s), sensitivity.Command(s), integrate.Command(s), draw.Command(s), inspect.Command(s), version.Command(s),
		leftOut("fit"), leftOut("cv"), leftOut("describe"), leftOut("demo"), leftOut("serve"), leftOut("bench"), leftOut("worker"), leftOut("export")}
}
