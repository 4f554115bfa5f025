package main

import (
	"fmt"
	"io"
	"time"

	"beziergp/bench/harness"
	"beziergp/bench/markdown"
)

func report(w io.Writer, rows, workers int, servers []*measured, t *tall) {
	fmt.Fprintf(w, "# The server's speed\n\nMade by `go run ./bench/cmd/serving`, %s, %s. All run on this machine: the servers, of which one is asked at a time, and the\n"+
		"clients, which are kept lean, for they take a part of its processors. Requests have one row of %d inputs, in JSON, by the Open Inference Protocol; both models\n"+
		"were fitted to the same %d rows. `beziergp serve` answers mean, deviation, interval and whether the row lies in the box; MLServer 1.7 (%d process that predicts)\n"+
		"answers the mean of a Gaussian process of scikit-learn. Servers take turns, and the middle of %d rounds stands here.\n\n", harness.System(), harness.Processor(), inputs, rows, workers, len(servers[0].capacity))
	markdown.Head(w, "server", fmt.Sprintf("requests/s, %d clients", clients), "one client, p50", "at half of that, open loop: p50", "p99", "refused")
	for _, s := range servers {
		markdown.Row(w, s.name, fmt.Sprintf("%.0f", middle(s.capacity)), ms(middle(s.alone)), ms(middle(s.half50)), ms(middle(s.half99)), s.refused)
	}
	if len(servers) > 1 {
		own, peer := servers[0], servers[1]
		fmt.Fprintf(w, "\nRatios of the same run: %.1f times the requests, %.1f times as fast for one client, p99 at half load %.1f times as short. At the peer's rate\n"+
			"(%.0f requests/s) p50 is %s and p99 %s.\n", middle(own.capacity)/middle(peer.capacity), float64(middle(peer.alone))/float64(middle(own.alone)),
			float64(middle(peer.half99))/float64(middle(own.half99)), middle(peer.halfRate), ms(own.same50), ms(own.same99))
	}
	fmt.Fprintf(w, "\n%d rows in one binary request take %s, and the library, called directly with all processors, %s: %.2f times as long. The numbers are\nthe same to the bit.\n",
		tallRows, ms(middle(t.server)), ms(middle(t.library)), float64(middle(t.server))/float64(middle(t.library)))
}

func ms(d time.Duration) string { return fmt.Sprintf("%.2f ms", float64(d)/float64(time.Millisecond)) }
