package report

import (
	"cmp"
	"fmt"
	"io"
	"slices"

	"beziergp/bench/markdown"
	"beziergp/bench/record"
)

// machine is what times depend on besides the fit.
type machine struct {
	processor string
	workers   int
	version   string
}

// machines tells on what the records were made.
func machines(w io.Writer, records []record.Record) {
	fits, busy := map[machine]int{}, map[machine]int{}
	var all []machine
	places := map[machine]bool{} // without version
	for _, r := range records {
		m := machine{r.Processor, r.Workers, r.Version}
		if fits[m] == 0 {
			all = append(all, m)
		}
		fits[m]++
		if !r.Quiet() {
			busy[m]++
		}
		places[machine{m.processor, m.workers, ""}] = true
	}
	slices.SortFunc(all, func(a, b machine) int {
		return cmp.Or(cmp.Compare(a.processor, b.processor), cmp.Compare(a.workers, b.workers), cmp.Compare(a.version, b.version))
	})
	fmt.Fprintln(w)
	markdown.Head(w, "processor", "workers", "program", "fits", "of them beside other work")
	for _, m := range all {
		markdown.Row(w, markdown.Text(m.processor), m.workers, markdown.Text(m.version), fits[m], busy[m])
	}
	if len(places) > 1 {
		fmt.Fprint(w, "\n**The records come from several machines or numbers of workers: times compare only where these are the same.**\n")
	}
}
