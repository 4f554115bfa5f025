package elbo

// Batch is a mini-batch of rows.
type Batch struct {
	X       []float32 // [B, d] by rows
	Y       []float32 // [B, T] by rows
	Outputs int       // T; 0 stands for 1
	Weights []float32 // of the rows in the data term, [B]; nil for 1 each
}

// Columns returns T.
func (b Batch) Columns() int { return max(1, b.Outputs) }

// Len returns B.
func (b Batch) Len() int { return len(b.Y) / b.Columns() }

// Targets returns those of the rows from ≤ p < to, [to − from, T].
func (b Batch) Targets(from, to int) []float32 {
	t := b.Columns()
	return b.Y[from*t : to*t]
}

// Part returns the rows from ≤ p < to, of d coordinates. It shares their memory.
func (b Batch) Part(d, from, to int) Batch {
	own := Batch{X: b.X[from*d : to*d], Y: b.Targets(from, to), Outputs: b.Outputs}
	if b.Weights != nil {
		own.Weights = b.Weights[from:to]
	}
	return own
}

// Weight returns that of row p.
func (b Batch) Weight(p int) float64 {
	if b.Weights == nil {
		return 1
	}
	return float64(b.Weights[p])
}
