# `make` lists the targets.

DATA ?= ../shared/data
PYTHON ?= python3

.PHONY: help build lean wasm js libbeziergp demo test thorough python notebooks wheels assembly tiers cross notice release fuzz mutation bench serving analysis benchmarks pictures clean

help: ## list the targets
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "  %-12s %s\n", $$1, $$2}'

build: ## build bin/beziergp
	go build -o bin/beziergp ./cmd/beziergp

lean: ## build bin/beziergp-lean, which reads text alone: a fifth of the size
	go build -tags lean -ldflags='-s -w' -o bin/beziergp-lean ./cmd/beziergp

wasm: ## build bin/beziergp-js.wasm and bin/beziergp-wasip1.wasm: the verbs that need no training, for WebAssembly
	for system in js wasip1; do GOOS=$$system GOARCH=wasm go build -o bin/beziergp-$$system.wasm ./cmd/beziergp || exit 1; done

js: ## build what the package for JavaScript runs, into js/dist; npm pack ./js makes the package
	mkdir -p js/dist && GOOS=js GOARCH=wasm go build -trimpath -buildvcs=false -ldflags='-s -w' -o js/dist/beziergp.wasm ./js/wasm
	cp "$$(go env GOROOT)/lib/wasm/wasm_exec.js" LICENSE NOTICE js/dist/

libbeziergp: ## build the library for C, bin/libbeziergp.so, with its header (cgo: needs a C compiler)
	mkdir -p bin && CGO_ENABLED=1 go build -tags libbeziergp -buildmode=c-shared -trimpath -ldflags='-s -w' -o bin/libbeziergp.so ./libbeziergp
	cp libbeziergp/beziergp.h bin/ && rm bin/libbeziergp.h

demo: ## fit the example table, evaluate it, write predictions and pictures to beziergp-demo/
	go run ./cmd/beziergp demo

# Packages whose tests fit models, the longest first, have a processor each: two fits side by side take a quarter less by one
# worker each than by two on the same two processors. Tests of what workers share have all processors (testkit.Parallel).
FITTING = ./train/auto ./cmd/... . ./plot/pictures ./report ./rival/method/conform ./bench/...

test: ## format, vet, tests, every instruction set; with CI=true the long tests and make thorough, too
	test -z "$$(gofmt -l .)" || { gofmt -l .; exit 1; }
	go vet ./...
	GOMAXPROCS=1 go test -p "$$(getconf _NPROCESSORS_ONLN)" -vet=off -timeout 25m $(FITTING)
	go test -vet=off -timeout 25m $$(go list ./... | grep -vxF "$$(go list $(FITTING))")
	go test -vet=off -tags lean ./tablefile ./tablewriter
	$(MAKE) tiers python
	@if [ -n "$$CI" ]; then $(MAKE) thorough; \
	else echo "SKIPPED, minutes for CI (CI=true make test): what make thorough does, and the long tests:" \
		$$(find . -name '*_test.go' -exec awk '/^func / {sub(/^func /, ""); sub(/\(.*/, ""); of = $$0} /testkit\.Long\(t\)/ {print of}' {} +) \
		$$(grep -rl '^\[!ci\] skip' --include='*.txtar' . | sed 's|.*/||'); fi

# What is left to CI: it takes as long as the rest.
thorough: ## what CI checks besides: go.mod, the race detector, the assembly, other systems
	go mod tidy -diff
	go vet -tags lean ./tablefile ./tablewriter ./cmd/beziergp/...
	go test -vet=off -race -short -tags lean -skip '$(ALONE)' $(CONCURRENT)
	go test -vet=off -race $(UNOPTIMISED) -short -skip '$(ALONE)' ./tablefile
	$(MAKE) assembly cross

# What the tests of the Python package import.
PYTHON_NEEDS = sys, sklearn, nanoarrow, narwhals, pandas, polars, pyarrow, pytest, pytest_timeout
python: ## the tests of the Python package; BEZIERGP_PYTHON names an interpreter from 3.10 on that has what python/tests/requirements.txt lists
	@python=$${BEZIERGP_PYTHON:-python3}; \
	if "$$python" -c 'import $(PYTHON_NEEDS); assert sys.version_info >= (3, 10)' 2>/dev/null; then \
		dir=$$(mktemp -d) && trap 'rm -rf "$$dir"' EXIT && go build -o "$$dir/beziergp" ./cmd/beziergp && \
			BEZIERGP_PROGRAM="$$dir/beziergp" PYTHONPATH="$(CURDIR)/python/src" PYTHONDONTWRITEBYTECODE=1 "$$python" -m pytest -q -p no:cacheprovider python/tests; \
	else echo "PYTHON SKIPPED: $$python is not 3.10 or later with $(PYTHON_NEEDS) (pip install -r python/tests/requirements.txt)"; fi

