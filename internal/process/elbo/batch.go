package elbo

// Batch is a mini-batch of rows.
type Batch struct {
	X       []float32 // [B, d] by rows
	Y       []float32 // [B, T] by rows
	Outputs int       // T; 0 stands for 1
	Weights []float32 // of the rows in the data term, [B]; nil for 1 each
}

// Len returns B.
func (b Batch) Len() int { return len(b.Y) / max(1, b.Outputs) }

// Targets returns those of some rows, [to − from, T].
func (b Batch) Targets(from, to int) []float32 {
	t := max(1, b.Outputs)
	return b.Y[from*t : to*t]
}

// Weight returns that of row p.
func (b Batch) Weight(p int) float64 {
	if b.Weights == nil {
		return 1
	}
	return float64(b.Weights[p])
}
