# Verbatim's commands. `make` alone prints them.
.DEFAULT_GOAL := help
SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
export CGO_ENABLED ?= 0
# As the release is built, so that tests, binary and release share what is compiled.
export GOFLAGS ?= -trimpath

LDFLAGS := -s -w
FUZZTIME ?= 60s
TOOL := go tool -modfile=tools.mod

.PHONY: help build web demo test check fmt lint unit race cover fuzz kill attack attack-table generated bench bench-go bench-partitions bench-start bench-web try-model clean

help: ## print this list
	@grep -hE '^[a-z0-9-]+:.*## ' $(MAKEFILE_LIST) | awk -F':.*## ' '{printf "  make %-12s %s\n", $$1, $$2}'

web: web/dist/docs/index.html ## build the web pages that the binary carries
web/dist/docs/index.html: web/package.json web/package-lock.json web/tsconfig.json $(wildcard web/build*.mjs) $(shell find web/docs web/participant web/shared -type f 2>/dev/null)
	cd web && npm ci --no-audit --no-fund --silent && npm run --silent build
	@touch $@

build: web ## build the static binary, web pages included, at bin/verbatim
	go build -ldflags '$(LDFLAGS)' -o bin/verbatim ./cmd/verbatim

demo: build ## see it all: a study, 25 simulated participants, and a server to try
	bin/verbatim demo

test: ## all tests: what CI runs
	@scripts/test.sh

.PHONY: setup
setup: ## install what the tests need and is missing
	scripts/setup.sh

check: web fmt lint unit ## format, linters and unit tests: what a push needs

