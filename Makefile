# Verbatim's commands. `make` alone prints them.
.DEFAULT_GOAL := help
SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
export CGO_ENABLED ?= 0
# As the release is built, so that tests, binary and release share what is compiled. Tests need no tables for a debugger, and
# lint runs all of vet.
export GOFLAGS ?= -trimpath -vet=off -ldflags=-w

LDFLAGS := -s -w
FUZZTIME ?= 60s
TOOL := go tool -modfile=tools.mod
# Programs that tests use are built once for all clones.
TOOLS_CACHE := $(or $(XDG_CACHE_HOME),$(HOME)/.cache)/verbatim-tools
CADDY := $(TOOLS_CACHE)/caddy-$(shell cat tools-caddy.mod tools-caddy.sum | cksum | cut -d' ' -f1)

# Each command has its help text after two hashes, and each group of commands a line that begins with "##@ ".
.PHONY: help
help: ## print this list
	@awk -F':.*## ' '/^##@ / { print "\n" substr($$0, 5) } /^[a-z0-9-]+:.*## / { printf "  make %-16s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

##@ Build and try
.PHONY: web build demo clean

web: web/dist/docs/index.html ## build the web pages that the binary embeds
web/dist/docs/index.html: web/package.json web/package-lock.json web/tsconfig.json $(wildcard web/build*.mjs) $(shell find web/docs web/participant web/dashboard web/shared -type f 2>/dev/null)
	cd web && npm ci --no-audit --no-fund --silent && npm run --silent build
	@touch $@

build: web ## build the static binary, web pages included, at bin/verbatim
	go build -ldflags '$(LDFLAGS)' -o bin/verbatim ./cmd/verbatim

demo: build ## run a study with 25 simulated participants, and a server to try
	bin/verbatim demo

clean: ## remove what was built
	rm -rf bin web/node_modules test/browser/node_modules test/clients/node_modules web/dist/docs web/dist/participant web/dist/dashboard

##@ Before a push
.PHONY: check fmt lint platforms unit words
check: web fmt lint platforms unit ## run fmt, lint, platforms and unit; takes two minutes

