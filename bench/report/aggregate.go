package report

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"beziergp/bench/record"
	"beziergp/bench/suite"
	"beziergp/metric"
)

// Stat is a mean over fits and its deviation with N − 1 degrees of freedom; NaN where
// there is none.
type Stat struct{ Mean, SD float64 }

// cell is what is known of a method on a set.
type cell struct {
	suite, set, method string
	published          bool
	source             string // of published figures, with their units where they are others
	otherUnits         bool   // which nothing can be compared with

	rmse, nlpd, crps    Stat
	coverage, conformal Stat
	logLoss, deviance   Stat
	accuracy, ece       Stat
	cpu, memory         Stat
	fit, predict        Stat // of the timed fits

	made   []record.Record // that have scores
	timed  int             // how many of these times are of
	busy   bool            // the machine had other work during all, so that times are those of alone
	rows   int             // trained on, at most
	inputs int             // at most
	floor  float64         // NaN where it is not known
	errors []string        // why others have no scores
}

// ours tells methods of this project, run here, from others.
func (c cell) ours() bool { return !c.published && strings.HasPrefix(c.method, "BezierGP") }

// title names the method in tables.
func (c cell) title() string {
	if c.published {
		return c.method + " †"
	}
	return c.method
}

// aggregate returns the cells of all records, ordered as suites order them. Of records
// of the same fit the last counts: it is a retry.
func aggregate(records []record.Record) []*cell {
	last := map[record.Key]record.Record{}
	var keys []record.Key
	for _, r := range records {
		key := r.Key()
		key.Options = "" // a method with other options is the same one, later
		if _, known := last[key]; !known {
			keys = append(keys, key)
		}
		last[key] = r
	}
	type name struct{ suite, set, method string }
	groups := map[name][]record.Record{}
	var names []name
	for _, key := range keys {
		n := name{key.Suite, key.Set, key.Method}
		if groups[n] == nil {
			names = append(names, n)
		}
		groups[n] = append(groups[n], last[key])
	}
	var cells []*cell
	for _, n := range names {
		cells = append(cells, newCell(n.suite, n.set, n.method, groups[n]))
	}
	order(cells)
	return cells
}

func newCell(suite, set, method string, group []record.Record) *cell {
	c := &cell{suite: suite, set: set, method: method, floor: math.NaN()}
	var rmse, nlpd, crps, coverage, conformal, logLoss, deviance, accuracy, ece, cpu, fit, predict, memory []float64
	for _, r := range group {
		if r.Error != "" {
			c.errors = append(c.errors, r.Error)
			continue
		}
		c.made = append(c.made, r)
		c.rows, c.inputs = max(c.rows, r.Rows), max(c.inputs, r.Inputs)
		for to, score := range map[*[]float64]*float64{
			&rmse: r.RMSE, &nlpd: r.NLPD, &crps: r.CRPS, &coverage: r.Coverage95, &conformal: r.Conformal95,
			&logLoss: r.LogLoss, &deviance: r.Deviance, &accuracy: r.Accuracy, &ece: r.ECE,
		} {
			if score != nil {
				*to = append(*to, *score)
			}
		}
		if r.CPUSeconds > 0 {
			cpu = append(cpu, r.CPUSeconds)
		}
		if r.PeakMemory > 0 {
			memory = append(memory, float64(r.PeakMemory))
		}
		if r.Floor != nil {
			c.floor = *r.Floor
		}
	}
	c.busy = len(c.made) > 0 && !slices.ContainsFunc(c.made, record.Record.Quiet)
	for _, r := range c.made {
		switch {
		case r.Quiet():
			fit, predict = append(fit, r.FitSeconds), append(predict, r.PredictSeconds)
		case c.busy:
			fit, predict = append(fit, alone(r)), append(predict, r.PredictSeconds)
		}
	}
	c.timed = len(fit)
	c.rmse, c.nlpd, c.crps = newStat(rmse), newStat(nlpd), newStat(crps)
	c.coverage, c.conformal = newStat(coverage), newStat(conformal)
	c.logLoss, c.deviance, c.accuracy, c.ece = newStat(logLoss), newStat(deviance), newStat(accuracy), newStat(ece)
	c.fit, c.predict, c.cpu, c.memory = newStat(fit), newStat(predict), newStat(cpu), newStat(memory)
	return c
}

// alone returns the shortest time that a fit beside other work would have taken without:
// its seconds of processors, had all its workers always been at work.
func alone(r record.Record) float64 {
	if r.CPUSeconds > 0 && r.Workers > 0 {
		return min(r.FitSeconds, r.CPUSeconds/float64(r.Workers))
	}
	return r.FitSeconds
}

func newStat(values []float64) Stat {
	if len(values) == 0 {
		return Stat{math.NaN(), math.NaN()}
	}
	mean, sd := metric.MeanSD(values)
	return Stat{mean, sd}
}

// order sorts cells as suites list their sets and methods, what they do not list
// behind, by name.
func order(cells []*cell) {
	place := map[string]int{}
	for i, s := range suite.All() {
		place[s.Name] = i + 1
		for j, name := range s.SetNames() {
			place[s.Name+"\x00"+name] = j + 1
		}
		for j, name := range s.MethodNames() {
			place[s.Name+"\x00\x00"+name] = j + 1
		}
	}
	at := func(key string) int {
		if p := place[key]; p > 0 {
			return p
		}
		return math.MaxInt
	}
	slices.SortStableFunc(cells, func(a, b *cell) int {
		return cmp.Or(
			cmp.Compare(at(a.suite), at(b.suite)), cmp.Compare(a.suite, b.suite),
			cmp.Compare(at(a.suite+"\x00"+a.set), at(b.suite+"\x00"+b.set)), cmp.Compare(a.set, b.set),
			cmp.Compare(at(a.suite+"\x00\x00"+a.method), at(b.suite+"\x00\x00"+b.method)), cmp.Compare(a.method, b.method),
		)
	})
}

// publishedCells returns what is published of sets that a suite has cells of.
func publishedCells(name string, cells []*cell, all []Published) []*cell {
	s, _ := suite.Named(name)
	var found []*cell
	for _, p := range all {
		if p.Suite != name && (p.Suite != "" || s.Varies != suite.OverMethods) {
			continue
		}
		if !slices.ContainsFunc(cells, func(c *cell) bool { return c.set == p.Set }) {
			continue
		}
		none := Stat{math.NaN(), math.NaN()}
		c := &cell{suite: name, set: p.Set, method: p.Method, published: true, source: p.Source, floor: math.NaN(),
			rmse: p.RMSE, nlpd: p.NLPD, crps: none, coverage: none, conformal: none, logLoss: none, deviance: none, accuracy: none, ece: none, fit: none, predict: none, cpu: none, memory: none}
		if p.Units != "" && p.Units != "original" {
			c.source += ", units " + p.Units
			c.otherUnits = true
		}
		found = append(found, c)
	}
	return found
}
