// Package oip is the Open Inference Protocol, version 2: its messages, its data types, and
// how they are written in JSON and in the binary tensor extension. It knows no model and no
// transport; what REST and gRPC share is here.
//
// Source: https://github.com/kserve/open-inference-protocol, and for binary tensors
// "Binary Tensor Data Extension" of the Triton Inference Server.
package oip
