package report

import (
	"cmp"
	"fmt"
	"math"
	"strings"

	"beziergp/internal/printable"
)

// measure is one of the things that tables show.
type measure struct {
	name, title string
	of          func(*cell) Stat
	text        func(v float64) string
	// best is −1 where small values are good, 1 where large ones are, 0 where neither is.
	best int
	// timed measures are of those fits alone that had a machine to themselves, if any had.
	timed bool
	// some is a measure of some targets alone, which is shown where there are such.
	some bool
}

func measures() []measure {
	return []measure{
		{"rmse", "RMSE", func(c *cell) Stat { return c.rmse }, number, -1, false, false},
		{"ll", "Log-likelihood of a test row", func(c *cell) Stat { return Stat{-c.nlpd.Mean, c.nlpd.SD} }, number, 1, false, false},
		{"crps", "CRPS", func(c *cell) Stat { return c.crps }, number, -1, false, false},
		{"coverage95", "Share of test rows in their 95 % interval", func(c *cell) Stat { return c.coverage }, share, 0, false, false},
		{"conformal95", "Share of test rows in their conformal interval", func(c *cell) Stat { return c.conformal }, share, 0, false, false},
		{name: "log_loss", title: "Log loss of a test row", of: func(c *cell) Stat { return c.logLoss }, text: number, best: -1, some: true},
		{name: "deviance", title: "Deviance of a test row", of: func(c *cell) Stat { return c.deviance }, text: number, best: -1, some: true},
		{name: "accuracy", title: "Accuracy", of: func(c *cell) Stat { return c.accuracy }, text: share, best: 1, some: true},
		{name: "ece", title: "Expected calibration error", of: func(c *cell) Stat { return c.ece }, text: number, best: -1, some: true},
		{"fit_seconds", "Seconds to fit", func(c *cell) Stat { return c.fit }, number, 0, true, false},
		{"cpu_seconds", "Seconds of all processors together to fit", func(c *cell) Stat { return c.cpu }, number, 0, false, false},
		{"predict_seconds", "Seconds to predict and score", func(c *cell) Stat { return c.predict }, number, 0, true, false},
		{"peak_memory", "Peak memory of the fit", func(c *cell) Stat { return c.memory }, memory, 0, false, false},
	}
}

func number(v float64) string { return minus(fmt.Sprintf("%.4g", v)) }

func deviation(v float64) string {
	if v >= 100 && v < 1e6 { // in two digits it would have an exponent
		return fmt.Sprintf("%.0f", v)
	}
	return fmt.Sprintf("%.2g", v)
}

// timed marks a time where the machine had other work.
func timed(text string, busy bool) string {
	if busy {
		return "~" + text
	}
	return text
}

func share(v float64) string { return fmt.Sprintf("%.3f", v) }

func memory(v float64) string { return printable.Size(int64(v)) }

// minus has negative numbers begin with the sign, which is longer than a hyphen.
func minus(text string) string {
	if rest, ok := strings.CutPrefix(text, "-"); ok {
		return "−" + rest
	}
	return text
}

// write returns a value as tables show it, "" where there is none.
func (m measure) write(s Stat) string {
	switch {
	case math.IsNaN(s.Mean):
		return ""
	case math.IsNaN(s.SD) || m.best == 0:
		return m.text(s.Mean)
	}
	return m.text(s.Mean) + " ± " + deviation(s.SD)
}

// compare orders cells, the better first and those without a value last.
func (m measure) compare(a, b *cell) int {
	x, y := m.of(a).Mean, m.of(b).Mean
	if math.IsNaN(x) || math.IsNaN(y) {
		return -cmp.Compare(x, y) // NaN is below all numbers
	}
	return -m.best * cmp.Compare(x, y)
}
