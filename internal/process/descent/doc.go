// Package descent minimises an objective over the weights of a surface by stochastic
// gradients: training sets in memory and behind a source, their mini-batches, starting
// weights, and Adam with a rate that it lowers where training diverges.
package descent
