// Package plot draws the pictures of the documentation and of reports: what a Bézier
// buttress is, what its prior and posterior look like, and how good predictions are. It
// draws what it is given and computes no fit.
//
// Equal data make equal bytes on one architecture; elsewhere a last digit may
// differ.
package plot
