package auto

// WithNeighbours returns the recipe that tries neighbour inputs.
func (o Recipe) WithNeighbours() Recipe {
	o.neighbours = true
	return o
}
