// Package modelfile is what the files of models of every kind share: heads in JSON,
// read strictly, their long lists of numbers in one tensor, each list once, and how the
// scalings of inputs lie in both.
//
// What it reads may come from anywhere. It believes no length before it has seen what
// is there, and keeps no more than a small multiple of it.
package modelfile
