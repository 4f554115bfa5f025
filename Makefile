# `make` lists the targets.

DATA ?= ../shared/data

.PHONY: help build demo test fuzz bench pictures paper-table clean

help: ## list the targets
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "  %-12s %s\n", $$1, $$2}'

build: ## build bin/beziergp
	go build -o bin/beziergp ./cmd/beziergp

demo: ## fit the example table, evaluate it, write predictions and pictures to beziergp-demo/
	go run ./cmd/beziergp demo

test: ## everything that CI checks: format, vet, tests with the race detector, fuzz seeds, cross-builds
	test -z "$$(gofmt -l .)" || { gofmt -l .; exit 1; }
	go mod tidy -diff
	go vet ./...
	go test -race ./...
	BEZIERGP_KERNEL=generic go test ./internal/kernel ./buttress ./surface ./elbo ./train .
	for os in linux darwin windows; do for arch in amd64 arm64; do \
		GOOS=$$os GOARCH=$$arch CGO_ENABLED=0 go build ./... || exit 1; done; done

fuzz: ## fuzz each reader for a minute
	go test ./internal/safetensors -run '^$$' -fuzz FuzzRead -fuzztime 1m
	go test ./model -run '^$$' -fuzz FuzzRead -fuzztime 1m
	go test ./model -run '^$$' -fuzz FuzzHead -fuzztime 1m
	go test ./tablefile -run '^$$' -fuzz FuzzReader -fuzztime 1m

bench: ## measure speed against the machine's arithmetic limit, into docs/performance.md
	go run ./bench/speed -out docs/performance.md

pictures: ## draw docs/pictures again
	go generate ./plot

paper-table: ## rerun the paper's Table 1 into docs/ (DATA=folder of the data sets)
	go run ./bench/paper -data $(DATA)

clean: ## remove what the targets made
	rm -rf bin beziergp-demo