fmt: ## fail on files that gofumpt would change
	@changed=$$($(TOOL) gofumpt -l cmd internal openapi scripts test web/*.go); \
	if [ -n "$$changed" ]; then echo "Not formatted; run: $(TOOL) gofumpt -w ."; echo "$$changed"; exit 1; fi

lint: web ## run go vet and staticcheck; on the pages Biome, the type checker, unit tests and limits of size; and words
	go vet ./...
	$(TOOL) staticcheck ./...
	cd web && npm run --silent lint && npm run --silent test && npm run --silent sizes
	go run ./scripts/words

platforms: web ## build for the systems that the tests do not run on (two seconds of processor time each, two minutes the first time)
	GOOS=darwin go build -o /dev/null ./cmd/verbatim
	GOOS=windows go build -o /dev/null ./cmd/verbatim

unit: ## run the unit tests without the race detector
	go test -short ./...

words: ## find words that were coined here in names and comments (scripts/words/words.txt has the words to use instead)
	go run ./scripts/words

##@ Tests (root on Debian or Ubuntu for setup and faults)
.PHONY: test setup race
test: ## run what CI runs: setup, fmt, lint, clients, attack, unraced, race, postgres, browser and cover
	@scripts/test.sh

setup: ## install the system packages that the tests need and that are missing
	scripts/setup.sh

# The longest suites start first, so that nothing waits for one of them alone in the end.
LONGEST := ./test/kill ./cmd/verbatim ./test/postgres ./test/attack

# The suites of the store, of all that uses it, and of the complete program. test/postgres starts servers of its own wherever it runs.
ON_POSTGRES := $(filter-out ./test/postgres,$(LONGEST)) ./internal/platform/store/... ./internal/api/... $(addprefix ./internal/service/,access analysis asking auditlog authoring backup billing erasure exporting \
	fieldwork importing jobs keyring mailing maintenance mediaupload panels reporting results retention transcoding transcription translator uploads webhooks)

.PHONY: s3
s3: ## run the suites of recordings and uploads on a folder and on a real S3 server, which is built once and started for them (part of unraced)
	CI=true scripts/with-s3.sh go test ./internal/platform/blob/... ./internal/api/media ./internal/service/erasure

.PHONY: postgres
postgres: ## run the suites that use the database on PostgreSQL, which is started for them
	scripts/with-s3.sh go run ./test/withpostgres go test $(ON_POSTGRES)

.PHONY: partitions
partitions: ## run the same suites with the largest tables partitioned as docs/scaling.md says (not part of test)
	VERBATIM_TEST_SCHEMA_SCRIPT=$(CURDIR)/deploy/postgres/partition.sql scripts/with-s3.sh go run ./test/withpostgres go test $(ON_POSTGRES)

# SQLite's engine is C translated into Go: the race detector finds nothing of ours in it, and slows it down fivefold.
UNWATCHED := $(foreach module,sqlite libc memory,-gcflags=modernc.org/$(module)/...=-race=false)

# Packages that start no goroutine, in which the detector finds nothing and takes fifteen times as long (test/architecture/unraced_test.go checks
# that), and suites that start programs built without it. These wait a lot, so three run at a time.
UNRACED := ./test/faults ./test/kill ./test/nodes ./test/generated ./test/speech ./test/realmodel ./test/contract ./test/architecture ./scripts/... ./internal/domain/... ./internal/service/authoring ./internal/service/backup ./internal/service/billing ./internal/service/interviewlog ./internal/service/moderator ./internal/service/translator

# Packages that mostly do one thing after the other. Without the detector all of their tests run; of these tests, those in which goroutines share
# something run with it, too (unraced_test.go checks that none of them is missing).
PARTLY_RACED := ./internal/domain/interview ./internal/service/analysis ./internal/service/maintenance ./internal/service/reporting ./internal/service/transcription
RACED_TESTS := ^Test(AnswersAreKeptAtOnce|ConcurrentEdits|PlanIsShared|RebuildBesideAnswers|ReplayOfManyInterviews|ObjectsInBatches|Tombstones|ServiceDown|StopIsNoFallback|LongStudiesAreSentInBatches|TheSameStudyGivesTheSameReport|Run|ChangedMeanwhile|TwoAtOnce|LeaseOfDeadNodeExpires)$$

# Commands do one thing after the other in services that have tests of their own. Only these of their tests are raced.
RACED_COMMANDS := Serve|Stop|NodeADayAhead|Demo$$

.PHONY: unraced
unraced: ## run the suites of processes, the commands and the packages with little concurrency, without the race detector
	scripts/with-s3.sh go test -p 3 ./cmd/verbatim $(UNRACED) $(filter-out ./internal/domain/%,$(PARTLY_RACED))

race: ## run every other test with the race detector, which needs a C compiler, on SQLite, a folder and a real S3 server
	CGO_ENABLED=1 scripts/with-s3.sh go test -race $(UNWATCHED) $(filter-out $(UNRACED) ./cmd/verbatim,$(LONGEST)) $$(go list ./... | grep -vxFf <(go list $(UNRACED) $(PARTLY_RACED) ./cmd/verbatim))
	CGO_ENABLED=1 go test -race $(UNWATCHED) -short -run '$(RACED_TESTS)' $(PARTLY_RACED)
	CGO_ENABLED=1 go test -race $(UNWATCHED) -run '$(RACED_COMMANDS)' ./cmd/verbatim

test/browser/node_modules: test/browser/package-lock.json
	cd test/browser && npm ci --no-audit --no-fund --silent --ignore-scripts
	@touch $@

.PHONY: browser
browser: build test/browser/node_modules ## run complete interviews in Chromium, with and without JavaScript, on phone and desktop; axe checks every page state
	cd test/browser && npm test --silent

test/clients/node_modules: test/clients/package-lock.json
	cd test/clients && npm ci --no-audit --no-fund --silent --ignore-scripts
	@touch $@

.PHONY: clients
clients: build test/clients/node_modules ## lint the contract files; generate clients from them in Go and TypeScript, which each run a complete study
	node test/clients/run.mjs

.PHONY: s3server
s3server: ## build the S3 server of the tests, once
	scripts/with-s3.sh

.PHONY: cover fuzz kill
cover: ## fail when tests cover less than 95 % of the interview engine's statements
	scripts/cover.sh 95 ./internal/domain/interview/...

fuzz: ## run each fuzz target for FUZZTIME, by default 60s (short form: FUZZTIME=5s; not part of test)
	scripts/fuzz.sh $(FUZZTIME)

kill: ## kill -9 a server 50 times under load, look for losses, and print the figures (part of unraced)
	go test -count 1 -v ./test/kill

.PHONY: kill-nodes
kill-nodes: ## do the same to three servers on PostgreSQL and S3, in turn (part of postgres)
	scripts/with-s3.sh go run ./test/withpostgres go test -count 1 -v ./test/kill

.PHONY: nodes
nodes: $(CADDY) ## kill nodes behind Caddy under 8,000 requests, with Debian's Caddy and with the version that deploy's compose file names (short form, 1,200 requests: part of unraced)
	go test -count 1 -v ./test/nodes -run Kills -requests 8000 -kills 6
	go test -count 1 -v ./test/nodes -run Kills -requests 8000 -kills 6 -caddy "$(CADDY)"

.PHONY: panel
panel: ## send 500 people of a panel through three nodes with 10 x 10 cells, a node killed and the panel's server down for a minute, and print the figures (short form, 60 people: part of unraced)
	go test -count 1 -timeout 20m -v ./test/nodes -run Panel -people 500 -groups 10 -outage 1m

$(CADDY): tools-caddy.mod
	mkdir -p $(@D)
	go build -modfile=tools-caddy.mod -o $@ github.com/caddyserver/caddy/v2/cmd/caddy

.PHONY: restarts
restarts: ## restart PostgreSQL 50 times under load, look for losses, and print the figures (short form, 10 times: part of race)
	go test -count 1 -v ./test/postgres -run Restarts -restarts 50

# Under make race the attacked server is built with the race detector and gets less load; make postgres attacks one on PostgreSQL.
.PHONY: attack attack-table
attack: ## attack a server while innocent clients use it, and print the cost of each attack (short form, under a minute)
	go test -count 1 -v ./test/attack -run Attacks

attack-table: ## run the long form on SQLite and PostgreSQL, and write docs/attacks.md and docs/attacks-postgres.md; takes half an hour
	go test -count 1 -timeout 40m -v ./test/attack -run Attacks -long -yield -markdown "$(CURDIR)/docs/attacks.md"
	go run ./test/withpostgres go test -count 1 -timeout 40m -v ./test/attack -run Attacks -long -yield -markdown "$(CURDIR)/docs/attacks-postgres.md"

.PHONY: faults faults-long
faults: ## break nodes, PostgreSQL, S3, disks and clocks during interviews, one by one and at random, and print the cost (short form, part of unraced)
	scripts/with-s3.sh go test -count 1 -v ./test/faults

faults-long: $(CADDY) ## run the long form with limits on time and 1,000 interviews under all faults, and write docs/reliability.md; takes half an hour
	scripts/with-s3.sh go test -count 1 -timeout 90m -v ./test/faults -long -caddy "$(CADDY)" -markdown "$(CURDIR)/docs/reliability.md"

.PHONY: generated
generated: ## send 20,000 requests made from the contract files to both engines, and compare the answers (part of unraced)
	go test -count 1 -v ./test/generated

.PHONY: try-model
try-model: ## try the language model of VERBATIM_LLM_URL, _KEY and _MODEL as moderator: answers and attacks in ten languages (not part of test)
	go run ./test/realmodel

##@ Benchmarks (nothing else should run on the machine)
.PHONY: bench bench-answers bench-growth bench-go bench-start bench-web bench-maxdiff bench-partitions
bench: build ## measure reads, creates and interviews against a baseline on SQLite and PostgreSQL, and write docs/benchmarks.md and docs/benchmarks-postgres.md
	go run ./test/bench -binary bin/verbatim -growth "" -markdown docs/benchmarks.md -chart docs/benchmarks.svg
	go run ./test/bench -postgres -binary bin/verbatim -responses 20000 -connections 1,16 -growth 10000,1000000 -markdown docs/benchmarks-postgres.md

bench-answers: build ## measure answers a second on SQLite and on one and three nodes over PostgreSQL, and write them into docs/benchmarks-postgres.md
	go run ./test/bench -binary bin/verbatim -answers -markdown docs/benchmarks-postgres.md

bench-growth: build ## measure the same operations at 10,000, 100,000 and 1,000,000 responses of 1 KB, and write docs/benchmarks-growth.md; takes ten minutes
	go run ./test/bench -binary bin/verbatim -responses 10000 -body 1000 -connections 1 -growth 10000,100000,1000000 -span 4s -markdown docs/benchmarks-growth.md

bench-go: ## run the Go benchmarks
	go test -run '^$$' -bench . -benchmem ./...

bench-maxdiff: ## estimate known MaxDiff utilities in 500 simulated studies: rank order, coverage of intervals, balance of designs
	go run ./test/maxdiff -runs 500

bench-start: build ## measure the time from start to first answer on an empty folder, and idle memory
	go run ./test/startup -binary bin/verbatim

bench-web: build test/browser/node_modules ## measure the participant's page on a slow phone, and answers while 500 interviews run, and write docs/benchmarks-web.md; fail above 45 kB
	node test/browser/bench.mjs

bench-partitions: ## measure ten million responses on PostgreSQL before and after its tables are partitioned, and write docs/benchmarks-partitions.md; takes an hour and 20 GB
	go run ./test/partitions -responses 10000000 -studies 500 -markdown docs/benchmarks-partitions.md

##@ Release
.PHONY: release release-trial
release: web ## build archives, bills of materials, checksums and signature of the tagged commit into dist/ (docs/releasing.md)
	go run ./scripts/release

release-trial: web ## build the same from the working tree, tagged or not
	go run ./scripts/release -trial

.PHONY: screenshots
screenshots: build test/browser/node_modules ## write pictures of the participant's page to docs/screenshots
	cd test/browser && npm run --silent screenshots
