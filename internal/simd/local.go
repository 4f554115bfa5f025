package simd

// Local returns which layers are best local, as [NewChain] takes it: of the inputs' nodes
// and of how many functions do not vanish at a point, [d] each. It is nil for none.
func Local(widths, supports []int) []int { return active.Local(widths, supports) }

// Local is [Local] on one tier.
func (t *tier) Local(widths, supports []int) []int {
	own, any := make([]int, len(widths)), false
	for i, k := range supports {
		if k <= MostLocal {
			own[i] = k
			any = any || k < widths[i]
		}
	}
	if !any {
		return nil
	}
	// The cost of a layer between two inputs, averaged over all pairs.
	var local, full float64
	d := float64(len(widths))
	for i, m := range widths {
		for j, next := range widths {
			full += t.costOfLayer(m, next) / d
			switch {
			case own[i] != 0 && own[j] != 0:
				local += costOfBlock / d
			case own[i] == 0 && own[j] == 0:
				local += t.costOfLayer(m, next) / d
			default:
				local += (costOfBlock + costOfEdge*float64(max(m*min(1, own[j]), next*min(1, own[i])))) / d
			}
		}
	}
	if local >= full {
		return nil
	}
	return own
}

// Costs of one point, forward and backward, in nanoseconds. Measured.
const (
	costOfBlock = 4
	costOfEdge  = 0.5 // of a node of a layer that is not local, beside one that is
)

// costOfLayer returns that of a layer by all its weights.
func (t *tier) costOfLayer(rows, cols int) float64 {
	return 1 + 0.43*float64(rows*cols)/float64(max(1, t.lanes))
}