notebooks: build ## run the notebooks of the Python package again, and write what they show (BEZIERGP_PYTHON with matplotlib)
	BEZIERGP_PROGRAM="$(CURDIR)/bin/beziergp" PYTHONPATH="$(CURDIR)/python/src" $${BEZIERGP_PYTHON:-python3} python/notebooks/run.py python/notebooks/*.ipynb

wheels: ## the Python package for every platform and its sources into dist/, and a check of them (BEZIERGP_PYTHON with build and hatchling, on Linux auditwheel)
	rm -rf dist/python && python=$${BEZIERGP_PYTHON:-python3} && \
	for pair in linux/amd64 linux/arm64 darwin/amd64 darwin/arm64 windows/amd64; do \
		GOOS=$${pair%/*} GOARCH=$${pair#*/} "$$python" -m build --no-isolation --wheel --outdir dist/python python || exit 1; done && \
	"$$python" -m build --no-isolation --sdist --outdir dist/python python && "$$python" python/check_wheels.py dist/python

assembly: ## make the kernels' assembly again and compare it with what is committed
	dir=$$(mktemp -d) && trap 'rm -rf "$$dir"' EXIT && go -C internal/simd/asm run . -dir "$$dir" && \
		for file in "$$dir"/*; do cmp "$$file" internal/simd/"$$(basename "$$file")" || exit 1; done
	go -C internal/simd/asm vet .

# Packages that start goroutines, or that such packages stand on. Programs and what they
# print are left to the run without the race detector, for linking them takes minutes, and
# so are tests that only call these packages one after another.
CONCURRENT = ./box ./cmd/beziergp/internal/source ./internal/atomicfile ./internal/process/... ./internal/safetensors ./internal/simd \
	./model ./plot/pictures ./predictive ./rival/... ./server/engine ./table ./tablecache ./train

# Where readers of others' formats are linked, what others wrote is compiled without optimisation, in half the time. Without the race
# detector it would tell of races that there are not, for generic functions of sync that it instantiates may be linked for all.
UNOPTIMISED = -gcflags=all='-N -l' -gcflags=std= -gcflags=beziergp/...=

# Of their tests, those of arithmetic and of damaged files that one goroutine does, and that the race detector makes long.
ALONE = ^Test(Blocks|Layer|Outer|Chain)|^Test(Bernstein|BernsteinValuesAgreeWithExactArithmetic|BasesConform|EveryBasisConforms|SlopesAreDifferencesOfMoments|FitIsNearTheExactProcess|EvidenceIsTheNormalDensity|SolutionIsCholeskys|ProductsOfTriangles|ATiltedMixtureIsAnIntegral|StudentQuantiles|CRPSInClosedForm|OutputsAreEnsemblesOfOne|NarrowPointsAreWholeOnes|OutputsSumOverAllPaths|TilesFitTheCache|TilesOfAnEvaluatorFitTheCache|RankInputSpreadsRowsEvenly|DamagedStreams|RealTables|PostgresServerDies|TwoLayersBeatOneOnAStep|ColumnsThatChangeTheirMind|OutputsAreProcessesOfOne|SetsHoldWhatTheyState|MomentsAreTheConditionalNormals|NoDamagePasses)$$|^TestMethodsConform$$/^deep3$$|^TestMethodsConform$$/./^(HardData|Laws|Learns|Stored|Shapes|UnitsOfTarget|UnitsOfInputs|OrderOfRows|Interpolates|DistanceAware)$$

# Packages whose numbers come from the kernels.
NUMERIC = ./internal/simd ./internal/process/... ./train ./model

# Tests of several outputs, which the same kernels multiply: a third of the time of an emulated processor.
EMULATED = ^Test(OutputsAreEnsemblesOfOne|GradientOfOutputsAgreesWithCentralDifferences)$$

tiers: ## the tests of the numbers on every instruction set; NEON needs qemu-aarch64 (Debian: qemu-user) off arm64
	BEZIERGP_KERNEL=generic go test -count=1 -short $(NUMERIC)
	@if [ "$$(go env GOARCH)" != amd64 ]; then echo "AVX2 SKIPPED: this is not amd64"; \
	elif [ -r /proc/cpuinfo ] && ! grep -q avx512f /proc/cpuinfo; then echo "AVX2 ran with the other tests"; \
	else BEZIERGP_KERNEL=avx2 go test -count=1 -short $(NUMERIC); fi
	@if [ "$$(go env GOHOSTARCH)" = arm64 ]; then echo "NEON ran with the other tests"; \
	elif command -v qemu-aarch64 >/dev/null; then \
		GOARCH=arm64 CGO_ENABLED=0 go test -exec qemu-aarch64 -short -skip '$(EMULATED)' ./internal/simd ./internal/process/buttress ./internal/process/elbo; \
	else echo "NEON SKIPPED: qemu-aarch64 is not installed (Debian: apt-get install qemu-user)"; fi

# A system is in what is Go, which a test type-checks for each; assembly depends on the processor alone.
cross: ## vet the kernels of other processors
	for arch in arm64 386; do GOARCH=$$arch CGO_ENABLED=0 go vet ./internal/simd || exit 1; done

notice: ## write NOTICE again: the modules that are linked, and their licences
	go run ./cmd/beziergp/internal/release notice

release: ## archives for every system, their bills of materials and SHA256SUMS in dist/ (VERSION=v1.2.3, by default the commit's)
	go run ./cmd/beziergp/internal/release archives $(if $(VERSION),-version $(VERSION)) dist

serving: ## measure the server beside MLServer, into docs/serving.md (PYTHON with mlserver, mlserver-sklearn)
	go run ./bench/cmd/serving -python $(PYTHON) -out docs/serving.md

fuzz: ## fuzz each reader for a minute
	go test ./internal/safetensors -run '^$$' -fuzz FuzzRead -fuzztime 1m -fuzzminimizetime 100x
	go test ./model -run '^$$' -fuzz FuzzRead -fuzztime 1m -fuzzminimizetime 100x
	go test ./model -run '^$$' -fuzz FuzzHead -fuzztime 1m -fuzzminimizetime 100x
	go test ./model -run '^$$' -fuzz FuzzBundle -fuzztime 1m -fuzzminimizetime 100x
	go test ./rival -run '^$$' -fuzz FuzzRead -fuzztime 1m -fuzzminimizetime 100x
	go test ./rival -run '^$$' -fuzz FuzzHead -fuzztime 1m -fuzzminimizetime 100x
	go test ./cmd/beziergp/internal/worker -run '^$$' -fuzz FuzzFrames -fuzztime 1m -fuzzminimizetime 100x
	go test ./train/paper -run '^$$' -fuzz FuzzCheckpoint -fuzztime 1m -fuzzminimizetime 100x
	go test ./serve -run '^$$' -fuzz FuzzRowOfJSON -fuzztime 1m -fuzzminimizetime 100x
	go test ./server/rest -run '^$$' -fuzz FuzzInfer -fuzztime 1m -fuzzminimizetime 100x
	go test ./server/rest -run '^$$' -fuzz FuzzRows -fuzztime 1m -fuzzminimizetime 100x
	go test ./server/rpc -run '^$$' -fuzz FuzzInfer -fuzztime 1m -fuzzminimizetime 100x
	go test ./server/rpc -run '^$$' -fuzz FuzzCalls -fuzztime 1m -fuzzminimizetime 100x
	go test ./tablecache -run '^$$' -fuzz FuzzOpen -fuzztime 1m -fuzzminimizetime 100x
	go test ./tablefile -run '^$$' -fuzz FuzzReader -fuzztime 1m -fuzzminimizetime 100x
	go test ./tablefile -run '^$$' -fuzz FuzzRecords -fuzztime 1m -fuzzminimizetime 100x
	go test ./table/cell -run '^$$' -fuzz FuzzNumber -fuzztime 1m -fuzzminimizetime 100x
	go test ./tablefile -run '^$$' -fuzz FuzzTyped -fuzztime 1m -fuzzminimizetime 100x
	go test ./tablefile -run '^$$' -fuzz FuzzArrowStream -fuzztime 1m -fuzzminimizetime 100x

# Packages that are mutated; behind a comma the package whose tests hold what its own do not.
MUTATED ?= internal/process/basis internal/process/buttress internal/process/surface,internal/process/elbo internal/process/elbo internal/process/optim \
	internal/process/descent likelihood box predictive metric

mutation: ## mutate the numeric packages (MUTATED names others; about half an hour of one processor): what no test notices, and why, into docs/mutation.md
	go run ./internal/mutation -out docs/mutation.md -tree "$$(git describe --always --dirty)" $(MUTATED)

bench: ## measure speed against the machine's arithmetic limit, into docs/performance.md
	go run ./bench/cmd/speed -out docs/performance.md

analysis: ## hold what closed forms tell against known answers, SALib and shap, into docs/analysis.md (PYTHON with SALib, shap, xgboost; an hour)
	go run ./bench/cmd/analysis -data $(DATA) -python $(PYTHON) -out docs/analysis.md

pictures: ## draw docs/pictures again
	go generate ./plot

benchmarks: build ## rerun the paper's experiments beside rivals into docs/benchmarks (hours; DATA=folder of the data sets, PUBLISHED=CSV file)
	for suite in uci permutations large scaling quality; do \
		bin/beziergp bench $$suite --data $(DATA) --out docs/benchmarks $(if $(PUBLISHED),--published $(PUBLISHED)) || exit 1; done
	for suite in classes counts amounts; do \
		bin/beziergp bench $$suite --data $(DATA)/tasks --out docs/benchmarks $(if $(PUBLISHED),--published $(PUBLISHED)) || exit 1; done

clean: ## remove what the targets made
	rm -rf bin dist beziergp-demo beziergp-bench beziergp-bench.md
