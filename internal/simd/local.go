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
	c := t.costs()
	var local, full float64
	d := float64(len(widths))
	for i, m := range widths {
		for j, next := range widths {
			weight, from, to := c.weight, isCategory(m, own[i]), isCategory(next, own[j])
			if from || to {
				weight = c.level
			}
			dense := 1 + weight*float64(m*next)
			full += dense / d
			switch {
			case from && to:
				local += c.levels / d
			case own[i] != 0 && own[j] != 0:
				local += c.block / d
			case own[i] == 0 && own[j] == 0:
				local += dense / d
			default:
				local += (c.block + c.edge*float64(max(m*min(1, own[j]), next*min(1, own[i])))) / d
			}
		}
	}
	if local >= full {
		return nil
	}
	return own
}

// isCategory tells whether an input has several functions of which one does not vanish at a point.
func isCategory(width, support int) bool { return support == 1 && width > 1 }

// costs are those of one point, forward and backward, in nanoseconds.
type costs struct {
	block  float64 // of a layer both sides of which are local
	levels float64 // the same between two categories
	edge   float64 // of a node of a layer that is not, beside one that is
	weight float64 // of a layer that goes by all its weights
	level  float64 // the same beside a category
}

// costs returns what was measured of splines: with kernels in assembly and without, layers
// of 12 nodes cost the same either way, at eight lanes. Splines beside Bernstein
// polynomials cost 2.5 + 1.15 ns a node. A block in NEON's assembly is taken to cost what it
// does in AVX2's, and edges, which have none there, what they do in Go. Layers beside categories were measured by steps of training
// on 128 rows of 30 inputs: their widths are no multiples of what a kernel takes at once, and all values of a category are written for a point.
func (t *tier) costs() costs {
	lanes := float64(max(1, t.lanes))
	c := costs{block: 6.6, levels: 3, edge: 0.9, weight: 0.43 / lanes, level: 0.96 / lanes}
	if t.blockForward[MostLocal][MostLocal] == nil {
		c.block, c.levels = 72, 12
	}
	if t.gatherForward[MostLocal] == nil {
		c.edge = 13
	}
	if t.layer == nil {
		c.weight, c.level = 1.1, 1.1
	}
	return c
}
