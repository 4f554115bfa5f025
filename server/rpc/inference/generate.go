// Package inference is the Open Inference Protocol's messages and service over gRPC, generated
// from inference.proto.
//
// To make it again: protoc 3.21 or later, and
//
//	go install google.golang.org/protobuf/cmd/protoc-gen-go@v1.36.12
//	go install google.golang.org/grpc/cmd/protoc-gen-go-grpc@v1.6.2
package inference

//go:generate protoc --go_out=. --go_opt=paths=source_relative --go-grpc_out=. --go-grpc_opt=paths=source_relative inference.proto