fmt: ## fail on files that gofumpt would change
	@changed=$$($(TOOL) gofumpt -l cmd internal openapi scripts test web/*.go); \
	if [ -n "$$changed" ]; then echo "Not formatted; run: $(TOOL) gofumpt -w ."; echo "$$changed"; exit 1; fi

lint: ## go vet and staticcheck
	go vet ./...
	$(TOOL) staticcheck ./...

unit: ## the unit tests without the race detector
	go test -short ./...

# What takes longest begins first, so that nothing waits for it alone in the end.
LONGEST := ./test/kill ./cmd/verbatim ./test/postgres ./test/attack

# The suites of what stands on the store, and of the whole.
ON_POSTGRES := $(LONGEST) ./internal/platform/store/... ./internal/api/... $(addprefix ./internal/service/,access analysis authoring billing erasure \
	fieldwork importing jobs maintenance reporting results transcription translator)

.PHONY: s3
s3: ## the suites of recordings and uploads, on a folder and on a real S3 server that is built once and started for them
	CI=true scripts/with-s3.sh go test ./internal/platform/blob/... ./internal/api/media ./internal/service/erasure

.PHONY: postgres
postgres: ## the suites on PostgreSQL, on a server that is started for them
	scripts/with-s3.sh go run ./test/withpostgres go test $(ON_POSTGRES)

.PHONY: partitions
partitions: ## the suites on a PostgreSQL whose largest tables are divided as docs/scaling.md says
	VERBATIM_TEST_SCHEMA_SCRIPT=$(CURDIR)/deploy/postgres/partition.sql scripts/with-s3.sh go run ./test/withpostgres go test $(ON_POSTGRES)

bench-partitions: ## ten million responses on a PostgreSQL, before and after its tables are divided; takes an hour and 20 GB
	go run ./test/partitions -responses 10000000 -studies 500 -markdown docs/benchmarks-partitions.md

# The database engine is C that was translated into Go: the detector finds nothing in it that is ours, and slows it down fivefold.
UNWATCHED := $(foreach module,sqlite libc memory,-gcflags=modernc.org/$(module)/...=-race=false)

# Rules without goroutines, in which the detector finds nothing and takes fifteen times as long (internal/unraced_test.go holds
# the list to that), and suites of processes that they build without it. These wait a lot, so three run at a time.
UNRACED := ./test/faults ./test/kill ./scripts/release ./test/nodes ./test/generated ./internal/domain/maxdiff ./internal/domain/document ./internal/domain/evidence ./internal/domain/guide/... ./internal/domain/plaintext ./internal/domain/guardrail/... ./internal/domain/strictjson ./internal/domain/transcript

.PHONY: unraced
unraced: ## suites of processes, and rules without goroutines: what the race detector would not help
	scripts/with-s3.sh go test -p 3 $(UNRACED)

race: ## every other test with the race detector, which needs a C compiler, on SQLite, a folder and a real S3 server
	CGO_ENABLED=1 scripts/with-s3.sh go test -race $(UNWATCHED) $(filter-out $(UNRACED),$(LONGEST)) $$(go list ./... | grep -vxFf <(go list $(UNRACED)))

test/browser/node_modules: test/browser/package-lock.json
	cd test/browser && npm ci --no-audit --no-fund --silent --ignore-scripts
	@touch $@

.PHONY: browser screenshots
browser: build test/browser/node_modules ## whole interviews in Chromium, with JavaScript and without, on phone and desktop; axe on every page state
	cd test/browser && npm test --silent

screenshots: build test/browser/node_modules ## write the pictures of the participant's page to docs/screenshots
	cd test/browser && npm run --silent screenshots

test/clients/node_modules: test/clients/package-lock.json
	cd test/clients && npm ci --no-audit --no-fund --silent --ignore-scripts
	@touch $@

.PHONY: clients
clients: build test/clients/node_modules ## lint the contract files; generate clients from them in Go and TypeScript, which each run a whole study
	node test/clients/run.mjs

.PHONY: s3server
s3server: ## build the S3 server of the tests, once
	scripts/with-s3.sh

cover: ## statement coverage of the engine, at least 95 %
	scripts/cover.sh 95 ./internal/domain/interview/...

fuzz: ## run each fuzz target for FUZZTIME (60s)
	scripts/fuzz.sh $(FUZZTIME)

kill: ## kill -9 a server 50 times under load, look for what was lost, and print the figures (part of unraced)
	go test -count 1 -v ./test/kill

.PHONY: kill-nodes
kill-nodes: ## the same for three servers over PostgreSQL and S3, killed in turn (part of postgres)
	scripts/with-s3.sh go run ./test/withpostgres go test -count 1 -v ./test/kill

.PHONY: nodes
nodes: bin/caddy ## kill nodes behind Caddy under 8,000 requests, with Debian's Caddy and with the one that compose names
	go test -count 1 -v ./test/nodes -run Kills -requests 8000 -kills 6
	go test -count 1 -v ./test/nodes -run Kills -requests 8000 -kills 6 -caddy "$(CURDIR)/bin/caddy"

bin/caddy: tools-caddy.mod
	go build -modfile=tools-caddy.mod -o $@ github.com/caddyserver/caddy/v2/cmd/caddy

.PHONY: release release-trial
release: web ## build the archives, bills of materials, checksums and signature of the tagged commit into dist/ (docs/releasing.md)
	go run ./scripts/release

release-trial: web ## the same of what is here, tagged or not
	go run ./scripts/release -trial

.PHONY: restarts
restarts: ## restart PostgreSQL 50 times under load, look for what was lost, and print the figures (10 times in postgres)
	go test -count 1 -v ./test/postgres -run Restarts -restarts 50

# With the race detector (make race) the server is built with it, too, and with less load; on PostgreSQL the suite is part of make postgres.
attack: ## attack a server while innocent people use it, and print what each attack cost (short form, under a minute)
	go test -count 1 -v ./test/attack -run Attacks

attack-table: ## the long form, on SQLite and PostgreSQL, written to docs/attacks.md and docs/attacks-postgres.md; takes half an hour
	go test -count 1 -timeout 40m -v ./test/attack -run Attacks -long -yield -markdown "$(CURDIR)/docs/attacks.md"
	go run ./test/withpostgres go test -count 1 -timeout 40m -v ./test/attack -run Attacks -long -yield -markdown "$(CURDIR)/docs/attacks-postgres.md"

.PHONY: faults faults-long
faults: ## break nodes, PostgreSQL, S3, disks and clocks under people, one by one and at random, and print what it cost (short form; part of unraced)
	scripts/with-s3.sh go test -count 1 -v ./test/faults

faults-long: ## the long form with its marks on time, and 1,000 interviews under all faults for ten minutes, written to docs/reliability.md; half an hour
	scripts/with-s3.sh go test -count 1 -timeout 90m -v ./test/faults -long -markdown "$(CURDIR)/docs/reliability.md"

generated: ## 20,000 requests made from the contract files, on both engines (part of unraced)
	go test -count 1 -v ./test/generated

bench: build ## load studies, measure reads, creates and interviews beside a floor, on SQLite and on PostgreSQL, and write docs/benchmarks.md and docs/benchmarks-postgres.md
	go run ./test/bench -binary bin/verbatim -growth "" -markdown docs/benchmarks.md -chart docs/benchmarks.svg
	go run ./test/bench -postgres -binary bin/verbatim -responses 20000 -connections 1,16 -growth 10000,1000000 -markdown docs/benchmarks-postgres.md

bench-growth: build ## the same operations at ten thousand, a hundred thousand and a million responses, of 1 KB each; takes ten minutes
	go run ./test/bench -binary bin/verbatim -responses 10000 -body 1000 -connections 1 -growth 10000,100000,1000000 -span 4s -markdown docs/benchmarks-growth.md

bench-go: ## the Go benchmarks
	go test -run '^$$' -bench . -benchmem ./...

.PHONY: bench-maxdiff
bench-maxdiff: ## recover known MaxDiff utilities in 500 simulated studies: rank order, coverage of intervals, balance of designs
	go run ./test/maxdiff -runs 500

bench-start: build ## time from start to first answer on an empty folder, and idle memory
	go run ./test/startup -binary bin/verbatim

bench-web: build test/browser/node_modules ## measure the participant's page on a slow phone and answers while 500 interviews run, and write docs/benchmarks-web.md; fail above 45 kB
	node test/browser/bench.mjs

clean: ## remove what was built
	rm -rf bin web/node_modules test/browser/node_modules test/clients/node_modules web/dist/docs web/dist/participant
