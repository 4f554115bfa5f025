// Package plot draws the pictures of the documentation and of reports as SVG: what
// a Bézier buttress is, what its prior and posterior look like, and how good
// predictions are. It draws what it is given and computes no fit.
//
// Equal data make equal bytes on one architecture; elsewhere a last digit may
// differ.
//
// It builds on the canvases of gonum.org/v1/plot/vg and has its own axes, because
// the package gonum.org/v1/plot links all back ends, PDF, TIFF and TeX among them,
// which take longer to compile than the rest of the program's dependencies.
package plot
