//go:build !unix

package fit

var requeueSignals []Requeue
